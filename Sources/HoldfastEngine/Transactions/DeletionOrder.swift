import HoldfastStorage

/// The records that a deletion takes with it, ordered so that each is before all records it belongs to.
struct DeletionOrder: Sendable {
    /// A record that is deleted.
    struct Record: Sendable {
        let entity: EntitySchema
        let key: RecordKey
        /// The record with which it goes; `nil` if it was named itself.
        var parent: (entity: String, key: RecordKey)?
    }

    private struct Node: Hashable {
        let entity: String
        let key: RecordKey
    }

    private var records: [Record] = []
    private var indexes: [Node: Int] = [:]
    private var children: [[Int]] = []
    private var parentCounts: [Int] = []

    /// Adds a record.
    ///
    /// - Returns: Whether it is new.
    mutating func add(_ key: RecordKey, of entity: EntitySchema) -> Bool {
        let node = Node(entity: entity.name, key: key)
        if indexes[node] != nil { return false }
        indexes[node] = records.count
        records.append(Record(entity: entity, key: key))
        children.append([])
        parentCounts.append(0)
        return true
    }

    /// Adds a record that belongs to one added before.
    ///
    /// - Returns: Whether it is new.
    mutating func add(
        _ key: RecordKey, of entity: EntitySchema, belongingTo parent: RecordKey, of parentEntity: EntitySchema
    ) -> Bool {
        let isNew = add(key, of: entity)
        if isNew { records[records.count - 1].parent = (parentEntity.name, parent) }
        if let child = indexes[Node(entity: entity.name, key: key)],
            let parent = indexes[Node(entity: parentEntity.name, key: parent)], child != parent
        {
            children[parent].append(child)
            parentCounts[child] += 1
        }
        return isNew
    }

    /// The records, as many of one entity as possible one after the other; a cycle is cut at its first record.
    ///
    /// - Complexity: O(n) for n records and relations.
    func childrenFirst() -> [Record] {
        var parentsFirst: [Int] = []
        var waitsFor = parentCounts
        var isPlaced = Array(repeating: false, count: records.count)
        var rest = records.indices[...]
        var level = records.indices.filter { waitsFor[$0] == 0 }
        while true {
            if level.isEmpty {
                rest = rest.drop { isPlaced[$0] }
                guard let first = rest.first else { break }
                level = [first]
            }
            for index in level { isPlaced[index] = true }
            let groups = Dictionary(grouping: level) { records[$0].entity.name }
            for (_, group) in groups.sorted(by: { $0.key < $1.key }) { parentsFirst += group }
            var next: [Int] = []
            for child in level.flatMap({ children[$0] }) {
                waitsFor[child] -= 1
                if waitsFor[child] == 0 && !isPlaced[child] { next.append(child) }
            }
            level = next
        }
        return parentsFirst.reversed().map { records[$0] }
    }
}
