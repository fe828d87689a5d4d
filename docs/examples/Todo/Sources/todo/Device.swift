import Foundation
import HoldfastEngine
import HoldfastModel
import HoldfastSQLite
import HoldfastSync
import HoldfastSyncHTTP
import TodoModels

/// One device: a store in a file of its own, and a synchronizer that exchanges changes with the service.
final class Device: Sendable {
    private let name: String
    private let store: DataStore
    private let transport: HTTPSyncTransport
    private let synchronizer: Synchronizer

    init(_ name: String) async throws {
        let endpoint = ProcessInfo.processInfo.environment["HOLDFAST_ENDPOINT"] ?? "http://127.0.0.1:8080/graphql"
        // `holdfast dev` keeps the key here; a real app has it in its configuration.
        let key = try String(contentsOfFile: ".holdfast/api-key", encoding: .utf8)
        let authorizer = try RequestAuthorizer(
            endpoint: endpoint, modes: [.apiKey(key.trimmingCharacters(in: .whitespacesAndNewlines))])

        self.name = name
        store = try await DataStore.open(SQLiteAdapter(path: "\(name).db"), models: [Todo.self])
        transport = try HTTPSyncTransport(HTTPSyncConfiguration(endpoint: endpoint))
        var service = SyncService(transport: transport, authorization: authorizer.authorization)
        service.conflictHandler = { Device.resolve($0, on: name) }
        synchronizer = try Synchronizer(store, with: service)
    }

    /// Keeps both titles when two devices renamed the same task; takes the service's record otherwise.
    private static func resolve(_ conflict: RecordConflict, on name: String) -> ConflictChoice {
        guard let local = conflict.local as? Todo, var both = conflict.remote as? Todo, local.title != both.title
        else { return .applyRemote }
        Terminal.show("conflict: '\(local.title)' here, '\(both.title)' at the service", prompt: name)
        both.title += " or \(local.title)"
        return .retry(both)
    }

    func show(_ line: String) { Terminal.show(line, prompt: name) }

    /// Carries out commands until `quit`, while changes and the state of the connection are printed as they happen.
    func run(_ commands: AsyncStream<String>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.showChanges() }
            group.addTask { await self.showStatus() }
            for await command in commands where command != "" {
                if command == "quit" { break }
                do { try await perform(command) } catch { show("\(error)") }
            }
            group.cancelAll()
        }
    }

    private func perform(_ command: String) async throws {
        let words = command.split(separator: " ", maxSplits: 1).map(String.init)
        let text = words.count == 2 ? words[1] : ""
        switch words[0] {
        case "add" where text != "":
            try await store.save(Todo(title: text, isDone: false))
        case "done":
            try await change(text) { $0.isDone = true }
        case "rename":
            let titles = text.components(separatedBy: " to ")
            try await change(titles[0]) { $0.title = titles.dropFirst().joined(separator: " to ") }
        case "remove":
            try await store.delete(Todo.self, where: Todo.keys.title == text)
        case "list":
            let todos = try await store.query(Todo.self, sort: .ascending(Todo.keys.title))
            show(todos.isEmpty ? "nothing to do" : todos.map(\.line).joined(separator: "\n"))
        case "offline": synchronizer.setNetwork(isUp: false)
        case "online": synchronizer.setNetwork(isUp: true)
        default: show("commands: add T, done T, rename T to U, remove T, list, offline, online, quit (T is a title)")
        }
    }

    private func change(_ title: String, _ edit: (inout Todo) -> Void) async throws {
        guard var todo = try await store.query(Todo.self, where: Todo.keys.title == title).first else {
            return show("there is no '\(title)'")
        }
        edit(&todo)
        try await store.save(todo)
    }

    /// Prints every change of a task: those made here, and those that come from the service.
    private func showChanges() async {
        var shown: [String: String] = [:]
        do {
            for try await change in try store.observe(Todo.self) {
                let (line, place) = (change.model.line, change.origin == .remote ? "from the service" : "here")
                // The service confirms each change made here; that changes only fields that are not shown.
                guard shown.updateValue(line, forKey: change.model.id) != line || change.kind == .deleted else {
                    continue
                }
                show("\(change.kind) \(place): \(line)")
            }
        } catch { show("\(error)") }
    }

    private func showStatus() async {
        do { try await synchronizer.start() } catch { show("\(error)") }
        var shown = ""
        for await status in synchronizer.statuses {
            let line =
                switch status.state {
                case .live where status.isSynchronized: "up to date"
                case .offline, .waiting: "offline; changes to send: \(status.outboxCount)"
                default: shown
                }
            if line != shown { show(line) }
            shown = line
        }
    }

    func close() async throws {
        await synchronizer.close()
        await transport.shutdown()
        try await store.close()
    }
}
