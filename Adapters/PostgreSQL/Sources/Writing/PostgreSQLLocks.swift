#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// What a commit locks before it has a number, so that commits that must not overlap get numbers in their order.
///
/// Puts of one record meet at its row. What is not there has no row: a commit that deletes a record, or relies on its
/// absence or on what an index has under some values, must keep out those that put it. Both therefore lock its key, and
/// those that put a record also the values that the first field of each index gets; many keys and values share one
/// number. Locks that belong to the transaction, not to the session, so that they also hold behind a pool.
///
/// https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS
struct PostgreSQLLocks {
    /// The locks of tables, in the order in which all commits take them.
    private(set) var tables: [(table: PostgreSQLTable, mode: String)] = []
    /// The numbers of the advisory locks, in the order in which all commits take them.
    private(set) var numbers: [Int64] = []
    /// For each number, whether no other commit may have it.
    private(set) var areExclusive: [Bool] = []
    /// Whether no other commit can write the records that the commit names, once it has its locks.
    ///
    /// A snapshot that is taken with the first lock would miss those who were waited for, so such a commit takes a new
    /// one for each statement: https://www.postgresql.org/docs/current/transaction-iso.html#XACT-READ-COMMITTED
    private(set) var keepsOthersOut = false

    /// How many numbers the keys of one entity share, and the values of one field.
    private static let bucketCount: UInt64 = 128
    /// Advisory locks of one commit, at most: the server has room for some thousands, of all commits together.
    private static let maximumCount = 512

    /// The keys of an entity, or the values of a field that an index begins with.
    private struct Scope: Hashable {
        var entity: String
        var field = ""
    }

    private var buckets: [Scope: [UInt64: Bool]] = [:]
    private var key: [UInt8] = []

    /// - Parameters:
    ///   - request: A commit with operations.
    ///   - putKeys: The keys that it puts, as far as preconditions ask for them.
    ///   - tables: The tables of the store.
    /// - Throws: ``StorageError`` `.schemaMismatch` if it names an entity that the store does not have.
    init(
        _ request: CommitRequest, putKeys: [String: Set<RecordKey>], tables: [String: PostgreSQLTable]
    ) throws(StorageError) {
        var modes: [String: Set<Mode>] = [:]
        for operation in request.operations {
            switch operation {
            case .put: modes[operation.entity, default: []].insert(.writes)
            case .delete:
                modes[operation.entity, default: []].insert(.writes)
                keepsOthersOut = true
            case .clear: modes[operation.entity, default: []].insert(.clears)
            }
        }
        for precondition in request.preconditions {
            switch precondition {
            case .absent(let entity, let key):
                if putKeys[entity]?.contains(key) == true { continue }
                modes[entity, default: []].insert(.names)
                keepsOthersOut = true
            case .unchanged(let range, _):
                if range.indexPrefix == nil {
                    modes[range.entity, default: []].insert(.freezes)
                } else {
                    modes[range.entity, default: []].insert(.names)
                    keepsOthersOut = true
                }
            case .present, .version: break
            }
        }
        // It locks no rows, so it must also keep out those who lock whole tables.
        for precondition in request.preconditions where keepsOthersOut {
            switch precondition {
            case .present(let entity, _), .version(let entity, _, _): modes[entity, default: []].insert(.names)
            case .absent, .unchanged: break
            }
        }
        try collect(request, tables)
        if buckets.values.reduce(0, { $0 + $1.count }) > Self.maximumCount {
            for scope in buckets.keys {
                modes[scope.entity, default: []].insert(
                    modes[scope.entity]?.contains(.writes) == true ? .clears : .freezes)
            }
            buckets = [:]
            keepsOthersOut = false
        }
        for (name, modes) in modes { self.tables.append((try Self.table(name, tables), Mode.name(modes))) }
        self.tables.sort { $0.table.number < $1.table.number }
        for (number, isExclusive) in numbered(tables).sorted(by: { $0.key < $1.key }) {
            numbers.append(number)
            areExclusive.append(isExclusive)
        }
    }

    private static func table(
        _ entity: String, _ tables: [String: PostgreSQLTable]
    ) throws(StorageError) -> PostgreSQLTable {
        guard let table = tables[entity] else { throw StorageError.unknownEntity(entity) }
        return table
    }

    // MARK: Keys and values

    private mutating func collect(_ request: CommitRequest, _ tables: [String: PostgreSQLTable]) throws(StorageError) {
        for operation in request.operations {
            switch operation {
            case .put(let name, let rows, _): lock(rows, try Self.table(name, tables))
            case .delete(let name, let keys): for key in keys { lock(key, of: name) }
            case .clear: break
            }
        }
        for precondition in request.preconditions {
            switch precondition {
            case .absent(let entity, let key), .present(let entity, let key), .version(let entity, let key, _):
                lock(key, of: entity)
            case .unchanged(let range, _):
                guard let prefix = range.indexPrefix else { continue }
                for key in prefix.keys { lock(key, of: range.entity) }
                let index = try Self.table(range.entity, tables).entity.indexes.first { $0.name == prefix.index }
                guard let field = index?.fields.first, let value = prefix.values.first else { continue }
                lock([value], Scope(entity: range.entity, field: field), isExclusive: true)
            }
        }
    }

    private mutating func lock(_ rows: RowBuffer, _ table: PostgreSQLTable) {
        let entity = table.entity
        let scopes = table.leadingPositions.map { Scope(entity: entity.name, field: entity.fields[$0].name) }
        for row in 0..<rows.rowCount {
            lock(entity.key(of: rows[row]), of: entity.name)
            for (position, scope) in zip(table.leadingPositions, scopes) {
                lock([rows[row, position]], scope, isExclusive: false)
            }
        }
    }

    private mutating func lock(_ key: RecordKey, of entity: String) {
        lock(key.components, Scope(entity: entity), isExclusive: keepsOthersOut)
    }

    private mutating func lock(_ values: [Value], _ scope: Scope, isExclusive: Bool) {
        key.removeAll(keepingCapacity: true)
        for value in values { KeyCodec.append(value, to: &key) }
        var hash = FNVHash()
        for byte in key { hash.add(byte) }
        let bucket = hash.number % Self.bucketCount
        if isExclusive || buckets[scope]?[bucket] == nil { buckets[scope, default: [:]][bucket] = isExclusive }
    }

    /// The buckets by their numbers: other stores of the database, and other programs, have advisory locks, too.
    private func numbered(_ tables: [String: PostgreSQLTable]) -> [Int64: Bool] {
        var numbered: [Int64: Bool] = [:]
        for (scope, buckets) in buckets {
            guard let table = tables[scope.entity] else { continue }
            var hash = FNVHash()
            for byte in "holdfast \(table.schema) \(table.number) \(scope.field) ".utf8 { hash.add(byte) }
            for (bucket, isExclusive) in buckets {
                var hash = hash
                hash.add(UInt8(truncatingIfNeeded: bucket))
                let number = Int64(bitPattern: hash.number)
                numbered[number] = numbered[number] == true || isExclusive
            }
        }
        return numbered
    }

    // MARK: Tables

    /// What a commit does with an entity as a whole.
    ///
    /// https://www.postgresql.org/docs/current/explicit-locking.html#LOCKING-TABLES
    private enum Mode {
        /// Looks whether some records are there.
        case names
        /// Writes some records.
        case writes
        /// Relies on a range of records.
        case freezes
        /// Writes the whole entity.
        case clears

        static func name(_ modes: Set<Mode>) -> String {
            if modes.contains(.clears) { return "EXCLUSIVE" }
            if modes.contains(.freezes) { return modes.contains(.writes) ? "SHARE ROW EXCLUSIVE" : "SHARE" }
            return modes.contains(.writes) ? "ROW EXCLUSIVE" : "ROW SHARE"
        }
    }
}
#endif
