import HoldfastAdapterKit
import HoldfastStorage

/// The whole store as a value that costs O(1) to copy: what a snapshot holds and a commit replaces.
struct InMemoryState: Sendable {
    /// The sequence of the last commit.
    private(set) var sequence: UInt64 = 0
    /// What the store holds.
    let schema: StorageSchema
    private var tables: [InMemoryTable]
    private let positions: [String: Int]

    init(_ schema: StorageSchema) {
        self.schema = schema
        tables = schema.entities.map { InMemoryTable(InMemoryLayout($0)) }
        positions = Dictionary(uniqueKeysWithValues: schema.entities.enumerated().map { ($1.name, $0) })
    }

    /// The records of an entity.
    ///
    /// - Throws: ``StorageError`` `.schemaMismatch` if there is no such entity.
    func table(_ entity: String) throws(StorageError) -> InMemoryTable { tables[try position(of: entity)] }

    /// Reads records by key.
    func get(_ request: GetRequest, into rows: inout RowBuffer) throws(StorageError) {
        let table = try table(request.entity)
        rows.reset(columnCount: table.layout.entity.fields.count, rowCapacity: request.keys.count)
        for key in request.keys {
            if let record = table.records[TreeKey(KeyCodec.encode(key.components))] {
                rows.append(record.cells, version: record.version)
            } else {
                rows.appendAbsentRow()
            }
        }
    }

    /// Checks and applies a change; on an error, half of it may have been applied unless ``isAtomic(_:)``.
    ///
    /// - Throws: ``StorageError`` `.preconditionFailed` or `.uniqueViolation` with the position that failed first.
    mutating func apply(_ request: CommitRequest) throws(StorageError) -> CommitReceipt {
        for (index, precondition) in request.preconditions.enumerated() where try !holds(precondition) {
            throw StorageError.failedPrecondition(index)
        }
        if request.operations.isEmpty { return CommitReceipt(sequence: sequence) }
        var receipt = CommitReceipt(sequence: sequence + 1)
        for (index, operation) in request.operations.enumerated() {
            try apply(operation, at: index, counting: &receipt)
        }
        sequence = receipt.sequence
        return receipt
    }

    /// Whether a change cannot fail any longer once its first row is written.
    func isAtomic(_ request: CommitRequest) -> Bool {
        for (index, operation) in request.operations.enumerated() {
            guard let position = positions[operation.entity] else { return false }
            if case .put(_, let rows, let mode) = operation, !tables[position].admitsEvery(mode),
                index > 0 || rows.rowCount > 1
            {
                return false
            }
        }
        return true
    }

    private func position(of entity: String) throws(StorageError) -> Int {
        guard let position = positions[entity] else {
            throw StorageError.unknownEntity(entity)
        }
        return position
    }

    private func holds(_ precondition: Precondition) throws(StorageError) -> Bool {
        switch precondition {
        case .absent(let entity, let key): try record(entity, key) == nil
        case .present(let entity, let key): try record(entity, key) != nil
        case .version(let entity, let key, let version): try record(entity, key)?.version == version
        case .unchanged(let range, let since):
            if let prefix = range.indexPrefix {
                try table(range.entity).isUnchanged(under: prefix, since: since)
            } else {
                try table(range.entity).isUnchanged(KeyCodec.bounds(of: range), since: since)
            }
        }
    }

    private func record(_ entity: String, _ key: RecordKey) throws(StorageError) -> InMemoryRecord? {
        try table(entity).records[TreeKey(KeyCodec.encode(key.components))]
    }

    private mutating func apply(
        _ operation: WriteOperation, at index: Int, counting receipt: inout CommitReceipt
    ) throws(StorageError) {
        let position = try position(of: operation.entity)
        switch operation {
        case .put(_, let rows, let mode):
            for row in 0..<rows.rowCount {
                let record = InMemoryRecord(cells: Array(rows[row]), version: receipt.sequence)
                try tables[position].put(record, mode, operation: index)
            }
            receipt.putCount += rows.rowCount
        case .delete(_, let keys):
            for key in keys {
                let key = TreeKey(KeyCodec.encode(key.components))
                if tables[position].delete(key, sequence: receipt.sequence) { receipt.deletedCount += 1 }
            }
        case .clear:
            receipt.deletedCount += tables[position].clear(sequence: receipt.sequence)
        }
    }
}

extension InMemoryState {
    /// One sentence per index that disagrees with its records.
    func verify() -> [String] {
        var defects: [String] = []
        for table in tables {
            let name = table.layout.entity.name
            for (index, entries) in zip(table.layout.indexes, table.indexes) {
                var iterator = table.records.makeIterator()
                var isSound = entries.count == table.records.count
                while isSound, let entry = iterator.nextEntry() {
                    let key = table.layout.prefix(of: entry.element, in: index) + entry.key.bytes
                    isSound = entries[TreeKey(key)]?.version == entry.element.version
                }
                if !isSound { defects.append("Index '\(index.name)' of '\(name)' disagrees with its records.") }
            }
        }
        return defects
    }
}
