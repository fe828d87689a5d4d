#if PostgreSQL
internal import CPostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A statement and what is bound to it.
struct PostgreSQLCommand: Sendable {
    /// What a command does to a transaction.
    enum Kind: Sendable {
        case begin
        /// Begins a transaction that only reads, and may end without a commit.
        case beginSnapshot
        case commit
        case rollback
        /// Leaves it open.
        case other
    }

    var sql: String
    var parameters = PostgreSQLParameters()
    /// Whether the server should keep the statement for the next time.
    var isKept = true
    let kind: Kind

    /// Begins a transaction that sees one moment.
    static let beginSnapshot = PostgreSQLCommand(
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", kind: .beginSnapshot)
    static let commit = PostgreSQLCommand("COMMIT", kind: .commit)
    static let rollback = PostgreSQLCommand("ROLLBACK", kind: .rollback)

    init(
        _ sql: String, _ parameters: PostgreSQLParameters = PostgreSQLParameters(), isKept: Bool = true,
        kind: Kind = .other
    ) {
        self.sql = sql
        self.parameters = parameters
        self.isKept = isKept && sql.utf8.count <= 16 << 10
        self.kind = kind
    }

    /// Begins a transaction, of the server's own isolation level if none is named.
    static func begin(_ level: String? = nil) -> PostgreSQLCommand {
        PostgreSQLCommand("BEGIN" + (level.map { " ISOLATION LEVEL " + $0 } ?? ""), kind: .begin)
    }

    /// The same command, which the server need not keep.
    var onlyOnce: PostgreSQLCommand {
        var command = self
        command.isKept = false
        return command
    }
}

/// One connection to the server; owns the `PGconn`.
///
/// All commands go through pipeline mode: those of a batch are sent together and cost one round trip. Non-blocking, so
/// that sending never waits for a server that waits for us to read.
///
/// Unchecked because a connection has one holder at a time: the one that took it from the pool, under the snapshot's
/// lock if there is a snapshot. ``cancel()`` alone may be called by others, and libpq allows that.
final class PostgreSQLConnection: @unchecked Sendable {
    /// Where the connection's holder waits for the server.
    ///
    /// One for each connection: a queue that all share would have as many threads as the machine has cores, and as
    /// many commits would be in progress.
    let queue = WorkQueue(label: "holdfast.postgresql.connection")
    let handle: OpaquePointer
    private let canceller: OpaquePointer?
    /// Added to a transaction's number it is the sequence of its commit.
    var sequenceBase: Int64 = 0
    /// Whether the next answer is worth waiting for on the caller's thread.
    var pace = PostgreSQLPace()
    /// Whether the connection must not be used again.
    var isUnusable = false
    /// How long the server may say nothing while an answer is due, in milliseconds; -1 for as long as it takes.
    var silenceMilliseconds: Int32
    /// How long a pool may take to find a session for what is sent outside of a transaction, in milliseconds; `nil`
    /// if the connection has a session.
    var sessionWait: Int32?
    /// What was sent and not answered yet, and what was received of it.
    var exchange = PostgreSQLExchange()
    /// What every transaction begins with where its session is another's afterwards; `nil` for a session of its own.
    var transactionSettings: [String]?
    /// What such a snapshot begins with and such a commit ends with; it fails on a server that has become another.
    var transactionCheck: String?
    private let wasCancelled = Mutex(false)
    private var statements: [String: String] = [:]
    private var statementCount = 0
    private static let maximumStatementCount = 200

    /// Connects; blocks.
    ///
    /// - Throws: ``StorageError`` `.connectionLost` if the server is away, `.io` if it refuses.
    init(_ configuration: PostgreSQLConfiguration) throws(StorageError) {
        // The connection string overrides what comes before it, and what comes after it overrides the string. With
        // these times a server that is gone is noticed within a minute.
        let handle = Self.withCStrings([
            "connect_timeout", "10", "keepalives_idle", "30", "keepalives_interval", "10", "keepalives_count", "3",
            "tcp_user_timeout", "60000", "fallback_application_name", "holdfast", "dbname",
            configuration.connectionString, "client_encoding", "UTF8",
        ]) { words in
            let keywords = stride(from: 0, to: words.count, by: 2).map { words[$0] } + [nil]
            let values = stride(from: 1, to: words.count, by: 2).map { words[$0] } + [nil]
            return PQconnectdbParams(keywords, values, 1)
        }
        guard let handle else { throw StorageError(.io, "libpq ran out of memory.") }
        if PQstatus(handle) != CONNECTION_OK, Self.isRefusedInOtherWords(handle) {
            // Only verbose messages contain the SQLSTATE, and a connection can be set to them only after the first try.
            PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
            PQreset(handle)
            PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
        }
        guard PQstatus(handle) == CONNECTION_OK else {
            defer { PQfinish(handle) }
            throw Self.connectError(handle, configuration)
        }
        self.handle = handle
        silenceMilliseconds = configuration.silenceMilliseconds
        canceller = PQgetCancel(handle)
        // Notices of the server are ignored; libpq would print them.
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else {
            throw StorageError(.io, "libpq cannot send commands in a pipeline; use a newer one.")
        }
    }

    deinit {
        if let canceller { PQfreeCancel(canceller) }
        PQfinish(handle)
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies.map { UnsafePointer($0) })
    }

    /// What an English server says while it starts or stops, and what a pool says of it.
    private static let passing = ["starting up", "shutting down", "in recovery mode", "server login has been failing"]
    /// What an English server says when it refuses a login, and what libpq says.
    private static let refusals = [
        "authentication failed", "no password supplied", "no pg_hba.conf entry", "\" does not exist",
    ]
    /// What they say while the server cannot be reached or has no room.
    private static let shortages = [
        "timeout expired", "too many", "connection slots", "no more connections", "Connection refused",
    ]
    /// How the SQLSTATE of a refusal begins: of a login, a database that does not exist, and one that a user may not use.
    private static let refusalStates = ["28", "3D", "42501"]

    /// Whether a server refused the connection with words that are not known, such as those of another language.
    private static func isRefusedInOtherWords(_ handle: OpaquePointer) -> Bool {
        // An error that the server sent leaves the socket open; before version 16 of libpq, others may, too.
        guard PQsocket(handle) >= 0 else { return false }
        return !(passing + refusals + shortages).contains(where: String(cString: PQerrorMessage(handle)).contains)
    }

    /// The SQLSTATE in a verbose message of libpq, such as `FATAL:  28P01: …`; empty if there is none.
    private static func state(in words: String) -> Substring {
        let parts = words.split(separator: ":  ").dropFirst()
        let part = parts.first { part in
            part.dropFirst(5).hasPrefix(": ")
                && part.prefix(5).allSatisfy { $0.isASCII && ($0.isNumber || $0.isUppercase) }
        }
        return part?.prefix(5) ?? ""
    }

    /// Says why there is no connection.
    ///
    /// libpq's words stay here: they may repeat parts of the connection string, and so of a password.
    private static func connectError(
        _ handle: OpaquePointer, _ configuration: PostgreSQLConfiguration
    ) -> StorageError {
        let words = String(cString: PQerrorMessage(handle))
        let options = PQconninfoParse(configuration.connectionString, nil)
        defer { PQconninfoFree(options) }
        if options == nil || words.contains("invalid ") && PQsocket(handle) < 0 {
            return StorageError(
                .misuse, "The connection string cannot be read; it looks like postgresql://user@host/database.")
        }
        let state = state(in: words)
        if state == "57P03" || passing.contains(where: words.contains) {
            return StorageError(.connectionLost, "The server is starting or stopping; try again when it has started.")
        }
        if refusalStates.contains(where: state.hasPrefix) || refusals.contains(where: words.contains) {
            return StorageError(
                .io, "The server refused the login; check user, password, database and the server's pg_hba.conf.")
        }
        let (kind, message) = PostgreSQLErrorMapping.connectionLost
        return StorageError(kind, message)
    }

    /// The server's version, such as 150018.
    var serverVersion: Int { Int(PQserverVersion(handle)) }

    /// Whether the session that answers is not the one that was opened, but one of a pool.
    ///
    /// - Parameter process: The number of the server's process that answers.
    /// - Returns: Whether it has another number than the server gave when it connected.
    func isPooled(process: Int64) -> Bool { process != Int64(PQbackendPID(handle)) }

    /// A setting that the server reported.
    func reported(_ name: String) -> String? { PQparameterStatus(handle, name).map { String(cString: $0) } }

    // MARK: Batches

    /// Runs commands in order; blocks.
    ///
    /// - Returns: One result for each.
    /// - Throws: ``PostgreSQLFailure`` of the first that fails; none after it has run.
    func run(_ commands: [PostgreSQLCommand]) throws(PostgreSQLFailure) -> [PostgreSQLResult] {
        try send(commands)
        return try receive()
    }

    /// Runs one command; blocks.
    @discardableResult
    func run(
        _ sql: String, _ parameters: PostgreSQLParameters = PostgreSQLParameters(), isKept: Bool = true
    ) throws(PostgreSQLFailure) -> PostgreSQLResult {
        try run([PostgreSQLCommand(sql, parameters, isKept: isKept)])[0]
    }

    /// Sends commands; waits only while the server reads slower than this sends.
    func send(_ commands: [PostgreSQLCommand]) throws(PostgreSQLFailure) {
        try enqueue(commands, as: .command, flushesOften: true)
        try flush()
    }

    /// Sends commands as far as that is possible without waiting; ``flush()`` sends the rest.
    ///
    /// - Parameters:
    ///   - commands: Run in this order.
    ///   - areForgotten: Whether the results are not needed; the next batch receives and drops them.
    /// - Returns: Whether all was sent.
    /// - Throws: ``PostgreSQLFailure`` if the connection is lost.
    @discardableResult
    func sendAtOnce(
        _ commands: [PostgreSQLCommand], areForgotten: Bool = false
    ) throws(PostgreSQLFailure) -> Bool {
        try enqueue(commands, as: areForgotten ? .forgotten : .command, flushesOften: false)
        return try flushAtOnce()
    }

    /// Sends what is buffered as far as that is possible without waiting.
    ///
    /// - Returns: Whether nothing is left.
    /// - Throws: ``PostgreSQLFailure`` if the connection is lost.
    func flushAtOnce() throws(PostgreSQLFailure) -> Bool {
        let state = PQflush(handle)
        if state < 0 { throw lost() }
        return state == 0
    }

    /// Buffers a batch.
    private func enqueue(
        _ commands: [PostgreSQLCommand], as item: PostgreSQLExchange.Item, flushesOften: Bool
    ) throws(PostgreSQLFailure) {
        try checkUse()
        try forgetStatements()
        let needsSession = sessionWait != nil && PQtransactionStatus(handle) == PQTRANS_IDLE
        var unsent = 0
        for (command, item) in wrappedInTransactions(commands, as: item) {
            try enqueue(command, as: item)
            if needsSession && !exchange.awaitsSession {
                // The first answer comes at once, however long the others take, and shows that there is a session.
                guard PQsendFlushRequest(handle) == 1 else { throw lost() }
                exchange.awaitsSession = true
            }
            unsent += command.parameters.bytes.count + 64
            if flushesOften && unsent > 1 << 20 {
                try flush()
                unsent = 0
            }
        }
        try sync()
    }

    /// A server that was silent for too long may still answer, and its answer must not be taken for another.
    private func checkUse() throws(PostgreSQLFailure) {
        if isUnusable { throw lost("The connection was lost before.") }
    }

    private func sync() throws(PostgreSQLFailure) {
        guard PQpipelineSync(handle) == 1 else { throw lost() }
        exchange.outstanding.append(.sync)
    }

    /// Makes room for other statements if there are many.
    ///
    /// In its own batch: a command before a `BEGIN` keeps it from choosing its isolation.
    private func forgetStatements() throws(PostgreSQLFailure) {
        guard statements.count > Self.maximumStatementCount, PQtransactionStatus(handle) != PQTRANS_INERROR else {
            return
        }
        statements = [:]
        try enqueue(PostgreSQLCommand("DEALLOCATE ALL", isKept: false), as: .forgotten)
        try sync()
    }

    /// The server does not know a statement after all.
    func forget(statement sql: String) { statements[sql] = nil }

    /// Puts what uses a shared session into transactions, each with its settings.
    ///
    /// Settings are statements of their own: a query would take the transaction's snapshot, before its locks.
    private func wrappedInTransactions(
        _ commands: [PostgreSQLCommand], as item: PostgreSQLExchange.Item
    ) -> [(PostgreSQLCommand, PostgreSQLExchange.Item)] {
        guard let transactionSettings else { return commands.map { ($0, item) } }
        let settings = transactionSettings.map { (PostgreSQLCommand($0), PostgreSQLExchange.Item.added) }
        let check = transactionCheck.map { [(PostgreSQLCommand($0), PostgreSQLExchange.Item.added)] } ?? []
        let end = check + [(PostgreSQLCommand.commit, .added)]
        let status = PQtransactionStatus(handle)
        var isInside = status == PQTRANS_INTRANS || status == PQTRANS_INERROR
        var mustEnd = false
        var wrapped: [(PostgreSQLCommand, PostgreSQLExchange.Item)] = []
        for command in commands {
            switch command.kind {
            case .begin, .beginSnapshot:
                if mustEnd { wrapped += end }
                wrapped.append((command, item))
                wrapped += settings
                // A snapshot ends without a commit.
                if command.kind == .beginSnapshot { wrapped += check }
                (isInside, mustEnd) = (true, false)
            case .commit, .rollback, .other:
                if !isInside {
                    wrapped.append((.begin(), .added))
                    wrapped += settings
                    (isInside, mustEnd) = (true, true)
                }
                if command.kind == .commit { wrapped += check }
                wrapped.append((command, item))
                if command.kind != .other { (isInside, mustEnd) = (false, false) }
            }
        }
        if mustEnd { wrapped += end }
        return wrapped
    }

    private func enqueue(
        _ command: PostgreSQLCommand, as item: PostgreSQLExchange.Item
    ) throws(PostgreSQLFailure) {
        var name: String?
        if command.isKept && transactionSettings == nil {
            name = statements[command.sql]
            if name == nil {
                statementCount += 1
                let new = "s\(statementCount)"
                let types = command.parameters.types
                guard PQsendPrepare(handle, new, command.sql, Int32(types.count), types) == 1 else { throw lost() }
                statements[command.sql] = new
                exchange.outstanding.append(.preparation(sql: command.sql))
                name = new
            }
        }
        let parameters = command.parameters
        let isSent = parameters.bytes.withUnsafeBufferPointer { bytes in
            let values = parameters.locations.map { location -> UnsafePointer<CChar>? in
                if location.length < 0 { return nil }
                return UnsafeRawPointer(bytes.baseAddress?.advanced(by: location.offset))?
                    .assumingMemoryBound(to: CChar.self)
            }
            let lengths = parameters.locations.map { max(0, $0.length) }
            let formats = [Int32](repeating: 1, count: values.count)
            if let name {
                return PQsendQueryPrepared(handle, name, Int32(values.count), values, lengths, formats, 1)
            }
            return PQsendQueryParams(
                handle, command.sql, Int32(values.count), parameters.types, values, lengths, formats, 1)
        }
        guard isSent == 1 else { throw lost() }
        exchange.outstanding.append(item)
    }

    /// The socket, for as long as the connection lives.
    var descriptor: Int32 { PQsocket(handle) }

    // MARK: Transactions

    /// Ends a transaction if one is open.
    ///
    /// - Returns: Whether the connection can be used again.
    func rollBack() -> Bool {
        if isUnusable || mayBeCancelled { return false }
        switch PQtransactionStatus(handle) {
        case PQTRANS_IDLE: return true
        case PQTRANS_INTRANS, PQTRANS_INERROR: return (try? run([.rollback])) != nil
        default:
            isUnusable = true
            return false
        }
    }

    /// Whether a request to cancel may still be on its way.
    var mayBeCancelled: Bool { wasCancelled.load() }

    /// Asks the server, through its own connection, to end what it is doing here; blocks.
    ///
    /// The request may arrive late, so the connection is not used again after its present holder.
    func cancel() {
        wasCancelled.store(true)
        guard let canceller else { return }
        withoutBrokenPipe {
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
                _ = PQcancel(canceller, buffer.baseAddress, 256)
            }
        }
    }
}

/// Runs a closure that may write to a socket whose other end is closed, which ends a process that does not ignore it.
///
/// libpq itself does this where it sends, but not in `PQcancel`.
private func withoutBrokenPipe(_ body: () -> Void) {
    var (brokenPipe, blocked, pending) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&brokenPipe)
    sigaddset(&brokenPipe, SIGPIPE)
    sigpending(&pending)
    let wasPending = sigismember(&pending, SIGPIPE) == 1
    pthread_sigmask(SIG_BLOCK, &brokenPipe, &blocked)
    body()
    sigpending(&pending)
    var signal: Int32 = 0
    if !wasPending, sigismember(&pending, SIGPIPE) == 1 { sigwait(&brokenPipe, &signal) }
    pthread_sigmask(SIG_SETMASK, &blocked, nil)
}
#endif
