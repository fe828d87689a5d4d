import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

/// A store with models, relations, an outbox, deletions and what a service said.
enum ShopStore {
    static let models: [any Model.Type] = [Blog.self, Post.self, Sample.self, Order.self, OrderLine.self]
    static let postCount = 2_500
    /// The records that are sent: the posts, three blogs, two samples, an order, and its line.
    static let sentCount = postCount + 7

    /// Fills a location, by the application's own means.
    static func fill(_ location: TestLocation) async throws {
        let store = try await DataStore.open(location.make(), models: models)
        let blogs = (0..<3).map { Blog(id: "b\($0)", name: "Blog \($0)") }
        try await store.save(blogs)
        try await store.save(
            (0..<postCount).map { number in
                Post(
                    id: "p\(number)", title: "Title \(number)", rating: number % 7 == 0 ? nil : number,
                    status: number.isMultiple(of: 2) ? .draft : .published,
                    tags: number % 5 == 0 ? nil : ["a", "é\u{301}"],
                    createdAt: try? Temporal.DateTime(iso8601String: "2024-03-10T14:00:00.500+02:00"),
                    blog: blogs[number % 3])
            })
        var sample = Sample(id: "s")
        sample.text = ""
        sample.count = .min
        sample.ratio = .leastNonzeroMagnitude
        sample.place = Place(city: "Ulm")
        sample.numbers = [nil, .max]
        try await store.save([sample, Sample(id: "empty")])
        let order = Order(shop: "Ulm", number: -1, note: "first")
        try await store.save(order)
        try await store.save(OrderLine(id: "l", title: "Line", order: order))
        try await store.sendOutbox()
        try await store.delete(Post.self, withId: "p1")
        try await store.save(Post(id: "p2", title: "Changed"))
        try await store.save(Blog(id: "new", name: "New"))
        try await store.save(
            metadata: [
                RecordMetadata(model: "Post", key: "p1", version: 3, lastChangedAt: 99, isDeleted: true),
                RecordMetadata(model: "Post", key: "p2", version: 7, lastChangedAt: 100),
            ], states: [ModelState(model: "Post", lastSync: 1_700_000_000_000, syncPredicate: "{}")])
        try await store.setSetting("colour", to: "blue")
        try await store.close()
    }
}

extension DataStore {
    fileprivate func sendOutbox() async throws {
        try await save(
            metadata: try await outboxEntries().map {
                RecordMetadata(model: $0.model, key: $0.key, version: 1, lastChangedAt: 0)
            })
        _ = try await store.commit(CommitRequest(operations: [.clear(entity: OutboxEntry.entity.name)]))
    }
}

extension Store {
    /// The cells of all records, by entity and field.
    func content() async throws -> [String: [[String: Value]]] {
        try await withSnapshot { snapshot in
            var content: [String: [[String: Value]]] = [:]
            for entity in schema.entities {
                let rows: [StoredRow] = try await snapshot.rows(QueryPlan(entity.name))
                content[entity.name] = rows.map { row in
                    Dictionary(uniqueKeysWithValues: zip(entity.fields.map(\.name), row.cells))
                }
            }
            return content
        }
    }

    /// Copies this store, closes it, and returns the copy.
    func moved(to location: TestLocation) async throws -> Store {
        let (copy, report) = try await StoreCopy(from: self) { location.make() }.run()
        #expect(report.entities.allSatisfy { $0.keptCount == 0 })
        try await close()
        return copy
    }
}
