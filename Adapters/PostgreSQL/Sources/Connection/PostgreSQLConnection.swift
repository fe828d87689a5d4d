#if PostgreSQL
internal import CPostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage
internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A statement and what is bound to it.
struct PostgreSQLCommand: Sendable {
    var sql: String
    var parameters = PostgreSQLParameters()
    /// Whether the server shall keep the statement for the next time.
    var isKept = true

    init(_ sql: String, _ parameters: PostgreSQLParameters = PostgreSQLParameters(), isKept: Bool = true) {
        self.sql = sql
        self.parameters = parameters
        self.isKept = isKept && sql.utf8.count <= 16 << 10
    }
}

/// One connection to the server; owns the `PGconn`.
///
/// All commands go through pipeline mode: those of a batch are sent together and cost one round trip. Non-blocking, so
/// that sending never waits for a server that waits for us to read.
///
/// Unchecked because a connection has one holder at a time: whoever took it from the pool, under the snapshot's lock
/// if there is a snapshot. ``cancel()`` alone may be called by others, and libpq allows that.
final class PostgreSQLConnection: @unchecked Sendable {
    /// Where the connection's holder waits for the server.
    ///
    /// One for each connection: a queue that all share would have as many threads as the machine has cores, and as
    /// many commits would be under way.
    let queue = WorkQueue(label: "holdfast.postgresql.connection")
    private let handle: OpaquePointer
    private let canceller: OpaquePointer?
    /// Added to a transaction's number it is the sequence of its commit.
    var sequenceBase: Int64 = 0
    /// Answers that were waited for on the thread of the connection's holder.
    var inlineAnswerCount = 0
    /// Whether the connection must not be used again.
    private(set) var isUnusable = false
    private let wasCancelled = Atomic(false)
    private var statements: [String: String] = [:]
    private var statementCount = 0
    private var outstanding: [Outstanding] = []
    private static let maximumStatementCount = 200

    private enum Outstanding {
        case preparation(sql: String)
        case command
    }

    /// Connects; blocks.
    ///
    /// - Throws: ``StorageError`` `.connectionLost` if the server is away, `.io` if it refuses.
    init(_ configuration: PostgreSQLConfiguration) throws(StorageError) {
        // What stands before the connection string is a default, what stands behind it is settled.
        let handle = Self.withCStrings([
            "connect_timeout", "10", "fallback_application_name", "holdfast", "dbname",
            configuration.connectionString, "client_encoding", "UTF8",
        ]) { words in
            let keywords = stride(from: 0, to: words.count, by: 2).map { words[$0] } + [nil]
            let values = stride(from: 1, to: words.count, by: 2).map { words[$0] } + [nil]
            return PQconnectdbParams(keywords, values, 1)
        }
        guard let handle else { throw StorageError(.io, "Memory ran out; use less of it and try again.") }
        guard PQstatus(handle) == CONNECTION_OK else {
            defer { PQfinish(handle) }
            throw Self.connectError(handle, configuration)
        }
        self.handle = handle
        canceller = PQgetCancel(handle)
        // What the server remarks on goes nowhere; libpq would print it.
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
        let refusals = [
            "authentication failed", "no password supplied", "no pg_hba.conf entry", "\" does not exist",
        ]
        if refusals.contains(where: words.contains) {
            return StorageError(
                .io, "The server refused the login; check user, password, database and the server's pg_hba.conf.")
        }
        let (kind, message) = PostgreSQLErrorMapping.connectionLost
        return StorageError(kind, message)
    }

    /// The server's version, such as 150018.
    var serverVersion: Int { Int(PQserverVersion(handle)) }

    /// A setting that the server reported.
    func reported(_ name: String) -> String? { PQparameterStatus(handle, name).map { String(cString: $0) } }

    // MARK: Batches

    /// Runs commands in order; blocks.
    ///
    /// - Returns: One result for each.
    /// - Throws: ``PostgreSQLFailure`` of the first that fails; none behind it has run.
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

    /// Sends commands; waits only while the server reads slower than we send.
    func send(_ commands: [PostgreSQLCommand]) throws(PostgreSQLFailure) {
        var unsent = 0
        try forgetStatements()
        for command in commands {
            try enqueue(command)
            unsent += command.parameters.bytes.count + 64
            if unsent > 1 << 20 {
                try flush()
                unsent = 0
            }
        }
        guard PQpipelineSync(handle) == 1 else { throw lost() }
        try flush()
    }

    /// Makes room for other statements if there are many.
    ///
    /// Not in the batch that comes next: whatever stands before a `BEGIN` keeps it from choosing its isolation.
    private func forgetStatements() throws(PostgreSQLFailure) {
        guard statements.count > Self.maximumStatementCount, PQtransactionStatus(handle) != PQTRANS_INERROR else {
            return
        }
        statements = [:]
        try enqueue(PostgreSQLCommand("DEALLOCATE ALL", isKept: false))
        guard PQpipelineSync(handle) == 1 else { throw lost() }
        try flush()
        _ = try receive()
    }

    private func enqueue(_ command: PostgreSQLCommand) throws(PostgreSQLFailure) {
        var name: String?
        if command.isKept {
            name = statements[command.sql]
            if name == nil {
                statementCount += 1
                let new = "s\(statementCount)"
                let types = command.parameters.types
                guard PQsendPrepare(handle, new, command.sql, Int32(types.count), types) == 1 else { throw lost() }
                statements[command.sql] = new
                outstanding.append(.preparation(sql: command.sql))
                name = new
            }
        }
        let parameters = command.parameters
        let isSent = parameters.bytes.withUnsafeBufferPointer { bytes in
            let values = parameters.places.map { place -> UnsafePointer<CChar>? in
                if place.length < 0 { return nil }
                return UnsafeRawPointer(bytes.baseAddress?.advanced(by: place.offset))?
                    .assumingMemoryBound(to: CChar.self)
            }
            let lengths = parameters.places.map { max(0, $0.length) }
            let formats = [Int32](repeating: 1, count: values.count)
            if let name {
                return PQsendQueryPrepared(handle, name, Int32(values.count), values, lengths, formats, 1)
            }
            return PQsendQueryParams(
                handle, command.sql, Int32(values.count), parameters.types, values, lengths, formats, 1)
        }
        guard isSent == 1 else { throw lost() }
        outstanding.append(.command)
    }

    /// Sends what is buffered, reading meanwhile what the server sends.
    private func flush() throws(PostgreSQLFailure) {
        while true {
            let state = PQflush(handle)
            if state == 0 { return }
            // A connection that is lost has no socket, and waiting for none would never end.
            guard state == 1, PQsocket(handle) >= 0 else { throw lost() }
            var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN | POLLOUT), revents: 0)
            poll(&descriptor, 1, -1)
            if descriptor.revents & Int16(POLLIN) != 0, PQconsumeInput(handle) == 0 { throw lost() }
        }
    }

    /// Whether the server begins to answer within some time.
    func answers(withinMilliseconds time: Int32) -> Bool {
        var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, time) != 0
    }

    /// The socket, for as long as the connection lives.
    var descriptor: Int32 { PQsocket(handle) }

    /// The payloads of notifications that have arrived, in order; never blocks.
    ///
    /// - Returns: `nil` if the connection is lost.
    func takeNotices() -> [String]? {
        guard PQconsumeInput(handle) == 1 else {
            isUnusable = true
            return nil
        }
        var payloads: [String] = []
        while let notice = PQnotifies(handle) {
            payloads.append(String(cString: notice.pointee.extra))
            PQfreemem(notice)
        }
        return payloads
    }

    /// Receives the results of what was sent; blocks.
    func receive() throws(PostgreSQLFailure) -> [PostgreSQLResult] {
        var results: [PostgreSQLResult] = []
        results.reserveCapacity(outstanding.count)
        var failure: PostgreSQLFailure?
        for item in outstanding {
            let result = PQgetResult(handle)
            guard let result else { throw lost() }
            let status = PQresultStatus(result)
            switch (item, status) {
            case (_, PGRES_FATAL_ERROR):
                if failure == nil { failure = makeFailure(result, index: results.count) }
                fallthrough
            case (_, PGRES_PIPELINE_ABORTED):
                if case .preparation(let sql) = item { statements[sql] = nil }
                PQclear(result)
            case (.command, _): results.append(PostgreSQLResult(result))
            case (.preparation, _): PQclear(result)
            }
            // Each command's results end with null, unless the connection ends with it.
            guard PQstatus(handle) == CONNECTION_OK else { throw lost() }
            if let more = PQgetResult(handle) {
                PQclear(more)
                throw lost()
            }
        }
        outstanding.removeAll(keepingCapacity: true)
        guard let sync = PQgetResult(handle), PQresultStatus(sync) == PGRES_PIPELINE_SYNC else { throw lost() }
        PQclear(sync)
        if let failure {
            if failure.isConnectionLost { isUnusable = true }
            throw failure
        }
        return results
    }

    private func makeFailure(_ result: OpaquePointer, index: Int) -> PostgreSQLFailure {
        func field(_ code: Int32) -> String? { PQresultErrorField(result, code).map { String(cString: $0) } }
        let code = field(Int32(UInt8(ascii: "C"))) ?? ""
        // The server is being shut down or crashed, or the administrator ended the session.
        let isLost =
            code.isEmpty || ["57P01", "57P02", "57P03", "57P05", "25P03"].contains(code) || code.hasPrefix("08")
        return PostgreSQLFailure(
            state: code, constraint: field(Int32(UInt8(ascii: "n"))), index: index,
            detail: String(cString: PQresultErrorMessage(result)), isConnectionLost: isLost)
    }

    /// Marks the connection as dead and says so.
    private func lost() -> PostgreSQLFailure {
        isUnusable = true
        return PostgreSQLFailure(
            state: "", constraint: nil, index: 0, detail: String(cString: PQerrorMessage(handle)),
            isConnectionLost: true)
    }

    // MARK: Transactions

    /// Ends a transaction if one is open.
    ///
    /// - Returns: Whether the connection can be used again.
    func rollBack() -> Bool {
        if isUnusable || mayBeCancelled { return false }
        switch PQtransactionStatus(handle) {
        case PQTRANS_IDLE: return true
        case PQTRANS_INTRANS, PQTRANS_INERROR: return (try? run("ROLLBACK")) != nil
        default:
            isUnusable = true
            return false
        }
    }

    /// Whether a request to cancel may still be on its way.
    var mayBeCancelled: Bool { wasCancelled.load(ordering: .acquiring) }

    /// Asks the server, through a connection of its own, to end what it is doing here; blocks.
    ///
    /// The request may arrive late, so the connection is not used again after its present holder.
    func cancel() {
        wasCancelled.store(true, ordering: .releasing)
        guard let canceller else { return }
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            _ = PQcancel(canceller, buffer.baseAddress, 256)
        }
    }

    // MARK: Bulk load

    /// Loads rows in the binary form of `COPY`; blocks.
    ///
    /// - Parameters:
    ///   - sql: `COPY … FROM STDIN (FORMAT binary)`.
    ///   - content: All rows, without header and trailer.
    func copy(_ sql: String, _ content: [UInt8]) throws(PostgreSQLFailure) {
        // COPY has no place in a pipeline.
        guard PQexitPipelineMode(handle) == 1, PQsendQuery(handle, sql) == 1 else { throw lost() }
        try flush()
        guard let opened = PQgetResult(handle) else { throw lost() }
        if PQresultStatus(opened) == PGRES_COPY_IN {
            PQclear(opened)
            let header: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
            try put(header[...])
            for start in stride(from: 0, to: content.count, by: 1 << 20) {
                try put(content[start..<min(start + 1 << 20, content.count)])
            }
            try put([0xFF, 0xFF])
            while PQputCopyEnd(handle, nil) == 0 { try flush() }
            try flush()
            try finishCopy(PQgetResult(handle))
        } else {
            try finishCopy(opened)
        }
    }

    private func put(_ bytes: ArraySlice<UInt8>) throws(PostgreSQLFailure) {
        while true {
            let state = bytes.withUnsafeBytes { bytes in
                PQputCopyData(handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
            }
            if state == 1 { return }
            guard state == 0 else { throw lost() }
            try flush()
        }
    }

    private func finishCopy(_ result: OpaquePointer?) throws(PostgreSQLFailure) {
        guard let result else { throw lost() }
        defer { PQclear(result) }
        var failure: PostgreSQLFailure?
        if PQresultStatus(result) != PGRES_COMMAND_OK { failure = makeFailure(result, index: 0) }
        if failure?.isConnectionLost == true { isUnusable = true }
        while let more = PQgetResult(handle) { PQclear(more) }
        guard PQstatus(handle) == CONNECTION_OK, PQenterPipelineMode(handle) == 1 else { throw lost() }
        if let failure { throw failure }
    }
}
#endif
