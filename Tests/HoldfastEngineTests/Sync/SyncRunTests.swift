import HoldfastConformance
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

/// A store and a service that change side by side, with events that come late, twice, and in any order.
@Suite struct SyncRunTests {
    struct Run {
        let store: DataStore
        let entity: EntitySchema
        let fence: SyncFence
        var service: FakeService
        var events: [RemoteRecord] = []
        var inFlight: [Outgoing] = []
        var answers: [MutationOutcome] = []

        init(_ adapter: EngineAdapter) async throws {
            store = try await adapter.open()
            entity = try store.catalog.entity(of: Post.self)
            fence = try #require(try await store.claim("here", until: 10, now: 0))
            service = FakeService(entity)
        }

        static func post(_ random: inout SplitMix64) -> Post {
            Post(
                id: random.pick(["a", "b", "c"]), title: random.pick(["x", "y", "z"]),
                rating: random.chance(50) ? Int(random.below(3)) : nil,
                tags: random.chance(50) ? nil : [random.pick(["t", "\"u\\", "\u{1}"])])
        }

        mutating func step(_ random: inout SplitMix64) async throws {
            switch random.below(9) {
            case 0, 1: try await store.save(Self.post(&random))
            case 2:
                let post = Self.post(&random)
                _ = try? await store.save(post, where: Post.keys.title != "z")
            case 3:
                let id = Self.post(&random).id
                if random.chance(50) {
                    try await store.delete(Post.self, withId: id)
                } else {
                    _ = try? await store.delete(Post.self, withId: id, where: Post.keys.title != "z")
                }
            case 4, 5:
                let row = try Self.post(&random).row()
                let key = entity.key(of: row[0])
                if random.chance(25), service.history[key]?.last?.isDeleted == false {
                    events.append(service.write(key, nil))
                } else {
                    events.append(service.write(key, Array(row[0])))
                }
            case 6:
                guard !events.isEmpty else { return }
                let event = events[Int(random.below(events.count))]
                if random.chance(70) { events.removeAll { $0 == event } }
                let batch = RemoteBatch(model: "Post", records: [event], rebases: random.chance(80))
                _ = try await store.apply(batch, fence)
            case 7: inFlight += try await store.take(Int(random.below(3)), fence)
            default: try await answer(&random)
            }
        }

        /// The service answers one mutation; its event comes some day, too.
        mutating func answer(_ random: inout SplitMix64) async throws {
            if inFlight.isEmpty { return }
            let mutation = inFlight.remove(at: Int(random.below(inFlight.count)))
            let outcome = service.receive(mutation, refusing: random.chance(10), retrying: random.chance(50))
            if case .accepted(_, let record) = outcome, random.chance(50) { events.append(record) }
            _ = try await store.settle([outcome], fence)
        }

        /// Every record with all its changes taken back is the service's at the version of its metadata.
        func check(_ place: Comment) async throws {
            let keys = ["a", "b", "c"].map { RecordKey($0) }
            let changes = try await store.store.withSnapshot { snapshot in
                try await SyncedRecordReader(snapshot: snapshot).records(keys, of: entity)
            }
            for record in changes.map(\.record) {
                let base = try #require(record.base, place)
                let expected = record.metadata.flatMap { service.record(record.key, version: $0.version)?.row }
                try #require(base == expected, place)
                try #require(record.entries.dropFirst().allSatisfy { $0.stage == .pending }, place)
            }
        }

        /// Everything is sent and everything said; then both sides hold the same.
        mutating func settle(_ random: inout SplitMix64, _ place: Comment) async throws {
            for event in random.shuffled(events) {
                _ = try await store.apply(RemoteBatch(model: "Post", records: [event]), fence)
            }
            for _ in 0..<100 where try await store.outboxCount() > 0 {
                inFlight += try await store.take(8, fence)
                for mutation in inFlight {
                    _ = try await store.settle([service.receive(mutation)], fence)
                }
                inFlight = []
                try await check(place)
            }
            try #require(try await store.outboxCount() == 0, place)
            let batch = RemoteBatch(model: "Post", records: random.shuffled(service.newest), generation: 1)
            _ = try await store.apply(batch, fence)
            _ = try await store.sweep("Post", 1, fence)
            let rows = try await store.store.withSnapshot { try await $0.rows(QueryPlan("Post")) as RowBuffer }
            let held = (0..<rows.rowCount).map { Array(rows[$0]) }
            try #require(held == service.newest.compactMap(\.row), place)
            let shelf = try await store.store.withSnapshot { try await $0.count(ShelfItem.entity.name) }
            try #require(shelf == 0, place)
        }
    }

    @Test(arguments: EngineAdapter.all, 0..<12)
    func whatAwaitsTheServiceCanBeUndoneAndBothSidesEndAlike(adapter: EngineAdapter, seed: Int) async throws {
        var random = SplitMix64(seed: UInt64(seed))
        var run = try await Run(adapter)
        for step in 0..<150 {
            try await run.step(&random)
            try await run.check("seed \(seed), step \(step)")
        }
        try await run.settle(&random, "seed \(seed), end")
        try await run.store.close()
    }
}

extension SplitMix64 {
    fileprivate mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var elements = elements
        for index in elements.indices.reversed() where index > 0 {
            elements.swapAt(index, Int(below(index + 1)))
        }
        return elements
    }
}
