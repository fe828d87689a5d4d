#if PostgreSQL
    import Foundation
    import HoldfastConformance
    import HoldfastPostgreSQL
    import HoldfastStorage

    /// Each site is a schema of the database that the environment names.
    struct PostgreSQLHarness: AdapterHarness {
        let name = "postgresql"
        let levels: Set<Level> = [.core, .query, .transactional, .durableProcessCrash, .multiProcess, .engine]

        private let url: String

        /// - Returns: `nil` unless `HOLDFAST_POSTGRESQL_URL` names a server.
        init?() {
            guard let url = ProcessInfo.processInfo.environment["HOLDFAST_POSTGRESQL_URL"] else { return nil }
            self.url = url
        }

        func makeSite() async throws -> any StoreSite {
            let schema = "conformance_" + UUID().uuidString.lowercased().filter { $0 != "-" }
            return PostgreSQLSite(address: schema, url: url)
        }

        func site(at address: String) throws -> (any StoreSite)? { PostgreSQLSite(address: address, url: url) }
    }

    private struct PostgreSQLSite: StoreSite {
        let address: String
        let url: String

        func makeAdapter() throws -> any StorageAdapter {
            PostgreSQLAdapter(PostgreSQLConfiguration(url, schema: address))
        }

        func remove() async {
            let psql = Process()
            psql.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            // The address is made here, of letters and digits.
            psql.arguments = ["psql", "-q", "-d", url, "-c", "DROP SCHEMA IF EXISTS \"\(address)\" CASCADE"]
            psql.standardOutput = FileHandle.nullDevice
            psql.standardError = FileHandle.nullDevice
            await withCheckedContinuation { continuation in
                psql.terminationHandler = { _ in continuation.resume() }
                do { try psql.run() } catch { continuation.resume() }
            }
        }
    }
#endif
