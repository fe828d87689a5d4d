#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// The statements of a commit, in the order in which they are sent.
///
/// All of them travel together: what must hold is written as a division that fails if it does not, and the server
/// skips everything behind a failure, the `COMMIT` included.
struct PostgreSQLCommit {
    /// What a statement is for.
    enum Role: Equatable {
        case control
        /// Writes the commit's line of the log and returns its sequence.
        case log
        case precondition(Int)
        /// One of several checks, in another order than asked or many at once: which is the first that does not hold
        /// is not known.
        case preconditions
        case operation(Int)
        /// Returns how many records an operation deleted.
        case deletion(Int)
    }

    enum Step {
        case command(PostgreSQLCommand, Role)
        /// Loads the rows of an operation.
        case load(PostgreSQLTable, RowBuffer, operation: Int)
    }

    private(set) var steps: [Step] = []
    private(set) var putCount = 0
    /// How long the commit waits for records that others are changing.
    ///
    /// Short, since a transaction that waited fails once the other commit is made, and two commits that wait for each
    /// other would do so until the server notices, a second later.
    static let recordWaitMilliseconds = 50
    private let tables: [String: PostgreSQLTable]
    private let request: CommitRequest
    /// Every check and row by itself, so that the first that fails is known, and rows with one key come in order.
    private let isExact: Bool
    private let sequenceBase: Int64
    /// The keys of records that the commit puts or deletes, where preconditions ask for them.
    private var putKeys: [String: Set<RecordKey>] = [:]
    private var writtenKeys: [String: Set<RecordKey>] = [:]

    /// Rows that are put with one statement.
    private static let chunkRowCount = 8_192
    /// More new rows than this are loaded with `COPY`.
    private static let smallestLoad = 500

    init(
        _ request: CommitRequest, token: [UInt8], changes: [UInt8]?, tables: [String: PostgreSQLTable],
        schema: String, sequenceBase: Int64, isExact: Bool
    ) throws(StorageError) {
        self.request = request
        self.tables = tables
        self.isExact = isExact
        self.sequenceBase = sequenceBase
        let isReadOnly = request.operations.isEmpty
        control("BEGIN ISOLATION LEVEL REPEATABLE READ" + (isReadOnly ? " READ ONLY" : ""))
        if !isReadOnly {
            if let durability = request.durability, durability < .powerLoss {
                control("SET LOCAL synchronous_commit = off")
            }
            collectKeys()
            try lock()
            for operation in request.operations {
                if case .put(_, let rows, _) = operation { putCount += rows.rowCount }
            }
            // The snapshot of the transaction is taken before it gets its number, so that a commit with a greater
            // number that changed the same record makes this one fail: a record's versions only grow.
            var parameters = PostgreSQLParameters()
            parameters.append(sequenceBase)
            parameters.append(.bytes(token), as: .bytes)
            parameters.append(Int64(putCount))
            var (column, value) = ("", "")
            if let changes {
                parameters.append(.bytes(changes), as: .bytes)
                (column, value) = (", changes", ", $4")
            }
            add(
                "INSERT INTO \(schema).holdfast_commit (sequence, token, put_count\(column)) "
                    + "VALUES (\(PostgreSQLTable.sequence), $2, $3\(value)) RETURNING sequence", parameters, .log)
        }
        try check()
        for (index, operation) in request.operations.enumerated() { try apply(operation, at: index) }
        if isReadOnly {
            add("SELECT coalesce(max(sequence), 0) FROM \(schema).holdfast_commit", PostgreSQLParameters(), .log)
        }
        control("COMMIT")
    }

    private func table(_ entity: String) throws(StorageError) -> PostgreSQLTable {
        guard let table = tables[entity] else { throw StorageError.unknownEntity(entity) }
        return table
    }

    private mutating func control(_ sql: String) {
        steps.append(.command(PostgreSQLCommand(sql), .control))
    }

    private mutating func add(_ sql: String, _ parameters: PostgreSQLParameters, _ role: Role) {
        steps.append(.command(PostgreSQLCommand(sql, parameters), role))
    }

    // MARK: Locks

    private mutating func collectKeys() {
        let asked = Set(
            request.preconditions.compactMap { precondition in
                switch precondition {
                case .absent(let entity, _), .present(let entity, _), .version(let entity, _, _): entity
                case .unchanged: nil as String?
                }
            })
        for operation in request.operations where asked.contains(operation.entity) {
            guard let entity = tables[operation.entity]?.entity else { continue }
            switch operation {
            case .put(let name, let rows, _):
                for row in 0..<rows.rowCount {
                    let key = entity.key(of: rows[row])
                    putKeys[name, default: []].insert(key)
                    writtenKeys[name, default: []].insert(key)
                }
            case .delete(let name, let keys): writtenKeys[name, default: []].formUnion(keys)
            case .clear: break
            }
        }
    }

    /// Locks tables in one order for all commits, those that must not change meanwhile against others' writes.
    ///
    /// Done before the snapshot is taken and before the transaction has a number, so that it holds whatever is waited
    /// for, and so that a commit that finds a record absent, or deletes what may be absent, has a greater number than
    /// every commit whose records it did not see, and a smaller one than those that come after it. Records that are
    /// there need no lock of the table: commits that change one of them meet.
    private mutating func lock() throws(StorageError) {
        var written: Set<String> = []
        var frozen: Set<String> = []
        for operation in request.operations {
            written.insert(operation.entity)
            if case .put = operation { continue }
            frozen.insert(operation.entity)
        }
        for precondition in request.preconditions {
            switch precondition {
            case .unchanged(let range, _): frozen.insert(range.entity)
            case .absent(let entity, let key):
                if putKeys[entity]?.contains(key) != true { frozen.insert(entity) }
            case .present, .version: break
            }
        }
        var involved: [(table: PostgreSQLTable, mode: String)] = []
        for name in written.union(frozen) {
            let mode =
                switch (written.contains(name), frozen.contains(name)) {
                case (true, true): "SHARE ROW EXCLUSIVE"
                case (false, true): "SHARE"
                default: "ROW EXCLUSIVE"
                }
            involved.append((try table(name), mode))
        }
        involved.sort { $0.table.number < $1.table.number }
        for (table, mode) in involved { control("LOCK TABLE \(table.name) IN \(mode) MODE") }
        if touchesSeveralRecords { control("SET LOCAL lock_timeout = \(Self.recordWaitMilliseconds)") }
    }

    /// Whether the commit may hold one record while it waits for another.
    private var touchesSeveralRecords: Bool {
        var count = request.preconditions.count { precondition in
            switch precondition {
            case .absent, .unchanged: false
            case .present(let entity, let key), .version(let entity, let key, _):
                writtenKeys[entity]?.contains(key) != true
            }
        }
        for operation in request.operations {
            switch operation {
            case .put(_, let rows, _): count += rows.rowCount
            case .delete(_, let keys): count += keys.count
            case .clear: return true
            }
        }
        return count > 1
    }

    // MARK: Preconditions

    private func role(ofPrecondition index: Int) -> Role {
        isExact || request.preconditions.count == 1 ? .precondition(index) : .preconditions
    }

    /// Turns a truth into a statement that fails if it is false.
    private static func require(_ condition: String) -> String {
        "SELECT 1 / (CASE WHEN \(condition) THEN 1 ELSE 0 END)"
    }

    private struct Group: Hashable {
        var entity: String
        var kind: Int
        var isLocked: Bool
    }

    private mutating func check() throws(StorageError) {
        var groups: [Group: [(index: Int, key: RecordKey, version: UInt64)]] = [:]
        var order: [Group] = []
        for (index, precondition) in request.preconditions.enumerated() {
            let (entity, kind, key, version): (String, Int, RecordKey, UInt64)
            switch precondition {
            case .absent(let name, let asked): (entity, kind, key, version) = (name, 0, asked, 0)
            case .present(let name, let asked): (entity, kind, key, version) = (name, 1, asked, 0)
            case .version(let name, let asked, let number): (entity, kind, key, version) = (name, 2, asked, number)
            case .unchanged(let range, let since):
                try check(range, since: since, at: index)
                continue
            }
            // A record that the commit writes itself is safe from others; the rest is locked to its end.
            let isWritten = writtenKeys[entity]?.contains(key) == true
            let isLocked = kind > 0 && !isWritten && !request.operations.isEmpty
            let group = Group(entity: entity, kind: kind, isLocked: isLocked)
            if isExact {
                try check(group, [(index, key, version)])
            } else {
                if groups[group] == nil { order.append(group) }
                groups[group, default: []].append((index, key, version))
            }
        }
        for group in order { try check(group, groups[group] ?? []) }
    }

    private mutating func check(
        _ group: Group, _ members: [(index: Int, key: RecordKey, version: UInt64)]
    ) throws(StorageError) {
        let table = try table(group.entity)
        var parameters = PostgreSQLParameters()
        if members.count == 1 {
            let member = members[0]
            table.append(member.key, to: &parameters)
            var source = "SELECT 1 FROM \(table.name) WHERE \(table.keyCondition(from: 1))"
            if group.kind == 2 {
                parameters.append(Int64(bitPattern: member.version))
                source += " AND \(table.versionName) = $\(parameters.count)"
            }
            if group.isLocked { source += group.kind == 1 ? " FOR KEY SHARE" : " FOR SHARE" }
            let condition = "(SELECT count(*) FROM (\(source)) AS s) = \(group.kind == 0 ? 0 : 1)"
            return add(Self.require(condition), parameters, role(ofPrecondition: member.index))
        }
        table.append(members.map(\.key), to: &parameters)
        var extra: [String] = []
        var join = table.keyJoin
        if group.kind == 2 {
            parameters.append(members.map { .integer(Int64(bitPattern: $0.version)) }, asArrayOf: .integer)
            extra = ["v"]
            join += " AND t.\(table.versionName) = k.v"
        }
        var source = "SELECT 1 FROM \(table.keyTable(from: 1, extra: extra)) JOIN \(table.name) AS t ON \(join)"
        if group.isLocked { source += group.kind == 1 ? " FOR KEY SHARE OF t" : " FOR SHARE OF t" }
        let condition = "(SELECT count(*) FROM (\(source)) AS s) = \(group.kind == 0 ? 0 : members.count)"
        add(Self.require(condition), parameters, .preconditions)
    }

    /// Exact for records that were written; any deletion of the entity counts, wherever it was.
    private mutating func check(_ range: KeyRange, since: UInt64, at index: Int) throws(StorageError) {
        let table = try table(range.entity)
        var parameters = PostgreSQLParameters()
        parameters.append(Int64(clamping: since))
        parameters.append(table.number)
        var condition = PostgreSQLPredicateWriter(table: table, parameters: parameters)
        condition.write(range)
        parameters = condition.parameters
        var others = ""
        if !request.operations.isEmpty {
            // Its own line is in the log already.
            parameters.append(sequenceBase)
            others = " AND sequence < pg_current_xact_id()::text::int8 + $\(parameters.count)"
        }
        let history = table.schema
        add(
            "SELECT 1 / (CASE WHEN NOT EXISTS (SELECT 1 FROM \(history).holdfast_commit WHERE sequence > $1\(others)) "
                + "THEN 1 WHEN EXISTS (SELECT 1 FROM \(history).holdfast_deletion WHERE entity = $2 AND sequence > $1) "
                + "THEN 0 WHEN EXISTS (SELECT 1 FROM \(table.name) WHERE \(table.versionName) > $1 "
                + "AND \(condition.sql)) THEN 0 ELSE 1 END)", parameters, role(ofPrecondition: index))
    }

    // MARK: Operations

    private mutating func apply(_ operation: WriteOperation, at index: Int) throws(StorageError) {
        let table = try table(operation.entity)
        switch operation {
        case .put(_, let rows, let mode): put(rows, mode, into: table, at: index)
        case .delete(_, let keys):
            var parameters = PostgreSQLParameters()
            parameters.append(sequenceBase)
            parameters.append(table.number)
            if keys.count == 1 {
                table.append(keys[0], to: &parameters)
                add(table.delete(" WHERE \(table.keyCondition(from: 3))"), parameters, .deletion(index))
            } else if !keys.isEmpty {
                table.append(keys, to: &parameters)
                let source = " USING \(table.keyTable(from: 3)) WHERE \(table.keyJoin)"
                add(table.delete(source), parameters, .deletion(index))
            }
        case .clear:
            var parameters = PostgreSQLParameters()
            parameters.append(sequenceBase)
            parameters.append(table.number)
            add(table.delete(""), parameters, .deletion(index))
        }
    }

    private mutating func put(
        _ rows: RowBuffer, _ mode: WriteOperation.PutMode, into table: PostgreSQLTable, at index: Int
    ) {
        if mode == .insert && !isExact && rows.rowCount > Self.smallestLoad {
            steps.append(.load(table, rows, operation: index))
            return
        }
        if isExact || mode == .update || table.hasLists || rows.rowCount == 1 {
            let sql = table.put(mode)
            for row in 0..<rows.rowCount {
                var parameters = PostgreSQLParameters()
                parameters.append(sequenceBase)
                table.append(rows, row: row, to: &parameters)
                add(sql, parameters, .operation(index))
            }
            return
        }
        let sql = table.putMany(mode)
        for start in stride(from: 0, to: rows.rowCount, by: Self.chunkRowCount) {
            var parameters = PostgreSQLParameters()
            parameters.append(sequenceBase)
            table.append(rows, start..<min(start + Self.chunkRowCount, rows.rowCount), to: &parameters)
            add(sql, parameters, .operation(index))
        }
    }
}
#endif
