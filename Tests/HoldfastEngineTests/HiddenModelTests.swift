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
        try await forget(house, in: store)
        try await store.transaction { transaction in
            for id in ["a", "b", "c"] { try await transaction.delete(Room(id, house: house)) }
            try await transaction.save(Room("d", house: House("k")))
        }
        #expect(try await next(&changes, 2) == ["storage.changes-missed", "created d"])
    }

    /// Ten rooms, of which some are in a house that is gone, as a service could leave it that deletes the house alone.
    func fill(_ store: DataStore, hidden: Set<Int>) async throws {
        let houses = [House("there"), House("gone")]
        try await store.save(houses)
        try await store.save(
            (0..<10).map { Room("\($0)", name: "\($0 % 3)", house: houses[hidden.contains($0) ? 1 : 0]) })
        try await forget(houses[1], in: store)
    }

    func forget(_ house: House, in store: DataStore) async throws {
        _ = try await store.store.commit(
            CommitRequest(operations: [.delete(entity: "House", keys: [RecordKey(house.id)])]))
    }

    static let hidden: [Set<Int>] = [[], [0, 1, 2, 5], [3, 4, 5, 6, 7, 8, 9], Set(0..<10)]

    @Test(arguments: EngineAdapter.all, hidden)
    func hiddenRecordsCountForNoPage(adapter: EngineAdapter, hidden: Set<Int>) async throws {
        let store = try await adapter.graph()
        try await fill(store, hidden: hidden)
        let sorts: [QuerySortInput?] = [
            nil, .descending(Room.CodingKeys.name), .by(.ascending("house.name"), .descending("id")),
        ]
        for sort in sorts {
            let whole = try await store.query(Room.self, sort: sort).map(\.id)
            #expect(whole.count == 10 - hidden.count)
            let first = try await store.query(Room.self, sort: sort, paginate: .firstResult)
            #expect(first.map(\.id) == Array(whole.prefix(1)))
            for limit in [1, 3, 10, 100] {
                var last: Room?
                for (number, start) in stride(from: 0, to: whole.count, by: limit).enumerated() {
                    let expected = Array(whole.dropFirst(start).prefix(limit))
                    let numbered = try await store.query(
                        Room.self, sort: sort, paginate: .page(UInt(number), limit: UInt(limit)))
                    #expect(numbered.map(\.id) == expected)
                    let following = try await store.query(Room.self, sort: sort, after: last, limit: limit)
                    #expect(following.map(\.id) == expected)
                    last = following.last
                }
                #expect(try await store.query(Room.self, sort: sort, after: last, limit: limit).isEmpty)
            }
        }
    }

    @Test(arguments: EngineAdapter.all)
    func hiddenRecordsCountForNoPageOfATransaction(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        try await fill(store, hidden: [0, 1, 2])
        let ids = try await store.transaction { transaction in
            try await transaction.save(Room("35", house: House("there")))
            return try await transaction.query(Room.self, paginate: .page(1, limit: 2)).map(\.id)
        }
        #expect(ids == ["4", "5"])
    }

    @Test(arguments: EngineAdapter.all)
    func hiddenRecordsCountForNoPageOfAList(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        let houses = [House("there"), House("gone")]
        let tenants = houses.map { Tenant($0.id, house: $0) }
        let room = Room("r", house: houses[0])
        try await store.save(houses)
        try await store.save(tenants)
        try await store.save(room)
        try await store.save((0..<9).map { Lease("\($0)", room: room, tenant: tenants[$0 % 3 == 2 ? 0 : 1]) })
        try await forget(houses[1], in: store)
        var request = ChildrenRequest(fields: ["room"], parent: RecordKey("r"), limit: 2)
        let first = try await store.loadChildren(Lease.self, request)
        #expect(first.models.map(\.id) == ["2", "5"] && first.next == RecordKey("5"))
        request.after = first.next
        let second = try await store.loadChildren(Lease.self, request)
        #expect(second.models.map(\.id) == ["8"] && second.next == nil)
    }

    /// The same query in both of its ways: maintained, and asked again.
    @Test(arguments: EngineAdapter.all, [false, true])
    func aLimitedLiveQueryShowsWhatIsBehindHiddenRecords(adapter: EngineAdapter, isRelated: Bool) async throws {
        let reads = Reads()
        let store = try await WatchedAdapter(adapter.make(), reads).graphStore()
        try await fill(store, hidden: [0, 1, 2, 3, 4, 6])
        let predicate: any QueryPredicate = isRelated ? field("house.name") != "none" : Room.CodingKeys.id >= "0"
        var live = try store.observeQuery(Room.self, where: predicate, limit: 2).makeAsyncIterator()
        #expect(try await live.next()?.items.map(\.id) == ["5", "7"])
        for (gone, expected) in [("5", ["7", "8"]), ("7", ["8", "9"]), ("8", ["9"])] {
            try await store.delete(Room.self, withId: gone)
            #expect(try await live.next()?.items.map(\.id) == expected)
        }
        // That there are fewer than asked for is known, so that nothing is asked again.
        try await store.save(House("unrelated"))
        try await store.save(Room("95", house: House("there")))
        let readCount = reads["Room"]
        #expect(try await live.next()?.items.map(\.id) == ["9", "95"])
        #expect(isRelated || reads["Room"] == readCount)
    }
}
