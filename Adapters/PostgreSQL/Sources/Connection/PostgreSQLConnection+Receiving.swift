#if PostgreSQL
internal import CPostgreSQL

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// What a connection was sent and has not answered yet, and what was received of it.
struct PostgreSQLExchange {
    enum Item {
        case preparation(sql: String)
        case command
        /// A command whose result is not needed.
        case forgotten
        /// A command that the connection added; only its failure matters.
        case added
        /// The end of a batch.
        case sync
    }

    /// What the server has not answered completely, in the order in which it was sent.
    var outstanding: [Item] = []
    /// The item that is answered next.
    var next = 0
    /// Whether the result of that item has been received, but not yet its end.
    var hasResult = false
    var results: [PostgreSQLResult] = []
    var failure: PostgreSQLFailure?
    /// Whether a pool may have no session for the batch yet; nothing of it was done then.
    var awaitsSession = false
}

extension PostgreSQLConnection {
    /// Sends what is buffered, reading meanwhile what the server sends; blocks.
    func flush() throws(PostgreSQLFailure) {
        while true {
            let state = PQflush(handle)
            if state == 0 { return }
            guard state == 1 else { throw lost() }
            if try wait(for: POLLIN | POLLOUT) & Int16(POLLIN) != 0, PQconsumeInput(handle) == 0 { throw lost() }
        }
    }

    /// Receives on the caller's thread what a server nearby answers at once.
    ///
    /// An answer of several kilobytes comes in parts, each soon after the one before.
    ///
    /// - Parameter start: Since when the answer is waited for.
    /// - Returns: The results of the last batch, or `nil` if some are still to come.
    /// - Throws: ``PostgreSQLFailure`` of the first command that fails, or if the connection is lost.
    func receiveSoon(since start: ContinuousClock.Instant) throws(PostgreSQLFailure) -> [PostgreSQLResult]? {
        var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        let wait = pace.inlineWait
        var readyCount = poll(&descriptor, 1, 0)
        while readyCount == 0, ContinuousClock.now - start < pace.busyWait {
            sched_yield()
            readyCount = poll(&descriptor, 1, 0)
        }
        if readyCount == 0, wait > 0 { readyCount = poll(&descriptor, 1, wait) }
        if readyCount == 0 { return nil }
        pace.noteAnswer(after: ContinuousClock.now - start)
        repeat {
            if let results = try receiveAvailable() { return results }
        } while ContinuousClock.now - start < PostgreSQLPace.quick && poll(&descriptor, 1, wait) != 0
        return nil
    }

    /// Receives the results of what was sent; blocks.
    func receive() throws(PostgreSQLFailure) -> [PostgreSQLResult] {
        while true {
            if let results = try receiveAvailable() { return results }
            try wait(for: POLLIN)
            guard PQconsumeInput(handle) == 1 else { throw lost() }
        }
    }

    /// Sends what is left of a batch and receives its results; blocks.
    ///
    /// - Parameter start: Since when the answer is waited for, to learn how quickly the server answers.
    /// - Returns: One result for each command that is not forgotten.
    /// - Throws: ``PostgreSQLFailure`` of the first command that fails, or if the connection is lost.
    func receiveRest(since start: ContinuousClock.Instant) throws(PostgreSQLFailure) -> [PostgreSQLResult] {
        try flush()
        if let results = try receiveAvailable() { return results }
        try wait(for: POLLIN)
        pace.noteAnswer(after: ContinuousClock.now - start)
        return try receive()
    }

    /// Receives what has arrived; never blocks.
    ///
    /// - Returns: The results of the last batch, or `nil` if some are still to come.
    func receiveAvailable() throws(PostgreSQLFailure) -> [PostgreSQLResult]? {
        while exchange.next < exchange.outstanding.count {
            if PQisBusy(handle) == 1 {
                guard PQconsumeInput(handle) == 1 else { throw lost() }
                if PQisBusy(handle) == 1 { return nil }
            }
            let result = PQgetResult(handle)
            if case .sync = exchange.outstanding[exchange.next] {
                defer { PQclear(result) }
                guard let result, PQresultStatus(result) == PGRES_PIPELINE_SYNC else { throw lost() }
                exchange.next += 1
            } else if !exchange.hasResult {
                guard let result else { throw lost() }
                take(result, of: exchange.outstanding[exchange.next])
                exchange.awaitsSession = false
                // The results of each command end with null, unless the connection ends with it.
                guard PQstatus(handle) == CONNECTION_OK else { throw lost() }
                exchange.hasResult = true
            } else {
                guard result == nil else {
                    PQclear(result)
                    throw lost()
                }
                exchange.hasResult = false
                exchange.next += 1
            }
        }
        let (results, failure) = (exchange.results, exchange.failure)
        exchange.results = []
        exchange.failure = nil
        exchange.outstanding.removeAll(keepingCapacity: true)
        exchange.next = 0
        if let failure {
            if failure.isConnectionLost { isUnusable = true }
            throw failure
        }
        return results
    }

    private func take(_ result: OpaquePointer, of item: PostgreSQLExchange.Item) {
        let status = PQresultStatus(result)
        if status == PGRES_FATAL_ERROR || status == PGRES_PIPELINE_ABORTED {
            if status == PGRES_FATAL_ERROR, exchange.failure == nil {
                let failure = makeFailure(result, index: exchange.results.count)
                // The failure of a forgotten command concerns the next batch only if the connection is gone.
                if case .forgotten = item, !failure.isConnectionLost {} else { exchange.failure = failure }
            }
            if case .preparation(let sql) = item { forget(statement: sql) }
            PQclear(result)
        } else if case .command = item {
            exchange.results.append(PostgreSQLResult(result))
        } else {
            PQclear(result)
        }
    }

    /// The next result outside of pipeline mode; blocks.
    func nextResult() throws(PostgreSQLFailure) -> OpaquePointer? {
        while PQisBusy(handle) == 1 {
            try wait(for: POLLIN)
            guard PQconsumeInput(handle) == 1 else { throw lost() }
        }
        return PQgetResult(handle)
    }

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

    /// Waits until the socket can be read or written; blocks.
    ///
    /// - Returns: What is possible; nothing if a signal ended the waiting.
    /// - Throws: ``PostgreSQLFailure`` if the server is silent for too long, or if a pool finds no session; the
    ///   connection is then unusable.
    @discardableResult
    private func wait(for events: Int32) throws(PostgreSQLFailure) -> Int16 {
        // A connection that is lost has no socket, and waiting for none would never end.
        guard PQsocket(handle) >= 0 else { throw lost() }
        var descriptor = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
        let limit = exchange.awaitsSession ? sessionWait : nil
        if poll(&descriptor, 1, limit ?? silenceMilliseconds) == 0 {
            if limit == nil { throw lost("The server was silent for too long.") }
            isUnusable = true
            throw PostgreSQLFailure(
                state: "", constraint: nil, index: 0, detail: "", isConnectionLost: false, hasNoSession: true)
        }
        return descriptor.revents
    }

    func makeFailure(_ result: OpaquePointer, index: Int) -> PostgreSQLFailure {
        func field(_ code: Int32) -> String? { PQresultErrorField(result, code).map { String(cString: $0) } }
        let code = field(Int32(UInt8(ascii: "C"))) ?? ""
        // The server is being shut down or crashed, or the administrator ended the session.
        let isLost =
            code.isEmpty || ["57P01", "57P02", "57P03", "57P05", "25P03"].contains(code) || code.hasPrefix("08")
        let detail = String(cString: PQresultErrorMessage(result))
        // The pool itself has waited long enough.
        let hasNoSession = exchange.awaitsSession && detail.contains("query_wait_timeout")
        if hasNoSession { isUnusable = true }
        return PostgreSQLFailure(
            state: code, constraint: field(Int32(UInt8(ascii: "n"))), index: index, detail: detail,
            isConnectionLost: isLost && !hasNoSession, hasNoSession: hasNoSession)
    }

    /// Marks the connection as dead and says so.
    func lost(_ detail: String? = nil) -> PostgreSQLFailure {
        isUnusable = true
        if let failure = exchange.failure, failure.hasNoSession { return failure }
        return PostgreSQLFailure(
            state: "", constraint: nil, index: 0, detail: detail ?? String(cString: PQerrorMessage(handle)),
            isConnectionLost: true)
    }
}
#endif
