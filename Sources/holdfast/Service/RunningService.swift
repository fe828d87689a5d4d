#if CLI && Server
import ArgumentParser
import Foundation
import HoldfastEngine
import HoldfastGraphQL
import HoldfastSchema
import HoldfastServer
import HoldfastServerHTTP
import HoldfastStorage
import HoldfastWire
import Logging

/// A service on the network, from its command line to its end.
struct RunningService {
    var sources: [Source]
    var options: ServerOptions
    var http: SyncHTTPServer.Configuration
    var makeAdapter: @Sendable () throws -> any StorageAdapter
    var isVerbose: Bool
    /// Called before the service listens.
    var prepare: @Sendable (SyncServer) async throws -> Void = { _ in }
    /// Reads the schema again, to serve its changes; `nil` where only a new start does.
    var reread: (@Sendable () throws -> [Source])?
    /// Called with the addresses when it listens.
    var announce: @Sendable (ServiceAddresses) -> Void

    /// Serves until the process is to end; prints what goes wrong.
    func run() async throws {
        var logger = Logger(label: "holdfast") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = isVerbose ? .debug : .warning
        do {
            let server = try await SyncServer.open(
                schema: sources, options: options, surroundings: .system, makeAdapter: makeAdapter)
            try await prepare(server)
            let listener = SyncHTTPServer(server, configuration: http, surroundings: .system, logger: logger) { port in
                announce(ServiceAddresses(host: http.host, port: port, isSecure: http.tls != nil))
            }
            let watching = Task { [reread, sources] in
                guard let reread else { return }
                let watch = SchemaWatch(server, surroundings: .system, read: reread) { outcome in Self.tell(outcome) }
                await watch.run(from: sources)
            }
            do {
                try await listener.runUntilTerminated()
            } catch {
                try? await server.close()
                Output.error("The service cannot listen on \(http.host):\(http.port): \(error)")
                throw ExitCode(1)
            }
            watching.cancel()
            await watching.value
            try await server.close()
        } catch let error as SchemaError {
            try Output.problems(error.problems, asJSON: false)
            throw ExitCode(1)
        } catch let error as StorageError {
            Output.error(error.description)
            throw ExitCode(1)
        }
    }

    /// Says what became of a change of the schema.
    private static func tell(_ outcome: SchemaWatch.Outcome) {
        switch outcome {
        case .applied: Output.error("The schema changed, and what is new is served.")
        case .refused(let error):
            // Both errors say in which line or why.
            Output.error("\(error)")
            Output.error(
                "The schema changed, but is not served. Correct it, or start the service again to serve it as it is.")
        }
    }

    /// The command that asks for the first records of a service.
    static func example(_ addresses: ServiceAddresses, key: String, sources: [Source]) -> String {
        let list = try? ServiceSchema(of: sources, defaultMode: .apiKey).models.lazy.compactMap {
            $0.settings.names[.list]
        }.first
        let query = list.map { "query List { \($0) { items { __typename } } }" } ?? "query Any { __typename }"
        return """
            curl -s \(addresses.endpoint) -H 'x-api-key: \(key)' -H 'content-type: application/json' \\
              -d '{"query":"\(query)"}'
            """
    }
}

/// Where clients find a service.
struct ServiceAddresses: Sendable {
    let endpoint: String
    let realtime: String

    init(host: String, port: Int, isSecure: Bool) {
        // Clients cannot connect to the address that means all addresses.
        let name = host == "0.0.0.0" || host == "::" ? "localhost" : host.contains(":") ? "[\(host)]" : host
        endpoint = "\(isSecure ? "https" : "http")://\(name):\(port)/graphql"
        realtime = "\(isSecure ? "wss" : "ws")://\(name):\(port)/graphql/realtime"
    }
}

extension Output {
    /// Prints at once, also where the output is no terminal.
    static func now(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}
#endif
