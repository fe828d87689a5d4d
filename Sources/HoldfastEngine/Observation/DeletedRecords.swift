import HoldfastStorage

/// Records that were deleted together, as they were.
///
/// All sets of changes of one commit have the same instance.
final class DeletedRecords: Sendable {
    private struct Records: Sendable {
        let entity: EntitySchema
        /// The newest last.
        var buffers: [RowBuffer] = []

        /// The newest of each record.
        ///
        /// - Complexity: O(n) for n rows.
        var newest: Records {
            var seen: Set<RecordKey> = []
            var rows = RowBuffer(columnCount: entity.fields.count)
            for buffer in buffers.reversed() {
                for row in 0..<buffer.rowCount where seen.insert(entity.key(of: buffer[row])).inserted {
                    rows.append(buffer[row])
                }
            }
            return Records(entity: entity, buffers: [rows])
        }

        func places(by columns: [Int]) -> [RecordKey: [Place]] {
            var places: [RecordKey: [Place]] = [:]
            for (number, buffer) in buffers.enumerated() {
                for row in 0..<buffer.rowCount {
                    guard let key = buffer.key(row, columns) else { continue }
                    places[key, default: []].append(Place(buffer: number, row: row))
                }
            }
            return places
        }
    }

    private struct Place: Sendable {
        let buffer: Int
        let row: Int
    }

    private let records: [String: Records]
    /// Where the records are, by entity, by the columns of a key, and by the key; made when they are looked up.
    private let places = Mutex<[String: [[Int]: [RecordKey: [Place]]]]>([:])
    /// How many they are.
    let rowCount: Int

    private init(_ records: [String: Records]) {
        self.records = records
        rowCount = records.values.reduce(0) { $1.buffers.reduce($0) { $0 + $1.rowCount } }
    }

    /// The records that a commit deleted.
    convenience init(by commit: [ChangeSet]) {
        var records: [String: Records] = [:]
        for set in commit where set.isDeletion {
            records[set.entity.name, default: Records(entity: set.entity)].buffers.append(set.rows)
        }
        self.init(records)
    }

    /// The newest of each record among several, oldest first; `nil` for none.
    ///
    /// - Complexity: O(n) for n rows.
    static func newest(of all: [DeletedRecords]) -> DeletedRecords? {
        if all.count < 2 { return all.first }
        var together: [String: Records] = [:]
        for (name, records) in all.lazy.flatMap(\.records) {
            together[name, default: Records(entity: records.entity)].buffers += records.buffers
        }
        return DeletedRecords(together.mapValues(\.newest))
    }

    /// The records of an entity that have one of some keys in some columns; `nil` if none of the entity was deleted.
    ///
    /// - Complexity: O(n) for n deleted records at first, then O(k) for k keys.
    func rows(of entity: String, by columns: [Int], _ keys: some Sequence<RecordKey>) -> RowBuffer? {
        guard let records = records[entity] else { return nil }
        let places: [RecordKey: [Place]] = places.withLock { places in
            if let known = places[entity]?[columns] { return known }
            let found = records.places(by: columns)
            places[entity, default: [:]][columns] = found
            return found
        }
        var rows = RowBuffer(columnCount: records.entity.fields.count)
        for key in keys {
            for place in places[key] ?? [] { rows.append(records.buffers[place.buffer][place.row], version: 1) }
        }
        return rows
    }
}
