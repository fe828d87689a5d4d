#if PostgreSQL
internal import HoldfastAdapterKit
package import HoldfastStorage

/// What a server says about itself and about the permissions of a user, to be checked before a store is opened there.
package struct PostgreSQLServerFacts: Sendable {
    /// Such as 150018.
    package let version: Int
    /// Of the database.
    package let encoding: String
    /// Whether the server only follows another one.
    package let isStandby: Bool
    /// The setting `fsync`.
    package let syncs: Bool
    /// The setting `full_page_writes`.
    package let writesFullPages: Bool
    /// The server's time, in microseconds since 1970.
    package let microseconds: Int64
    /// Connections that the server accepts, and those that are open.
    package let maximumConnectionCount: Int
    package let connectionCount: Int
    /// Whether this connection uses TLS, and whether the server is on this machine.
    package let isEncrypted: Bool
    package let isLocal: Bool
    package let canCreateSchema: Bool
    package let schemaExists: Bool
    package let canUseSchema: Bool
    package let canCreateInSchema: Bool
    /// Whether the schema holds a store.
    package let hasStore: Bool
    /// Tables of the schema that the user cannot both read and write.
    package let deniedTables: [String]

    /// Whether a store that is there can be read.
    package var isReadable: Bool { !schemaExists || canUseSchema && (!hasStore || deniedTables.isEmpty) }

    /// Connects and asks; changes nothing.
    ///
    /// - Throws: ``StorageError`` as ``PostgreSQLAdapter/open(_:)`` if the server is away or refuses the user.
    package static func read(_ configuration: PostgreSQLConfiguration) async throws(StorageError) -> Self {
        try await WorkQueue(label: "holdfast.postgresql.facts").run { () throws(StorageError) in
            let connection = try PostgreSQLPool.connect(configuration)
            do throws(PostgreSQLFailure) {
                return try Self(connection, schema: configuration.schema)
            } catch {
                throw error.storageError
            }
        }
    }

    private init(_ connection: PostgreSQLConnection, schema: String) throws(PostgreSQLFailure) {
        var parameters = PostgreSQLParameters()
        parameters.append(schema)
        let results = try connection.run([
            PostgreSQLCommand(Self.server, isKept: false), PostgreSQLCommand(Self.schema, parameters, isKept: false),
            PostgreSQLCommand(Self.tables, parameters, isKept: false),
        ])
        let (server, space, tables) = (results[0], results[1], results[2])
        version = connection.serverVersion
        encoding = connection.reported("server_encoding") ?? ""
        isStandby = server.boolean(0, 0)
        syncs = server.boolean(0, 1)
        writesFullPages = server.boolean(0, 2)
        microseconds = server.integer(0, 3)
        maximumConnectionCount = Int(server.integer(0, 4))
        connectionCount = Int(server.integer(0, 5))
        isEncrypted = server.boolean(0, 6)
        isLocal = server.boolean(0, 7)
        canCreateSchema = server.boolean(0, 8)
        schemaExists = space.rowCount > 0
        canUseSchema = schemaExists && space.boolean(0, 0)
        canCreateInSchema = schemaExists && space.boolean(0, 1)
        let rows = 0..<tables.rowCount
        hasStore = rows.contains { tables.text($0, 0) == "holdfast_store" }
        deniedTables = rows.filter { !tables.boolean($0, 1) }.map { tables.text($0, 0) }
    }

    private static let server = """
        SELECT pg_is_in_recovery(), current_setting('fsync')::bool, current_setting('full_page_writes')::bool, \
        (extract(epoch FROM clock_timestamp()) * 1000000)::int8, current_setting('max_connections')::int8, \
        (SELECT coalesce(sum(numbackends), 0) FROM pg_catalog.pg_stat_database)::int8, \
        coalesce((SELECT ssl FROM pg_catalog.pg_stat_ssl WHERE pid = pg_backend_pid()), false), \
        coalesce(inet_server_addr() = inet_client_addr(), true), \
        has_database_privilege(current_database(), 'CREATE')
        """

    private static let schema = """
        SELECT has_schema_privilege(oid, 'USAGE'), has_schema_privilege(oid, 'CREATE') \
        FROM pg_catalog.pg_namespace WHERE nspname = $1::text
        """

    private static let tables = """
        SELECT c.relname::text, has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT') \
        AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE') \
        FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace \
        WHERE n.nspname = $1::text AND c.relkind IN ('r', 'p') ORDER BY 1
        """
}
#endif
