import HoldfastEngine
import HoldfastServer
import HoldfastServerHTTP
import HoldfastStorage
import Logging

/// A service with errands that listens on ports of this machine.
final class RunningService: Sendable {
    /// The service of the first port.
    let service: ErrandService
    /// One port for each of the service's processes, all of one store.
    let ports: [Int]
    private let servers: [SyncServer]
    private let listening: [Task<Void, any Error>]

    /// Opens services on one store, creates records, and listens.
    ///
    /// - Parameters:
    ///   - recordCount: How many records are created.
    ///   - processCount: How many services share the store; as many as there would be processes.
    ///   - makeAdapter: Makes a handle on the store.
    /// - Throws: An error if a service does not open, refuses a record, or does not listen.
    init(
        recordCount: Int, processCount: Int, _ makeAdapter: @escaping @Sendable () throws -> any StorageAdapter
    ) async throws {
        service = try await ErrandService.open(recordCount: recordCount, makeAdapter)
        var servers = [service.server]
        for _ in 1..<max(processCount, 1) { servers.append(try await ErrandService.open(makeAdapter)) }
        var (ports, listening): ([Int], [Task<Void, any Error>]) = ([], [])
        for server in servers {
            let (found, continuation) = AsyncStream.makeStream(of: Int.self)
            let http = SyncHTTPServer(
                server, configuration: SyncHTTPServer.Configuration(port: 0, purgeInterval: nil),
                surroundings: .system, logger: Logger(label: "service") { _ in SwiftLogNoOpLogHandler() },
                onListening: { continuation.yield($0) })
            listening.append(
                Task {
                    defer { continuation.finish() }
                    try await http.run()
                })
            guard let port = await found.first(where: { _ in true }) else {
                throw RawError(description: "the service does not listen")
            }
            ports.append(port)
        }
        (self.servers, self.ports, self.listening) = (servers, ports, listening)
    }

    /// Ends it.
    func close() async throws {
        for task in listening { task.cancel() }
        for task in listening { _ = await task.result }
        for server in servers { try await server.close() }
    }
}
