import HoldfastEngine
import HoldfastModel

/// Shows changes as they happen: a live query, and the changes themselves.
///
/// The main task changes records; a child task prints every answer of the live query and then lets the main task go
/// on, so that the output is the same every time.
struct LiveDemo {
    private let store: DataStore
    private let isRequired = Package.keys.priority == PackagePriority.required

    init(store: DataStore) { self.store = store }

    func run() async throws {
        Terminal.line("\na live query of the required packages, while they change")
        let live = try store.observeQuery(Package.self, where: isRequired)
        let changes = try store.observe(Package.self)
        let (answers, answered) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { answered.finish() }
                for try await snapshot in live {
                    Terminal.line("  live query: \(snapshot.items.count.grouped) required packages")
                    answered.yield()
                }
            }
            try await change(Witness(answers: answers.makeAsyncIterator(), changes: changes.makeAsyncIterator()))
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    private func change(_ witness: consuming Witness) async throws {
        await witness.firstAnswer()

        let others = try await store.query(
            Package.self, where: !isRequired, sort: .ascending(Package.keys.name), paginate: .firstResult)
        if let original = others.first {
            var edited = original
            edited.priority = .required
            try await store.save(edited)
            try await witness.change()
            try await store.save(original)
            try await witness.change()
        }

        let temporary = Package(
            name: "holdfast-demo", version: "1", architecture: "all", summary: "Here for a moment", installedSize: 1,
            priority: .required)
        try await store.save(temporary)
        try await witness.change()
        try await store.delete(temporary)
        try await witness.change()
    }

    /// Waits until the live query has answered, then prints the change that made it do so.
    private struct Witness {
        var answers: AsyncStream<Void>.Iterator
        var changes: ModelChanges<Package>.Iterator

        mutating func firstAnswer() async { await answers.next(isolation: #isolation) }

        mutating func change() async throws {
            await answers.next(isolation: #isolation)
            if let change = try await changes.next() {
                let priority = change.model.priority.map { " (\($0))" } ?? ""
                Terminal.line("  change:     \(change.kind) \(change.model.name)\(priority)")
            }
        }
    }
}
