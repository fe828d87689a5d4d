#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The throw-away server that `Tests/scripts/with-postgresql` starts for the tests.
package enum PostgreSQLServer {
    /// The connection string; `nil` if there is no server, and tests that need one are skipped.
    package static var url: String? { ProcessInfo.processInfo.environment["HOLDFAST_POSTGRESQL_URL"] }

    /// The same server through a pool of transactions, which `Tests/scripts/with-pgbouncer` starts.
    package static var poolURL: String? { ProcessInfo.processInfo.environment["HOLDFAST_POSTGRESQL_POOL_URL"] }

    /// Why tests are skipped without a pool.
    package static let poolAbsence = "HOLDFAST_POSTGRESQL_POOL_URL is not set; Tests/scripts/with-pgbouncer starts one"

    /// Why tests are skipped without a server.
    package static let absence = "HOLDFAST_POSTGRESQL_URL is not set; Tests/scripts/with-postgresql starts a server"

    /// The name of a schema that no other test uses.
    package static func makeSchema() -> String {
        "test_" + UUID().uuidString.lowercased().filter { $0 != "-" }
    }
}
