#if CLI
import ArgumentParser
import HoldfastStorage

/// Reports why a command on stores failed.
enum CommandFailure {
    private struct Record: Encodable {
        let kind: String
        let message: String
    }

    /// Runs a body; an error of a store is printed without values, and ends the command.
    static func reported(asJSON: Bool, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as StorageError {
            if asJSON {
                try Output.json(["error": Record(kind: error.kind.rawValue, message: error.message)])
            }
            Output.error(error.description)
            throw ExitCode(1)
        }
    }
}
#endif
