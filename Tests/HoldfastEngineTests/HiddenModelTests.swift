import HoldfastAdapterTestSupport
import HoldfastModel
import HoldfastStorage
import Testing

@testable import HoldfastEngine

/// Models that hold their parents themselves, while one that they must have is not there.
struct HiddenModelTests {
    /// What observers are handed, one after the other; errors by their kinds.
    func next(_ changes: inout ModelChanges<Room>.Iterator, _ count: Int) async throws -> [String] {
        var seen: [String] = []
        while seen.count < count {
            do {
                guard let change = try await changes.next() else { break }
                seen.append("\(change.kind) \(change.model.id)")
            } catch let error as StorageError {
                seen.append(error.kind.rawValue)
            }
        }
        return seen
    }

    @Test(arguments: EngineAdapter.all)
    func aDeletionWhoseParentIsGoneByThenEndsNoObservation(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        let (house, other) = (House("h"), House("k"))
        try await store.save([house, other])
        try await store.save(["a", "b"].map { Room($0, house: house) })
        var changes = try store.observe(Room.self).makeAsyncIterator()
        var all = try store.observe().makeAsyncIterator()
        try await store.delete(Room.self, withId: "a")
        try await store.delete(house)
        try await store.save(Room("c", house: other))
        #expect(try await next(&changes, 3) == ["storage.changes-missed", "deleted b", "created c"])
        await #expect { _ = try await all.next() } throws: { ($0 as? StorageError)?.kind == .changesMissed }
        var seen: Set<String> = []
        for _ in 0..<3 {
            let change = try #require(try await all.next())
            seen.insert("\(change.kind) \(try change.model.recordKey().outboxText)")
        }
        #expect(seen == ["deleted b", "deleted h", "created c"])
    }

    @Test(arguments: EngineAdapter.all)
    func deletionsWhoseParentWentBeforeAreOneError(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        let house = House("h")
        try await store.save([house, House("k")])
        try await store.save(["a", "b", "c"].map { Room($0, house: house) })
        var changes = try store.observe(Room.self).makeAsyncIterator()
        // As another process could leave it.
        _ = try await store.store.commit(
            CommitRequest(operations: [.delete(entity: "House", keys: [RecordKey("h")])]))
        try await store.transaction { transaction in
            for id in ["a", "b", "c"] { try await transaction.delete(Room(id, house: house)) }
            try await transaction.save(Room("d", house: House("k")))
        }
        #expect(try await next(&changes, 2) == ["storage.changes-missed", "created d"])
    }
}
