#if CLI
import ArgumentParser
import Foundation

#if PostgreSQL
import HoldfastPostgreSQL
#endif

/// Where a store on a PostgreSQL server is: what libpq reads, and what only Holdfast knows.
struct PostgreSQLAddress: Sendable {
    /// The schema that is the store.
    private(set) var schema = "holdfast"
    private var connectionString: String
    private var pooling = "off"
    private var directConnectionString: String?

    /// Takes the parameters of ours out of a connection string; libpq knows none of them.
    ///
    /// - Parameters:
    ///   - text: `postgresql://…`.
    ///   - option: What the text was given as, for errors.
    /// - Throws: `ValidationError`, which does not repeat the text: it may hold a password.
    init(_ text: String, option: String) throws {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var parameters: [Substring] = []
        for parameter in parts.dropFirst().first?.split(separator: "&") ?? [] {
            let pair = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = pair.count == 2 ? pair[1].removingPercentEncoding ?? "" : ""
            switch pair[0] {
            case "schema":
                guard !value.isEmpty else {
                    throw ValidationError("The schema name in \(option) is empty or cannot be decoded.")
                }
                schema = value
            case "pooling":
                guard ["off", "session", "transaction"].contains(value) else {
                    throw ValidationError("\(option) has a value of pooling that is not off, session, or transaction.")
                }
                pooling = value
            case "direct":
                guard value.hasPrefix("postgresql://") || value.hasPrefix("postgres://") else {
                    throw ValidationError("\(option) has a value of direct that is not postgresql://…")
                }
                directConnectionString = value
            default: parameters.append(parameter)
            }
        }
        if directConnectionString != nil && pooling != "transaction" {
            throw ValidationError("\(option) has direct without pooling=transaction.")
        }
        connectionString = parts[0] + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
    }

    #if PostgreSQL
    /// How the adapter connects.
    var configuration: PostgreSQLConfiguration {
        var configuration = PostgreSQLConfiguration(
            connectionString, schema: schema, pooling: PostgreSQLConfiguration.Pooling(rawValue: pooling) ?? .off,
            directConnectionString: directConnectionString)
        configuration.maximumSnapshotCount = 16
        // The server forks a process for each connection that it opens, which costs more than a request. So all stay
        // open.
        configuration.maximumIdleConnectionCount =
            configuration.maximumConnectionCount + configuration.maximumSnapshotCount
        return configuration
    }
    #endif
}
#endif
