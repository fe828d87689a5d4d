import Foundation
import HoldfastEngine
import HoldfastModel

/// Shows changes as they happen: a live query, and the changes themselves.
///
/// The main task changes a package of its own; a child task prints every answer of the live query and then lets the
/// main task continue, so that the output is the same every time.
struct LiveDemo {
    private let store: DataStore

    init(store: DataStore) { self.store = store }

    func run() async throws {
        Terminal.line("\na live query of the required packages, while they change")
        let live = try store.observeQuery(
            Package.self, where: Package.keys.priority == PackagePriority.required)
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

        // The name is this run's own, so that two runs at once do not change each other's package.
        var package = Package(
            name: "holdfast-demo-\(ProcessInfo.processInfo.processIdentifier)", version: "1", architecture: "all",
            summary: "a temporary package", installedSize: 1, priority: .required)
        try await store.save(package)
        try await witness.change()

        package.priority = .optional
        try await store.save(package)
        try await witness.change()

        package.priority = .required
        try await store.save(package)
        try await witness.change()

        try await store.delete(package)
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
                Terminal.line("  change:     \(change.kind) \(change.model.summary)\(priority)")
            }
        }
    }
}
