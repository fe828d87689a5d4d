#if PostgreSQL
/// Connections that are open and not in use, the one that was used last on top.
///
/// A connection is taken only when all above it are in use. Those not taken for a while are surplus.
struct PostgreSQLIdleList<Connection> {
    private var connections: [Connection] = []
    /// The fewest at any moment of the watch; `nil` without a watch.
    private var fewest: Int?

    /// Puts a connection on top.
    mutating func put(_ connection: Connection) { connections.append(connection) }

    /// Takes the connection on top; `nil` if there is none.
    mutating func take() -> Connection? {
        let connection = connections.popLast()
        fewest = fewest.map { min($0, connections.count) }
        return connection
    }

    /// Takes all connections.
    mutating func takeAll() -> [Connection] {
        defer { connections = [] }
        fewest = fewest.map { _ in 0 }
        return connections
    }

    /// Begins to watch which connections are used if there are more than are kept, unless it is being watched.
    ///
    /// - Parameter kept: How many are kept in any case.
    /// - Returns: Whether a watch began; ``takeSurplus(above:)`` ends it.
    mutating func beginWatch(above kept: Int) -> Bool {
        guard fewest == nil, connections.count > max(0, kept) else { return false }
        fewest = connections.count
        return true
    }

    /// Ends the watch, and takes the connections that were not used since it began.
    ///
    /// - Parameter kept: How many stay in any case.
    /// - Returns: The surplus.
    mutating func takeSurplus(above kept: Int) -> [Connection] {
        let count = max(0, (fewest ?? 0) - max(0, kept))
        fewest = nil
        defer { connections.removeFirst(count) }
        return Array(connections.prefix(count))
    }
}
#endif
