#if CLI && PostgreSQL
import Foundation
import HoldfastPostgreSQL
import HoldfastStorage

/// Whether a PostgreSQL server can hold a store, and keeps what it acknowledged.
struct PostgreSQLCheck {
    let configuration: PostgreSQLConfiguration
    private var schema: String { configuration.schema }

    /// What was found, and whether the schema holds a store; `nil` if the server could not be asked.
    func findings() async -> (findings: [Finding], hasStore: Bool?) {
        let before = Date().timeIntervalSince1970
        let server: PostgreSQLServerFacts
        do {
            server = try await PostgreSQLServerFacts.read(configuration)
        } catch {
            return ([.problem("store", "The server does not answer: \(error.kind.rawValue).", fix: error.message)], nil)
        }
        let after = Date().timeIntervalSince1970
        let time = Double(server.microseconds) / 1_000_000
        // The answer may have been made at any time between the two.
        let ahead = time < before ? time - before : time > after ? time - after : 0
        var findings = [ClockCheck.finding(serverAhead: ahead), version(server), durability(server)]
        findings += permissions(server)
        if let connections = connections(server) { findings.append(connections) }
        if !server.isEncrypted && !server.isLocal {
            findings.append(
                configuration.pooling == .off
                    ? .warning(
                        "tls", "The connection to the database server is not encrypted.",
                        fix: "Add sslmode=verify-full to the connection string.")
                    : .warning(
                        "tls", "The connections of the pool to the database server are not encrypted.",
                        fix: "Set server_tls_sslmode = verify-full in the pool."))
        }
        return (findings, server.isReadable ? server.hasStore : nil)
    }

    private func version(_ server: PostgreSQLServerFacts) -> Finding {
        let version = "PostgreSQL \(server.version / 10_000).\(server.version % 10_000)"
        if server.version < 130_000 {
            return .problem("version", "The server is \(version).", fix: "Use PostgreSQL 13 or later.")
        }
        if server.encoding != "UTF8" {
            return .problem(
                "version", "The database is encoded in \(server.encoding).",
                fix: "Create one in UTF-8: `CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`.")
        }
        return .ok("version", "\(version), UTF-8")
    }

    /// What a commit survives; the adapter itself turns `synchronous_commit` on.
    private func durability(_ server: PostgreSQLServerFacts) -> Finding {
        if server.isStandby {
            return .problem("wal", "The server is a standby, which accepts no writes.", fix: "Connect to its primary.")
        }
        for (isOn, setting) in [(server.syncs, "fsync"), (server.writesFullPages, "full_page_writes")] where !isOn {
            return .problem(
                "wal", "The server has \(setting) = off: a loss of power can damage the database.",
                fix: "Set \(setting) = on in postgresql.conf, and reload the server.")
        }
        return .ok("wal", "fsync and full_page_writes are on")
    }

    private func permissions(_ server: PostgreSQLServerFacts) -> [Finding] {
        guard server.schemaExists else {
            return server.canCreateSchema
                ? [.ok("permissions", "The user can create the schema \(schema)")]
                : [
                    .problem(
                        "permissions", "The schema \(schema) does not exist, and the user cannot create it.",
                        fix: "As its owner: `CREATE SCHEMA \"\(schema)\" AUTHORIZATION` the user.")
                ]
        }
        guard server.canUseSchema else {
            return [
                .problem(
                    "permissions", "The user has no access to the schema \(schema).",
                    fix: "`GRANT USAGE ON SCHEMA \"\(schema)\" TO` the user.")
            ]
        }
        if server.hasStore && !server.deniedTables.isEmpty {
            let tables = server.deniedTables.prefix(5).joined(separator: ", ")
            return [
                .problem(
                    "permissions", "The user cannot read and write these tables of the schema \(schema): \(tables).",
                    fix: "`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \"\(schema)\" TO` the user.")
            ]
        }
        if server.canCreateInSchema { return [.ok("permissions", "The user can use and change the schema \(schema)")] }
        if server.hasStore {
            return [
                .warning(
                    "permissions",
                    "The user can read and write, but a changed GraphQL schema cannot change the tables.",
                    fix: "Open the store once with the owner's user after each change, or "
                        + "`GRANT CREATE ON SCHEMA \"\(schema)\" TO` the user.")
            ]
        }
        return [
            .problem(
                "permissions", "The schema \(schema) is empty, and the user cannot create tables in it.",
                fix: "`GRANT CREATE ON SCHEMA \"\(schema)\" TO` the user.")
        ]
    }

    /// A warning if one handle could not get all of its connections.
    private func connections(_ server: PostgreSQLServerFacts) -> Finding? {
        // A pool has its own.
        if configuration.pooling == .transaction { return nil }
        // One more is notified of commits.
        let wanted = configuration.maximumConnectionCount + configuration.maximumSnapshotCount + 1
        let free = server.maximumConnectionCount - server.connectionCount
        guard free < wanted else { return nil }
        return .warning(
            "store",
            "The server has \(free) of \(server.maximumConnectionCount) connections left; one process uses up "
                + "to \(wanted).",
            fix: "Raise max_connections, or run fewer processes.")
    }
}
#endif
