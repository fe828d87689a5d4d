#if PostgreSQL
import HoldfastAdapterTestSupport
import HoldfastPostgreSQL
import HoldfastStorage
import HoldfastConformance
import HoldfastTestSupport
import Testing

/// Everything here needs a server; without one it is skipped.
@Suite(.enabled(if: PostgreSQLServer.url != nil, "\(PostgreSQLServer.absence)")) struct PostgreSQLSuite {
    /// Repeats what a busy machine does not do within the short time that a store waits.
    ///
    /// - Parameters:
    ///   - kinds: The errors after which it is repeated.
    ///   - body: What is done.
    /// - Returns: What `body` returns.
    /// - Throws: Other errors of `body`.
    @discardableResult
    static func eventually<Success>(
        despite kinds: Set<StorageError.Kind>, _ body: () async throws -> Success
    ) async throws -> Success {
        while true {
            do {
                return try await body()
            } catch let error as StorageError where kinds.contains(error.kind) {}
        }
    }
}

/// A schema of the test server that is gone with this object's last user.
final class TestSchema: Sendable {
    let name = PostgreSQLServer.makeSchema()

    /// How a store in the schema is opened.
    func configuration(
        maximumSnapshotCount: Int = 8, waitTimeout: Duration = .seconds(600), maximumRetryCount: Int = 20
    ) -> PostgreSQLConfiguration {
        PostgreSQLConfiguration(
            PostgreSQLServer.url ?? "", schema: name, maximumConnectionCount: 8,
            maximumSnapshotCount: maximumSnapshotCount, maximumIdleConnectionCount: 2, waitTimeout: waitTimeout,
            maximumRetryCount: maximumRetryCount)
    }

    /// Opens a store in the schema.
    func open(_ entities: EntitySchema...) async throws -> Store {
        try await Store.open(PostgreSQLAdapter(configuration()), schema: StorageSchema(entities: entities))
    }

    /// The advisory lock that stalled commits wait for.
    var stallLock: Int { abs(name.hashValue % 1_000_000) }

    /// From now on, until the session's transaction ends, commits that create certain records wait within their
    /// `COMMIT`.
    ///
    /// - Parameters:
    ///   - entity: The entity of the records.
    ///   - condition: Which records of it, in SQL; all by default.
    ///   - session: Holds the lock; no transaction is open.
    /// - Throws: What `psql` reports.
    func stallCommits(of entity: String, where condition: String = "true", by session: Session) async throws {
        _ = try await session.integer(
            """
            SET search_path = "\(name)";
            CREATE FUNCTION stall() RETURNS trigger LANGUAGE plpgsql SET lock_timeout = 0 AS
            $$ BEGIN PERFORM pg_advisory_xact_lock_shared(\(stallLock)); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER stall AFTER INSERT ON "\(entity)" DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW WHEN (\(condition)) EXECUTE FUNCTION stall();
            BEGIN; SELECT 1 FROM pg_advisory_xact_lock(\(stallLock));
            """)
    }
}

/// Lets tasks increment the counter of the note `n` at once, on handles in turns.
///
/// Each reads, adds one, and demands that what it read still holds; it begins again where another was first.
///
/// - Parameters:
///   - stores: The handles.
///   - writerCount: The number of tasks.
///   - times: How often each adds one.
/// - Throws: What the stores throw.
func increment(_ stores: [Store], writerCount: Int, times: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<writerCount {
            group.addTask {
                let store = stores[writer % stores.count]
                var done = 0
                while done < times {
                    let old = try await store.records([RecordKey("n")], of: "Note")[0]
                    guard case .integer(let count) = old.cells[2] else { return }
                    do {
                        try await store.put(
                            "Note", [noteRow("n", nil, count + 1)], mode: .update,
                            [.version(entity: "Note", key: RecordKey("n"), old.version)])
                        done += 1
                    } catch let error as StorageError where error.retry == .immediately {}
                }
            }
        }
        try await group.waitForAll()
    }
}

extension Store {
    func cells(_ plan: QueryPlan) async throws -> [[Value]] { try await rows(plan).map(\.cells) }
}
#endif
