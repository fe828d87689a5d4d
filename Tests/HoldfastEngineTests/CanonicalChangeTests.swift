import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

/// What observers and transactions see is what a query would return.
struct CanonicalChangeTests {
    let at: Temporal.DateTime

    init() throws { at = try Temporal.DateTime(iso8601String: "2024-05-01T10:00:00Z") }

    @Test(arguments: EngineAdapter.all)
    func observersSeeTheStoredForm(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let changes = try store.observe(Reading.self)
        var live = try store.observeQuery(Reading.self).makeAsyncIterator()
        _ = try await live.next()
        try await store.save(Reading(place: -0.0, at: at, value: -0.0))
        try await store.transaction { try await $0.save(Reading(place: 1, at: at, value: -0.0)) }
        var shown: [Reading] = []
        while shown.count < 2, let snapshot = try await live.next() { shown = snapshot.items }
        let seen = try await store.collectAll(changes, count: 2)
        for readings in [shown, seen, try await store.query(Reading.self)] {
            #expect(readings.map(\.place.sign) == [.plus, .plus])
            #expect(readings.map(\.value?.sign) == [.plus, .plus])
        }
    }

    @Test(arguments: EngineAdapter.all)
    func aTransactionReadsItsWritesInTheirStoredForm(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.transaction { [at] transaction in
            try await transaction.save(Reading(place: -0.0, at: at, value: -0.0))
            let read = try await transaction.query(Reading.self)
            #expect(read.map(\.place.sign) == [.plus] && read.map(\.value?.sign) == [.plus])
        }
    }

    @Test(arguments: EngineAdapter.all)
    func aValueThatAFieldCannotHoldChangesNothing(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let before = try await store.dump()
        for value in [Double.nan, .infinity] {
            await #expect {
                try await store.save([Reading(place: 1, at: at), Reading(place: 2, at: at, value: value)])
            } throws: { ($0 as? StorageError)?.kind == .unrepresentable }
            await #expect {
                try await store.transaction { [at] in try await $0.save(Reading(place: 1, at: at, value: value)) }
            } throws: { ($0 as? StorageError)?.kind == .unrepresentable }
        }
        #expect(try await store.dump() == before)
    }
}

extension DataStore {
    /// The records of the next changes.
    func collectAll<M: Model>(_ changes: ModelChanges<M>, count: Int) async throws -> [M] {
        var result: [M] = []
        for try await change in changes {
            result.append(change.model)
            if result.count == count { break }
        }
        return result
    }
}
