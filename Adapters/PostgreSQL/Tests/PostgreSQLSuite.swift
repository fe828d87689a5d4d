#if PostgreSQL
import HoldfastPostgreSQL
import HoldfastStorage
import HoldfastConformance
import HoldfastTestSupport
import Testing

/// Everything here needs a server; without one it is skipped.
@Suite(.enabled(if: PostgreSQLServer.url != nil, "\(PostgreSQLServer.absence)")) struct PostgreSQLSuite {}

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
}

extension Store {
    func cells(_ plan: QueryPlan) async throws -> [[Value]] { try await rows(plan).map(\.cells) }
}
#endif
