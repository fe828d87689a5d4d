#if CLI
import ArgumentParser
import HoldfastSchema
import HoldfastStorage

#if Server
import HoldfastServer
#endif

/// Reports why a command failed.
enum CommandFailure {
    private struct Record: Encodable {
        let kind: String
        let message: String
    }

    /// Runs a body; an error of a schema, of a store, or of records is printed, and ends the command.
    static func reported(asJSON: Bool = false, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            try report(error, asJSON: asJSON)
        }
    }

    /// As the other function, for a body that does not wait.
    static func reported(asJSON: Bool = false, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            try report(error, asJSON: asJSON)
        }
    }

    private static func report(_ error: any Error, asJSON: Bool) throws -> Never {
        switch error {
        case let error as SchemaError:
            try Output.problems(error.problems, asJSON: asJSON)
        case let error as StorageError:
            // Its texts have no values.
            if asJSON { try Output.json(["error": Record(kind: error.kind.rawValue, message: error.message)]) }
            Output.error(error.description)
        #if Server
        case let error as DataError:
            if asJSON { try Output.json(["error": Record(kind: "\(error.kind)", message: error.description)]) }
            Output.error("error: \(error)")
        #endif
        default: throw error
        }
        throw ExitCode(1)
    }
}
#endif
