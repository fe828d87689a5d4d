#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// Carries out commits, each in its own transaction on its own connection.
///
/// Commits that meet are tried again; so are commits whose connection is lost, once it is certain that the first try
/// was not made.
struct PostgreSQLCommitter: Sendable {
    let pool: PostgreSQLPool
    let tables: [String: PostgreSQLTable]
    /// How many migrations the store had when it was opened.
    let migrationCount: Int64
    let configuration: PostgreSQLConfiguration
    let log: PostgreSQLChangeLog?

    var schema: String { configuration.schema.quotedIdentifier }

    /// How a try ended.
    private enum Outcome: Sendable {
        case done(CommitReceipt)
        case failed(StorageError)
        /// Everything must be checked and written one by one.
        case inexact
        case conflicted(StorageError)
        /// Another commit holds a record and has not ended.
        case blocked(StorageError)
        /// The connection was lost: the server may have made the commit, or may make it later.
        case lost(StorageError)
        /// Nothing was sent, since there is no server.
        case away(StorageError)
    }

    func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        let start = ContinuousClock.now
        var retryCount = 0
        var isExact = false
        while true {
            let token = Self.makeToken()
            let outcome: Outcome
            do throws(StorageError) {
                let connection = try await pool.acquire(for: .work)
                outcome = await attempt(request, token, isExact, connection)
            } catch {
                if error.kind != .connectionLost { throw error }
                outcome = .away(error)
            }
            switch outcome {
            case .done(let receipt): return receipt
            case .failed(let error): throw error
            case .inexact: isExact = true
            case .conflicted(let error):
                retryCount += 1
                if retryCount > configuration.maximumRetryCount { throw error }
                await pool.pause(milliseconds: Int.random(in: 0...min(64, 1 << min(retryCount, 6))))
            case .blocked(let error):
                if ContinuousClock.now - start > configuration.waitTimeout { throw error }
                await pool.pause(milliseconds: Int.random(in: 0...PostgreSQLCommit.recordWaitMilliseconds))
            case .lost(let error):
                pool.dropIdle()
                if !request.operations.isEmpty, let receipt = try await settle(token, after: error) { return receipt }
                if ContinuousClock.now - start > configuration.waitTimeout { throw error }
            case .away(let error):
                pool.dropIdle()
                if ContinuousClock.now - start > configuration.waitTimeout { throw error }
                await pool.pause(milliseconds: 50)
            }
        }
    }

    private static func makeToken() -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        var token: [UInt8] = []
        for _ in 0..<2 { token.appendBigEndian(random.next()) }
        return token
    }

    private func attempt(
        _ request: CommitRequest, _ token: [UInt8], _ isExact: Bool, _ connection: PostgreSQLConnection
    ) async -> Outcome {
        let outcome: Result<Outcome, StorageError> = await connection.queue.runCatching {
            () throws(StorageError) in
            let plan = try PostgreSQLCommit(
                request, token: token, changes: try self.log?.encode(request), tables: self.tables,
                schema: self.schema, migrationCount: self.migrationCount, sequenceBase: connection.sequenceBase,
                isExact: isExact)
            return self.run(plan, isExact, connection)
        }
        pool.release(connection.isUnusable ? nil : connection, from: .work)
        switch outcome {
        case .success(let outcome): return outcome
        case .failure(let error): return .failed(error)
        }
    }

    // MARK: On the queue

    private func run(
        _ plan: PostgreSQLCommit, _ isExact: Bool, _ connection: PostgreSQLConnection
    ) -> Outcome {
        var receipt = CommitReceipt(sequence: 0, putCount: plan.putCount)
        var commands: [PostgreSQLCommand] = []
        var roles: [PostgreSQLCommit.Role] = []
        func flush() throws(PostgreSQLFailure) {
            let results = try connection.run(commands)
            for (role, result) in zip(roles, results) {
                switch role {
                case .log: receipt.sequence = UInt64(bitPattern: result.integer(0, 0))
                case .deletion: receipt.deletedCount += Int(result.integer(0, 0))
                default: break
                }
            }
            commands = []
            roles = []
        }
        // A pool may have none left. As long as only the beginning was sent, nothing is in doubt.
        var needsSession = connection.sessionWait != nil
        do throws(PostgreSQLFailure) {
            for step in plan.steps {
                switch step {
                case .command(let command, let role):
                    commands.append(command)
                    roles.append(role)
                    if needsSession { try flush() }
                    needsSession = false
                case .load(let table, let rows, let operation):
                    try flush()
                    roles = [.operation(operation)]
                    try load(rows, into: table, version: Int64(bitPattern: receipt.sequence), connection)
                    roles = []
                }
            }
            try flush()
            return .done(receipt)
        } catch {
            let role = roles.indices.contains(error.index) ? roles[error.index] : .control
            return resolve(error, role, plan, isExact, connection)
        }
    }

    private func load(
        _ rows: RowBuffer, into table: PostgreSQLTable, version: Int64, _ connection: PostgreSQLConnection
    ) throws(PostgreSQLFailure) {
        var content: [UInt8] = []
        for row in 0..<rows.rowCount {
            table.append(rows, row: row, version: version, toCopy: &content)
            if content.count > 8 << 20 || row == rows.rowCount - 1 {
                try connection.copy(table.copy, content)
                content.removeAll(keepingCapacity: true)
            }
        }
    }

    private func resolve(
        _ failure: PostgreSQLFailure, _ role: PostgreSQLCommit.Role, _ plan: PostgreSQLCommit, _ isExact: Bool,
        _ connection: PostgreSQLConnection
    ) -> Outcome {
        var error = failure.storageError
        if failure.isConnectionLost { return .lost(error) }
        error.transaction = .rolledBack
        // Whether this arrives does not matter: the server has said that the transaction failed.
        _ = connection.rollBack()
        if failure.isTransient { return .conflicted(error) }
        if failure.isLockTimeout && role != .control { return .blocked(error) }
        switch role {
        case .log where failure.isFailedCheck: return .failed(StorageError.migratedStore(transaction: .rolledBack))
        case .preconditions where failure.isFailedCheck: return .inexact
        case .precondition(let index) where failure.isFailedCheck:
            return .failed(StorageError.failedPrecondition(index))
        case .control, .log: break
        // A precondition that an operation checks later may not hold, and comes first.
        case _ where plan.joinsPreconditions: return .inexact
        case .precondition(let index): error.position = .precondition(index)
        case .operation(let index), .deletion(let index):
            // A row that occurs twice cannot be put by a statement of many, or is counted once. A record that must be
            // absent, and was, may have been put by a commit for which the insert waited: then the precondition, which
            // comes first, does not hold any longer.
            let mayBeOther =
                failure.state == "21000" || failure.isFailedCheck || failure.isUniqueViolation && plan.putsAbsentRecord
            if mayBeOther && !isExact { return .inexact }
            return .failed(operationError(failure, error, index, of: plan.request.operations[index].entity))
        default: break
        }
        return .failed(error)
    }

    private func operationError(
        _ failure: PostgreSQLFailure, _ error: StorageError, _ index: Int, of entity: String
    ) -> StorageError {
        if failure.isFailedCheck {
            return StorageError.failedPut(exists: false, operation: index, transaction: .rolledBack)
        }
        if failure.isUniqueViolation {
            // Of an index that another handle has added, this one has no name.
            var name = "unknown"
            for table in tables.values {
                if table.keyName == failure.constraint {
                    return StorageError.failedPut(exists: true, operation: index, transaction: .rolledBack)
                }
                if let own = failure.constraint.flatMap({ table.uniqueIndexes[$0] }) { name = own }
            }
            return StorageError.uniqueViolation(
                index: name, of: entity, operation: index, transaction: .rolledBack, nativeCode: error.nativeCode)
        }
        var error = error
        error.position = .operation(index)
        return error
    }
}
#endif
