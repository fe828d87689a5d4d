package import HoldfastStorage

extension EntitySchema {
    /// `Row(a, b, text)` with the key (a, b), in the order of versions.
    package static let versionedRows = EntitySchema(
        "Row", fields: [FieldSchema("text", .string), FieldSchema("a", .string), FieldSchema("b", .int)],
        primaryKey: ["a", "b"], isOrderedByVersion: true)

    /// The same entity without the order.
    package static let unversionedRows = EntitySchema(
        "Row", fields: versionedRows.fields, primaryKey: versionedRows.primaryKey)
}

/// A store of ``EntitySchema/versionedRows`` beside what its commits were acknowledged with.
struct VersionedStore {
    private(set) var store: TestStore
    private let context: ClauseContext
    private(set) var records: [RecordKey: StoredRow] = [:]
    /// The sequences of all commits, in order.
    private(set) var sequences: [UInt64] = []

    /// Opens a store on a fresh location.
    init(_ context: ClauseContext, _ entity: EntitySchema = .versionedRows) async throws {
        self.context = context
        store = try await context.open(entity)
    }

    /// The row of a number: keys differ in either component, and their order is not that of the numbers.
    static func row(_ number: Int, _ text: String = "") -> [Value] {
        [.text(text), .text(["b", "a", "", "a\u{1}", "é"][number % 5]), .integer(Int64((number * 7) % 23 - 11))]
    }

    static func key(_ number: Int) -> RecordKey { EntitySchema.versionedRows.key(of: row(number)) }

    /// A put of the rows of some numbers.
    static func put(_ numbers: [Int], _ text: String = "") -> WriteOperation {
        .put(entity: "Row", rows: RowBuffer(rows: numbers.map { row($0, text) }), mode: .upsert)
    }

    static func delete(_ numbers: [Int]) -> WriteOperation { .delete(entity: "Row", keys: numbers.map(key)) }

    mutating func put(_ numbers: [Int], _ text: String = "") async throws {
        try await commit([Self.put(numbers, text)])
    }

    mutating func delete(_ numbers: [Int]) async throws { try await commit([Self.delete(numbers)]) }

    mutating func commit(_ operations: [WriteOperation]) async throws {
        let sequence = try await store.commit(operations).sequence
        sequences.append(sequence)
        for operation in operations {
            switch operation {
            case .put(_, let rows, _):
                for row in 0..<rows.rowCount {
                    let cells = Array(rows[row])
                    records[EntitySchema.versionedRows.key(of: cells)] = StoredRow(cells, version: sequence)
                }
            case .delete(_, let keys): for key in keys { records[key] = nil }
            case .clear: records = [:]
            }
        }
    }

    /// Closes the store and opens it again, with another form of the entity if one is given.
    mutating func reopen(_ entity: EntitySchema? = nil) async throws {
        store = try await store.reopen(entity.map { try StorageSchema(entities: [$0]) })
    }

    /// Opens the store again through a migration that gives every record a text.
    mutating func migrate(_ text: String) async throws {
        try await store.store.close()
        let required = [FieldSchema("text", .string, isRequired: true)] + EntitySchema.versionedRows.fields.dropFirst()
        let target = EntitySchema("Row", fields: required, primaryKey: ["a", "b"], isOrderedByVersion: true)
        store = try await context.open(StorageSchema(entities: [target]), at: store.location) { stored in
            SchemaMigration(steps: [
                SchemaMigration.Step(from: stored.entities.first, to: target) { [.text(text)] + $0.dropFirst() }
            ])
        }
        records = records.mapValues { StoredRow([.text(text)] + $0.cells.dropFirst(), version: $0.version) }
    }

    /// What a range holds, in order.
    func expected(_ range: VersionRange) -> [StoredRow] {
        let inside = records.filter { key, row in
            guard row.version > range.after, row.version <= range.through else { return false }
            return range.cursor.map { (row.version, key) > ($0.version, $0.key) } ?? true
        }
        let ordered = inside.sorted { ($0.value.version, $0.key) < ($1.value.version, $1.key) }.map(\.value)
        return Array(ordered.prefix(range.limit ?? .max))
    }

    /// Compares what a range delivers, in large and in small batches, with what was acknowledged.
    ///
    /// - Parameters:
    ///   - range: The versions to read; all of `Row` by default.
    ///   - snapshot: What is read; one of its own by default.
    ///   - when: Added to the failure's message after the range; begins with a space.
    /// - Returns: The number of rows.
    /// - Throws: ``ClauseFailure`` if the rows differ, or the error of reading them.
    @discardableResult
    func expectAgrees(
        _ range: VersionRange = VersionRange("Row"), in snapshot: StoreSnapshot? = nil, _ when: String = ""
    ) async throws -> Int {
        let expected = expected(range)
        guard let snapshot else {
            let snapshot = try await store.store.snapshot()
            try await compare(range, expected, snapshot, when)
            await snapshot.close()
            return expected.count
        }
        try await compare(range, expected, snapshot, when)
        return expected.count
    }

    private func compare(
        _ range: VersionRange, _ expected: [StoredRow], _ snapshot: StoreSnapshot, _ when: String
    ) async throws {
        for batch in [100, 3] {
            context.begin("a scan by version in batches of \(batch)")
            let found = try await snapshot.rows(range, batch: batch)
            if found == expected { continue }
            throw ClauseFailure(
                "a scan of the versions after \(range.after) through \(range.through)\(when), in batches of \(batch): "
                    + "expected \(Self.text(expected)), got \(Self.text(found))")
        }
    }

    private static func text(_ rows: [StoredRow]) -> String {
        let shown = rows.prefix(12).map { "\($0.version) \(SwiftText.list($0.cells))" }
        return "\(rows.count) rows (\(shown.joined(separator: ", "))\(rows.count > 12 ? ", …" : ""))"
    }
}
