#if PostgreSQL
import Foundation
import HoldfastConformance
import HoldfastPostgreSQL
import HoldfastStorage

/// Each location is a schema of the database that the environment names, reached through the pool that it names, if
/// any.
struct PostgreSQLHarness: AdapterHarness {
    let name = "postgresql"
    let levels: Set<Level> = [
        .core, .query, .transactional, .feed, .durableProcessCrash, .durablePowerLoss, .multiProcess,
        .engine,
    ]

    let options = ["changeLog": "1000 commits"]

    private let url: String
    private let pool: String?
    private let control: String?

    /// - Returns: `nil` unless `HOLDFAST_POSTGRESQL_URL` names a server.
    init?() {
        let environment = ProcessInfo.processInfo.environment
        guard let url = environment["HOLDFAST_POSTGRESQL_URL"] else { return nil }
        self.url = url
        pool = environment["HOLDFAST_POSTGRESQL_POOL_URL"]
        control = environment["HOLDFAST_POSTGRESQL_CONTROL"]
    }

    func makeLocation() async throws -> any StoreLocation {
        try location("conformance_" + UUID().uuidString.lowercased().filter { $0 != "-" })
    }

    func location(at address: String) throws -> (any StoreLocation)? { try location(address) }

    private func location(_ address: String) throws -> PostgreSQLLocation {
        PostgreSQLLocation(address: address, url: url, pool: pool, control: control)
    }

    /// A user who may create nothing in the database.
    func makeUnusableLocation() async throws -> (any StoreLocation)? {
        var location = try location("conformance_unusable")
        try await location.execute(
            "DO $$ BEGIN CREATE ROLE conformance_guest LOGIN; EXCEPTION WHEN duplicate_object OR unique_violation "
                + "THEN NULL; END $$")
        location.extraOptions = "user=conformance_guest"
        return location
    }

    func readOnlyLocation(_ location: any StoreLocation) throws -> (any StoreLocation)? {
        var location = try self.location(location.address)
        // A pool hands no options on; with-pgbouncer makes a database and sets this for its sessions.
        location.extraOptions =
            pool == nil ? "options=-c%20default_transaction_read_only%3Don" : "dbname=only_reads"
        return location
    }

    /// Commits of the last hour stay in the log, however many they are, and the server looks only now and then at what
    /// its tables hold.
    func age(_ location: any StoreLocation) async throws {
        let location = try self.location(location.address)
        let schema = location.address
        try await location.execute(
            "UPDATE \"\(schema)\".holdfast_commit SET committed_at = committed_at - interval '2 hours'")
        // Only its own tables: without a list, `ANALYZE` here locks those of every other check as well, up to its end,
        // and what changes or drops them meanwhile may be the victim of a deadlock.
        // https://www.postgresql.org/docs/current/sql-analyze.html
        try await location.execute(
            "DO $$ DECLARE name text; BEGIN FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = '\(schema)' "
                + "LOOP EXECUTE format('ANALYZE %I.%I', '\(schema)', name); END LOOP; END $$")
    }

    func damage(
        _ location: any StoreLocation, _ damage: StoreDamage
    ) async throws -> DamageRepair? {
        let location = try self.location(location.address)
        let schema = "\"\(location.address)\""
        let (command, repair) =
            switch damage {
            case .newer:
                (
                    "UPDATE \(schema).holdfast_store SET format = format + 98",
                    "UPDATE \(schema).holdfast_store SET format = format - 98"
                )
            case .foreign:
                (
                    "ALTER TABLE \(schema).holdfast_store RENAME TO letter",
                    "ALTER TABLE \(schema).letter RENAME TO holdfast_store"
                )
            case .cutShort:
                (
                    "ALTER TABLE \(schema).\"Entry\" RENAME TO \"holdfast_lost\"",
                    "ALTER TABLE \(schema).\"holdfast_lost\" RENAME TO \"Entry\""
                )
            }
        try await location.execute(command)
        return DamageRepair { try await location.execute(repair) }
    }
}

private struct PostgreSQLLocation: StoreLocation {
    let address: String
    let url: String
    let pool: String?
    let control: String?
    /// More of the connection string.
    var extraOptions: String?

    /// The server dies at once, and with it what it had not given to its operating system.
    var powerLoss: PowerLoss? {
        control.map { control in .backend { try await Self.run([control, "restart"]) } }
    }

    func makeAdapter() throws -> any StorageAdapter {
        var address = pool ?? url
        if let extraOptions { address += (address.contains("?") ? "&" : "?") + extraOptions }
        // Long enough for a busy machine, and short enough for RES-010, which expects an error when no connection is
        // left.
        var configuration = PostgreSQLConfiguration(
            address, schema: self.address, waitTimeout: .seconds(60), changeLogCommitCount: 1_000)
        if pool != nil {
            configuration.pooling = .transaction
            configuration.directConnectionString = url
        }
        return PostgreSQLAdapter(configuration)
    }

    func remove() async { try? await execute("DROP SCHEMA IF EXISTS \"\(address)\" CASCADE") }

    /// Runs a statement without the adapter; addresses are made here, of letters and digits.
    func execute(_ sql: String) async throws {
        try await Self.run(["psql", "-q", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", sql])
    }

    private static func run(_ command: [String]) async throws {
        let end = try await WorkerProcess(
            executable: "/usr/bin/env", arguments: command,
            environment: ["PGOPTIONS": "-c client_min_messages=error"]
        ).end()
        if end.code != 0 { throw HarnessFailure("\(command[0]) failed: \(end)") }
    }
}
#endif
