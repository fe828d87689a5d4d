#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// The statements of a commit, in the order in which they are sent.
///
/// All of them travel together: what must hold is written as a division that fails if it does not, and the server
/// skips everything after a failure, the `COMMIT` included.
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
    /// Whether others can meanwhile write the records that the commit names, so that it locks the rows of those it
    /// asks for.
    private var locksRows = false
    /// The keys of records that the commit puts or deletes, where preconditions ask for them.
    private var putKeys: [String: Set<RecordKey>] = [:]
    private var writtenKeys: [String: Set<RecordKey>] = [:]
    /// By operation, the versions of the records that it replaces or deletes, where its statement checks them.
    private var replacedVersions: [Int: [UInt64]] = [:]
    /// The preconditions that operations check.
    private var joinedPreconditions: Set<Int> = []
    /// Whether operations check preconditions, so that what fails first is not known.
    var joinsPreconditions: Bool { !joinedPreconditions.isEmpty }

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
        if isReadOnly {
            control("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        } else {
            collectKeys()
            let locks = try PostgreSQLLocks(request, putKeys: putKeys, tables: tables)
            locksRows = !locks.keepsOthersOut
            control("BEGIN ISOLATION LEVEL " + (locksRows ? "REPEATABLE READ" : "READ COMMITTED"))
            if let durability = request.durability, durability < .powerLoss {
                control("SET LOCAL synchronous_commit = off")
            }
            for (table, mode) in locks.tables { control("LOCK TABLE \(table.name) IN \(mode) MODE") }
            for operation in request.operations {
                if case .put(_, let rows, _) = operation { putCount += rows.rowCount }
            }
            addLog(token, changes, locks, schema)
            if !isExact { joinPreconditions() }
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

    /// Takes the advisory locks, then gives the transaction its number and writes it to the log.
    ///
    /// The snapshot of a transaction that reads repeatably is taken here, before its number: a commit with a greater
    /// number that changed the same record makes this one fail, so that a record's versions only grow. The tables are
    /// locked before, without a snapshot. A transaction has a greater number than those that had its advisory locks
    /// before it, since the locks are taken first: the rows of a subquery are there before the statement writes one.
    private mutating func addLog(_ token: [UInt8], _ changes: [UInt8]?, _ locks: PostgreSQLLocks, _ schema: String) {
        var parameters = PostgreSQLParameters()
        parameters.append(sequenceBase)
        parameters.append(.bytes(token), as: .bytes)
        parameters.append(Int64(putCount))
        var (columns, values) = ("sequence, token, put_count", "\(PostgreSQLTable.sequence), $2, $3")
        if let changes {
            parameters.append(.bytes(changes), as: .bytes)
            columns += ", changes"
            values += ", $4"
        }
        var source = ""
        if !locks.numbers.isEmpty {
            parameters.append(locks.numbers.map { .integer($0) }, asArrayOf: .integer)
            parameters.append(locks.areExclusive.map { .boolean($0) }, asArrayOf: .boolean)
            source =
                " FROM (SELECT count(CASE WHEN l.x THEN pg_advisory_xact_lock(l.k)::text "
                + "ELSE pg_advisory_xact_lock_shared(l.k)::text END) AS c "
                + "FROM unnest($\(parameters.count - 1), $\(parameters.count)) AS l(k, x)) AS l WHERE l.c > 0"
        }
        var settings: [(name: String, value: String)] = []
        // Set when the locks above are taken, for those of records.
        if touchesSeveralRecords { settings.append(("lock_timeout", "\(Self.recordWaitMilliseconds)")) }
        if keepsPlans { settings += PostgreSQLPuts.keptPlanSettings.map { ($0, "off") } }
        let set = settings.map { ", set_config('\($0.name)', '\($0.value)', true)" }.joined()
        add(
            "INSERT INTO \(schema).holdfast_commit (\(columns)) SELECT \(values)\(source) "
                + "RETURNING sequence\(set)", parameters, .log)
    }

    /// Whether the commit updates several records of an entity, and all that it does is by key.
    private var keepsPlans: Bool {
        let isByKey =
            request.operations.allSatisfy { operation in
                if case .clear = operation { false } else { true }
            }
            && request.preconditions.allSatisfy { precondition in
                if case .unchanged = precondition { false } else { true }
            }
        return isByKey
            && request.operations.contains { operation in
                if case .put(_, let rows, .update) = operation { rows.rowCount > 1 } else { false }
            }
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
        /// How the rows are locked, if they are.
        var lock = ""
    }

    /// Has operations check the versions of the records that they replace or delete, which spares a statement and a
    /// lock.
    ///
    /// Possible where every record has a version, and nothing else is done with those of the entity.
    private mutating func joinPreconditions() {
        var versions: [String: [RecordKey: (index: Int, version: UInt64)]] = [:]
        for (index, precondition) in request.preconditions.enumerated() {
            // Of two versions of one record the first stays to be checked by itself.
            if case .version(let entity, let key, let version) = precondition {
                versions[entity, default: [:]][key] = (index, version)
            }
        }
        for (index, operation) in request.operations.enumerated() {
            let name = operation.entity
            guard let versions = versions[name], let entity = tables[name]?.entity else { continue }
            let keys: [RecordKey]
            switch operation {
            case .put(_, let rows, let mode) where mode != .insert:
                keys = (0..<rows.rowCount).map { entity.key(of: rows[$0]) }
            case .delete(_, let deleted): keys = deleted
            case .put, .clear: continue
            }
            guard writtenKeys[name]?.count == keys.count, request.operations.count(where: { $0.entity == name }) == 1
            else { continue }
            let replaced = keys.compactMap { versions[$0] }
            guard !keys.isEmpty, replaced.count == keys.count else { continue }
            replacedVersions[index] = replaced.map(\.version)
            joinedPreconditions.formUnion(replaced.map(\.index))
        }
    }

    private mutating func check() throws(StorageError) {
        var groups: [Group: [(index: Int, key: RecordKey, version: UInt64)]] = [:]
        var order: [Group] = []
        for (index, precondition) in request.preconditions.enumerated() where !joinedPreconditions.contains(index) {
            let (entity, kind, key, version): (String, Int, RecordKey, UInt64)
            switch precondition {
            case .absent(let name, let asked): (entity, kind, key, version) = (name, 0, asked, 0)
            case .present(let name, let asked): (entity, kind, key, version) = (name, 1, asked, 0)
            case .version(let name, let asked, let number): (entity, kind, key, version) = (name, 2, asked, number)
            case .unchanged(let range, let since):
                try check(range, since: since, at: index)
                continue
            }
            var group = Group(entity: entity, kind: kind)
            if kind > 0 && locksRows {
                // Also those that the commit replaces: a put does not notice that another commit has deleted the
                // record.
                let isWritten = writtenKeys[entity]?.contains(key) == true
                group.lock = isWritten ? " FOR NO KEY UPDATE" : kind == 1 ? " FOR KEY SHARE" : " FOR SHARE"
            }
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
            source += group.lock
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
        if !group.lock.isEmpty { source += group.lock + " OF t" }
        let condition = "(SELECT count(*) FROM (\(source)) AS s) = \(group.kind == 0 ? 0 : members.count)"
        add(Self.require(condition), parameters, .preconditions)
    }

    /// Exact for records that were written; any deletion of the entity counts, wherever it was.
    private mutating func check(_ range: KeyRange, since: UInt64, at index: Int) throws(StorageError) {
        let table = try table(range.entity)
        if let prefix = range.indexPrefix, let predicate = prefix.predicate(of: table.entity) {
            return check(predicate, count: prefix.keys.count, since: since, table, at: index)
        }
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
        let newer = "FROM \(table.name) WHERE \(table.versionName) > $1 AND \(condition.sql)"
        // In the order of the index, as the server would rather read all records than trust that few are newer.
        let isNewer =
            table.entity.isOrderedByVersion
            ? "(SELECT \(table.versionName) \(newer) ORDER BY \(table.versionName) DESC LIMIT 1) IS NOT NULL"
            : "EXISTS (SELECT 1 \(newer))"
        add(
            "SELECT 1 / (CASE WHEN NOT EXISTS (SELECT 1 FROM \(history).holdfast_commit WHERE sequence > $1\(others)) "
                + "THEN 1 WHEN EXISTS (SELECT 1 FROM \(history).holdfast_deletion WHERE entity = $2 AND sequence > $1) "
                + "THEN 0 WHEN \(isNewer) THEN 0 ELSE 1 END)", parameters, role(ofPrecondition: index))
    }

    /// Exact: a record that came is newer, and one that went is missing.
    private mutating func check(
        _ predicate: BoundPredicate, count: Int, since: UInt64, _ table: PostgreSQLTable, at index: Int
    ) {
        var parameters = PostgreSQLParameters()
        parameters.append(Int64(clamping: since))
        parameters.append(Int64(count))
        var condition = PostgreSQLPredicateWriter(table: table, parameters: parameters)
        condition.write(predicate)
        let held =
            "SELECT count(*) = $2 AND coalesce(max(\(table.versionName)), 0) <= $1 FROM \(table.name) "
            + "WHERE \(condition.sql)"
        add(Self.require("(\(held))"), condition.parameters, role(ofPrecondition: index))
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
            let versions = replacedVersions[index]
            var source: String
            var count: String?
            if keys.count == 1 {
                table.append(keys[0], to: &parameters)
                source = " WHERE \(table.keyCondition(from: 3))"
                if let versions {
                    parameters.append(Int64(bitPattern: versions[0]))
                    source += " AND \(table.versionName) = $\(parameters.count)"
                    count = "1"
                }
            } else if !keys.isEmpty {
                table.append(keys, to: &parameters)
                if let versions {
                    parameters.append(versions.map { .integer(Int64(bitPattern: $0)) }, asArrayOf: .integer)
                }
                source = " USING \(table.keyTable(from: 3, extra: versions == nil ? [] : ["v"])) WHERE \(table.keyJoin)"
                if versions != nil {
                    source += " AND t.\(table.versionName) = k.v"
                    parameters.append(Int64(keys.count))
                    count = "$\(parameters.count)"
                }
            } else {
                return
            }
            add(table.delete(source, exactly: count), parameters, .deletion(index))
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
        let versions = replacedVersions[index]
        // Whether the only precondition fails is known, since nothing is checked before it.
        let role = versions == nil ? .operation(index) : role(ofPrecondition: joinedPreconditions.first ?? 0)
        // A replaced row could take a unique value before the row that has it gives it up.
        let isOrdered = (mode == .update || versions != nil) && !table.uniqueIndexes.isEmpty
        if isExact || isOrdered || table.hasLists || rows.rowCount == 1 {
            let sql = versions == nil ? table.puts[mode, .one] : table.puts.replace(.one)
            for row in 0..<rows.rowCount {
                var parameters = PostgreSQLParameters()
                parameters.append(sequenceBase)
                table.append(rows, row: row, to: &parameters)
                if let versions { parameters.append(Int64(bitPattern: versions[row])) }
                add(sql, parameters, role)
            }
            return
        }
        let form = keepsPlans ? PostgreSQLPuts.Form.manyWithKeptPlan : .many
        let sql = versions == nil ? table.puts[mode, form] : table.puts.replace(form)
        for start in stride(from: 0, to: rows.rowCount, by: Self.chunkRowCount) {
            var parameters = PostgreSQLParameters()
            parameters.append(sequenceBase)
            let range = start..<min(start + Self.chunkRowCount, rows.rowCount)
            table.append(rows, range, to: &parameters)
            if let versions {
                parameters.append(versions[range].map { .integer(Int64(bitPattern: $0)) }, asArrayOf: .integer)
            }
            add(sql, parameters, role)
        }
    }
}
#endif
