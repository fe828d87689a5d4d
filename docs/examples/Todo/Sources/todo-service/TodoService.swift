import Foundation
import HoldfastEngine
import HoldfastModel
import HoldfastSQLite
import HoldfastSync
import HoldfastSyncHTTP
import NIOCore
import NIOHTTP1
import TodoModels

/// Lists and adds tasks over HTTP, from a store of its own that is synchronized like that of a device.
///
/// It answers without a connection to `holdfast dev`, too, and sends new tasks when it has one.
@main struct TodoService {
    let store: DataStore

    static func main() async throws {
        guard CommandLine.arguments.count == 2, let port = Int(CommandLine.arguments[1]) else {
            print("usage: todo-service PORT    0 for any port that is free")
            exit(64)
        }
        let endpoint = ProcessInfo.processInfo.environment["HOLDFAST_ENDPOINT"] ?? "http://127.0.0.1:8080/graphql"
        let key = try String(contentsOfFile: ".holdfast/api-key", encoding: .utf8)
        let authorizer = try RequestAuthorizer(
            endpoint: endpoint, modes: [.apiKey(key.trimmingCharacters(in: .whitespacesAndNewlines))])

        // For several machines: PostgreSQLAdapter("postgresql://…"), and the trait PostgreSQL in Package.swift.
        let store = try await DataStore.open(SQLiteAdapter(path: "service.db"), models: [Todo.self])
        let transport = try HTTPSyncTransport(HTTPSyncConfiguration(endpoint: endpoint))
        let synchronizer = try Synchronizer(
            store, with: SyncService(transport: transport, authorization: authorizer.authorization))
        try await synchronizer.start()

        let listener = try await HTTPListener(port: port)
        FileHandle.standardOutput.write(Data("listening on port \(listener.port)\n".utf8))
        let answering = Task { try await listener.run(TodoService(store: store).answer) }
        await terminationSignal()
        answering.cancel()
        _ = await answering.result
        await synchronizer.close()
        await transport.shutdown()
        try await store.close()
    }

    /// `GET /todos` lists the tasks, and `POST /todos` with `{"title": "…"}` adds one.
    func answer(_ request: HTTPRequestHead, _ body: ByteBuffer) async throws -> HTTPListener.Answer {
        switch (request.method, request.uri) {
        case (.GET, "/todos"):
            let todos = try await store.query(Todo.self, sort: .ascending(Todo.keys.title))
            return (.ok, "[\(try todos.map { try $0.toJSON() }.joined(separator: ","))]")
        case (.POST, "/todos"):
            let new = try? JSONDecoder().decode([String: String].self, from: Data(body.readableBytesView))
            guard let title = new?["title"], title != "" else { return (.badRequest, "{}") }
            return (.created, try await store.save(Todo(title: title, isDone: false)).toJSON())
        default:
            return (.notFound, "{}")
        }
    }

    /// Returns when the process is asked to end.
    private static func terminationSignal() async {
        signal(SIGTERM, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGTERM)
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
        source.setEventHandler { continuation.finish() }
        source.resume()
        for await _ in signals {}
        source.cancel()
    }
}
