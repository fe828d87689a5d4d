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
        schema: String, sequenceBase: Int64, isExact: Bool
    ) throws(StorageError) {
        self.request = request
        self.tables = tables
        self.isExact = isExact
        self.sequenceBase = sequenceBase
        let isReadOnly = request.operations.isEmpty
        if isReadOnly {
            control(.beginSnapshot)
        } else {
            collectKeys()
            let locks = try PostgreSQLLocks(request, putKeys: putKeys, tables: tables)
            locksRows = !locks.keepsOthersOut
            control(.begin(locksRows ? "REPEATABLE READ" : "READ COMMITTED"))
            if let durability = request.durability, durability < .powerLoss {
                control(PostgreSQLCommand("SET LOCAL synchronous_commit = off"))
            }
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
        if isReadOnly {
            add("SELECT coalesce(max(sequence), 0) FROM \(schema).holdfast_commit", PostgreSQLParameters(), .log)
        }
        control(.commit)
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
