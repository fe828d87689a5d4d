#if PostgreSQL
import HoldfastConformance
import HoldfastStorage
import HoldfastTestSupport

/// A session of `psql`, without the adapter; its transaction ends with this object.
final class Session {
    private let process: WorkerProcess

    init() throws {
        process = try WorkerProcess(
            executable: "/usr/bin/env",
            arguments: ["psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-d", PostgreSQLServer.url ?? ""],
            takesInput: true)
    }

    /// Runs statements of which one returns a number.
    func integer(_ sql: String) async throws -> Int64 {
        process.write(sql + "\n")
        for await line in process.lines {
            guard let number = Int64(line) else { throw StorageError(.io, "psql said \(line).") }
            return number
        }
        throw StorageError(.io, "psql ended.")
    }

    deinit { process.closeInput() }
}
#endif
