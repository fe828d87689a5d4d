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
    /// Whether a replica that became the primary may lack commits, so that versions are renewed.
    var renewsVersions = true
    /// Called before the service listens.
    var prepare: @Sendable (SyncServer) async throws -> Void = { _ in }
    /// Reads the schema again, to serve its changes; `nil` where only a new start does.
    var reread: (@Sendable () throws -> [Source])?
    /// Called with the addresses when it listens.
    var announce: @Sendable (ServiceAddresses) -> Void

    /// Serves until the process should end; prints what goes wrong.
    func run() async throws {
        try await CommandFailure.reported {
            let timeline = StoreTimeline()
            let server = try await SyncServer.open(
                schema: sources, options: options, surroundings: .system, makeAdapter: timeline.noting(makeAdapter))
            do {
                try await follow(timeline, server)
                try await prepare(server)
            } catch {
                try? await server.close()
                throw error
            }
            try await listen(server, timeline)
        }
    }

    /// Listens until the process should end, and closes the store.
    private func listen(_ server: SyncServer, _ timeline: StoreTimeline) async throws {
        var logger = Logger(label: "holdfast") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = isVerbose ? .debug : .warning
        let isListening = Mutex(false)
        let listener = SyncHTTPServer(server, configuration: http, surroundings: .system, logger: logger) { port in
            isListening.store(true)
            announce(ServiceAddresses(host: http.host, port: port, isSecure: http.tls != nil))
        }
        let watching = Task { [reread, sources] in
            guard let reread else { return }
            let watch = SchemaWatch(server, surroundings: .system, read: reread) { outcome in Self.report(outcome) }
            await watch.run(from: sources)
        }
        let guarding = Task { timeline.name == nil ? nil : await Self.endAtAnotherTimeline(server) }
        do {
            try await listener.runUntilTerminated()
        } catch {
            try? await server.close()
            let what =
                isListening.load() || error is MetricsServiceError
                ? "The service ended" : "The service cannot listen on \(http.host):\(http.port)"
            Output.error("\(what): \(error)")
            throw ExitCode(1)
        }
        watching.cancel()
        await watching.value
        guarding.cancel()
        let failure = await guarding.value
        try await server.close()
        if let failure { throw failure }
    }

    /// Renews versions if the store is in another timeline than when it was served last.
    private func follow(_ timeline: StoreTimeline, _ server: SyncServer) async throws {
        guard let name = timeline.name else { return }
        if let count = try await server.follow(timeline: name, renewsVersions: renewsVersions) {
            Output.error("A replica became the primary of the database: renewed \(count) records.")
        }
    }

    /// Ends the process in order when a replica has become the primary; the service manager starts it again.
    ///
    /// - Returns: Why it ends; `nil` if it was cancelled.
    private static func endAtAnotherTimeline(_ server: SyncServer) async -> StorageError? {
        while (try? await Surroundings.system.sleep(.seconds(1))) != nil {
            do throws(StorageError) {
                try await server.check()
            } catch {
                guard error.kind == .closed else { continue }
                kill(getpid(), SIGTERM)
                return error
            }
        }
        return nil
    }

    /// Says what became of a change of the schema.
    private static func report(_ outcome: SchemaWatch.Outcome) {
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
#endif
