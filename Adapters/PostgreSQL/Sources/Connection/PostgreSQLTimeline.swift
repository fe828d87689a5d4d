#if PostgreSQL
internal import HoldfastStorage

/// The history of commits that a server is in: it changes when a replica becomes the primary, which may lack commits.
struct PostgreSQLTimeline: Sendable {
    /// Eight digits, as the names of the server's files begin.
    let name: String

    /// The SQLSTATE of a transaction that meets another timeline; no state of the server's own.
    static let failure = "ZH001"
    static let message = """
        The server continues on another timeline, since a replica became the primary; open the store again.
        """
    private static let current = "left(pg_walfile_name(pg_current_wal_lsn()), 8)"

    /// Asks the server; blocks.
    ///
    /// There is none for a replica, and where the server does not say.
    ///
    /// - Parameter connection: No transaction is open.
    init?(of connection: PostgreSQLConnection) {
        guard let name = Self.read(connection), !name.isEmpty else { return nil }
        self.name = name
    }

    /// - Returns: Empty for a replica; `nil` if the server does not say.
    private static func read(_ connection: PostgreSQLConnection) -> String? {
        let result = try? connection.run(
            "SELECT CASE WHEN pg_is_in_recovery() THEN '' ELSE \(current) END", isKept: false)
        if result == nil { _ = connection.rollBack() }
        return result?.text(0, 0)
    }

    /// Makes sure that a connection works on this timeline alone; blocks.
    ///
    /// The server of a session stays the same. Behind a pool each transaction may have another one, and checks it.
    ///
    /// - Parameter connection: New; no transaction is open.
    /// - Throws: ``StorageError`` `.closed` on another timeline, `.connectionLost` on a replica, which may become the
    ///   primary.
    func hold(_ connection: PostgreSQLConnection) throws(StorageError) {
        guard let found = Self.read(connection), !found.isEmpty else {
            let (kind, message) = PostgreSQLErrorMapping.connectionLost
            throw StorageError(kind, message)
        }
        guard found == name else { throw StorageError(.closed, Self.message) }
        guard connection.transactionSettings != nil else { return }
        connection.transactionCheck = """
            DO $$BEGIN CASE WHEN pg_is_in_recovery() THEN RAISE EXCEPTION USING ERRCODE = '57P03'; \
            WHEN \(Self.current) <> '\(name)' THEN RAISE EXCEPTION USING ERRCODE = '\(Self.failure)'; \
            ELSE NULL; END CASE; END$$
            """
    }
}
#endif
