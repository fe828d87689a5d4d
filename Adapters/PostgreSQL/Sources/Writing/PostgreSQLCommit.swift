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
    let tables: [String: PostgreSQLTable]
    let request: CommitRequest
    /// How many migrations the store had when it was opened.
    let migrationCount: Int64
    /// Every check and row by itself, so that the first that fails is known, and rows with one key come in order.
    let isExact: Bool
    let sequenceBase: Int64
    /// Whether others can meanwhile write the records that the commit names, so that it locks the rows of those it
    /// asks for.
    private(set) var locksRows = false
    /// The keys of records that the commit puts or deletes, where preconditions ask for them.
    var putKeys: [String: Set<RecordKey>] = [:]
    var writtenKeys: [String: Set<RecordKey>] = [:]
    /// By operation, the versions of the records that it replaces or deletes, where its statement checks them.
    var replacedVersions: [Int: [UInt64]] = [:]
    /// The preconditions that operations check.
    var joinedPreconditions: Set<Int> = []
    /// Whether operations check preconditions, so that what fails first is not known.
    var joinsPreconditions: Bool { !joinedPreconditions.isEmpty }

    init(
        _ request: CommitRequest, token: [UInt8], changes: [UInt8]?, tables: [String: PostgreSQLTable],
        schema: String, migrationCount: Int64, sequenceBase: Int64, isExact: Bool
    ) throws(StorageError) {
        self.request = request
        self.tables = tables
        self.migrationCount = migrationCount
        self.isExact = isExact
        self.sequenceBase = sequenceBase
        let isReadOnly = request.operations.isEmpty
        if isReadOnly {
            control(.beginSnapshot)
            // First, so that preconditions are not looked at in tables that are others now.
            var parameters = PostgreSQLParameters()
            parameters.append(migrationCount)
            let last = unlessMigrated("coalesce(max(sequence), 0)", parameter: 1, schema)
            add("SELECT \(last) FROM \(schema).holdfast_commit", parameters, .log)
        } else {
            collectKeys()
            let locks = try PostgreSQLLocks(request, putKeys: putKeys, tables: tables)
            locksRows = !locks.keepsOthersOut
            control(.begin(locksRows ? "REPEATABLE READ" : "READ COMMITTED"))
            for (table, mode) in locks.tables {
                control(PostgreSQLCommand("LOCK TABLE \(table.name) IN \(mode) MODE"))
            }
            for operation in request.operations {
                if case .put(_, let rows, _) = operation { putCount += rows.rowCount }
            }
            addLog(token, changes, locks, schema)
            if !isExact { joinPreconditions() }
        }
        try check()
        for (index, operation) in request.operations.enumerated() { try apply(operation, at: index) }
        control(.commit)
    }

    /// An integer that fails to be computed if another handle has migrated the store.
    ///
    /// - Parameters:
    ///   - integer: The expression of the integer.
    ///   - parameter: The number of the parameter that has ``migrationCount``.
    ///   - schema: The quoted name of the store's schema.
    /// - Returns: An expression of the same value.
    func unlessMigrated(_ integer: String, parameter: Int, _ schema: String) -> String {
        "\(integer) / (CASE WHEN \(PostgreSQLCatalog.migrationQuery(in: schema)) = $\(parameter) THEN 1 ELSE 0 END)"
    }

    func table(_ entity: String) throws(StorageError) -> PostgreSQLTable {
        guard let table = tables[entity] else { throw StorageError.unknownEntity(entity) }
        return table
    }

    private mutating func control(_ command: PostgreSQLCommand) { steps.append(.command(command, .control)) }

    mutating func add(_ sql: String, _ parameters: PostgreSQLParameters, _ role: Role) {
        steps.append(.command(PostgreSQLCommand(sql, parameters), role))
    }

    /// Adds a step that loads the rows of an operation.
    mutating func load(_ rows: RowBuffer, into table: PostgreSQLTable, at index: Int) {
        steps.append(.load(table, rows, operation: index))
    }
}
#endif
