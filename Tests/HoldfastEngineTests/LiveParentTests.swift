import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

/// A node of a tree that holds its parent itself, in a list, since it is of the same type.
private struct Twig: Model {
    let id: String
    var name: String
    /// One or none.
    var parent: [Twig]

    init(_ id: String, name: String = "", parent: Twig? = nil) {
        (self.id, self.name) = (id, name)
        self.parent = parent.map { [$0] } ?? []
    }

    enum CodingKeys: String, ModelKey { case id, name, parent }
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [CodingKeys.id]))
        model.fields(
            .field(CodingKeys.id), .field(CodingKeys.name),
            .belongsTo(CodingKeys.parent, is: .optional, ofType: Twig.self, targetNames: ["parentID"]))
    }

    init(row: RowReader) throws(ModelError) {
        id = try row.read(0)
        name = try row.read(1)
        // Of a parent only its own fields are loaded.
        parent = row.parents == nil ? [] : try row.parent("parent", keyColumns: 2).map { [$0] } ?? []
    }

    func write(to row: inout RowWriter) throws(ModelError) {
        row.write(id)
        row.write(name)
        try row.write(parent: parent.first)
    }
}

/// Live queries of models that hold their parents themselves are the queries, whatever changes.
struct LiveParentTests {
    typealias Snapshots = LiveQuery<Lease>.Iterator

    func text(_ lease: Lease) -> String {
        "\(lease.id) \(lease.rent) \(lease.room.name) \(lease.room.house.name) "
            + (lease.tenant.map { "\($0.name) \($0.house.name)" } ?? "-")
    }

    func texts(_ snapshot: QuerySnapshot<Lease>?) -> [String]? { snapshot?.items.map(text) }

    /// Two leases without tenants, in rooms of two houses.
    func fill(_ store: DataStore) async throws {
        for id in ["1", "2"] {
            let house = House("h\(id)", name: "H\(id)")
            try await store.save(house)
            try await store.save(Room("r\(id)", name: "R\(id)", house: house))
            try await store.save(Lease(id, rent: Int(id) ?? 0, room: Room("r\(id)", house: house)))
        }
    }

    /// The same query in both of its ways: maintained, and asked again.
    static let predicates: [Bool] = [false, true]

    func predicate(_ isRelated: Bool) -> any QueryPredicate {
        isRelated ? field("room.name") != "none" : Lease.CodingKeys.rent >= 0
    }

    @Test(arguments: EngineAdapter.all, predicates)
    func aParentThatChangesIsShownAtEveryDepth(adapter: EngineAdapter, isRelated: Bool) async throws {
        let store = try await adapter.graph()
        try await fill(store)
        var live = try store.observeQuery(Lease.self, where: predicate(isRelated)).makeAsyncIterator()
        #expect(texts(try await live.next()) == ["1 1 R1 H1 -", "2 2 R2 H2 -"])
        try await store.save(Room("r1", name: "Hall", house: House("h1")))
        try await store.save(Lease("3", rent: 3, room: Room("r1", house: House("h1"))))
        #expect(texts(try await live.next()) == ["1 1 Hall H1 -", "2 2 R2 H2 -", "3 3 Hall H1 -"])
        try await store.save(House("h2", name: "Home"))
        #expect(texts(try await live.next()) == ["1 1 Hall H1 -", "2 2 R2 Home -", "3 3 Hall H1 -"])
        try await store.save(Room("r1", name: "Hall", house: House("h2")))
        #expect(texts(try await live.next()) == ["1 1 Hall Home -", "2 2 R2 Home -", "3 3 Hall Home -"])
        // What was looked up is new.
        try await store.save(House("h2", name: "Hut"))
        #expect(texts(try await live.next()) == ["1 1 Hall Hut -", "2 2 R2 Hut -", "3 3 Hall Hut -"])
        try await store.close()
        #expect(try await live.next() == nil)
    }

    /// The ids of the second snapshot of a query, and how often its records were read between the first one and the
    /// last change, which makes the snapshot.
    func second(
        _ query: LiveQuery<Lease>, _ reads: Reads, after changes: () async throws -> Void,
        last: () async throws -> Void
    ) async throws -> (ids: [String]?, readCount: Int) {
        let gate = Gate()
        let snapshot = Task {
            var live = query.makeAsyncIterator()
            _ = try await live.next()
            gate.open()
            return try await live.next()?.items.map(\.id)
        }
        await gate.wait()
        reads.reset()
        try await changes()
        // Lets the query look at the changes before the last one.
        for _ in 0..<5_000 where reads["Lease"] == 0 { await Task.yield() }
        let readCount = reads["Lease"]
        try await last()
        return (try await snapshot.value, readCount)
    }

    @Test(arguments: EngineAdapter.all, predicates)
    func aParentThatNoRecordHoldsYieldsNoSnapshotAndNoQuery(
        adapter: EngineAdapter, isRelated: Bool
    ) async throws {
        let reads = Reads()
        let store = try await WatchedAdapter(adapter.make(), reads).graphStore()
        try await fill(store)
        let seen = try await second(try store.observeQuery(Lease.self, where: predicate(isRelated)), reads) {
            try await store.save(House("h3", name: "unrelated"))
            try await store.save(House("h3", name: "still"))
            try await store.delete(House.self, withId: "h3")
            // The rooms decide the answer of the related query.
            if !isRelated { try await store.save(Room("r3", house: House("h1"))) }
        } last: {
            try await store.delete(Lease.self, withId: "1")
        }
        #expect(seen.ids == ["2"] && seen.readCount == 0)
    }

    /// A record beyond the limit is held, but not shown.
    @Test(arguments: EngineAdapter.all)
    func theParentOfARecordAfterTheLimitYieldsNoSnapshot(adapter: EngineAdapter) async throws {
        let reads = Reads()
        let store = try await WatchedAdapter(adapter.make(), reads).graphStore()
        try await fill(store)
        let seen = try await second(try store.observeQuery(Lease.self, limit: 1), reads) {
            try await store.save(House("h2", name: "behind"))
        } last: {
            try await store.delete(Lease.self, withId: "1")
        }
        #expect(seen.ids == ["2"])
    }

    /// New records come with their parents, and nothing is asked again.
    @Test(arguments: EngineAdapter.all)
    func ownChangesAreTakenInWithoutAQuery(adapter: EngineAdapter) async throws {
        let reads = Reads()
        let store = try await WatchedAdapter(adapter.make(), reads).graphStore()
        try await fill(store)
        var live = try store.observeQuery(Lease.self).makeAsyncIterator()
        _ = try await live.next()
        for number in 3...6 {
            let house = House("h\(number)", name: "H\(number)")
            try await store.transaction { transaction in
                try await transaction.save(house)
                try await transaction.save(Room("r\(number)", name: "R\(number)", house: house))
                try await transaction.save(Lease("\(number)", room: Room("r\(number)", house: house)))
            }
            try await store.save(Lease("\(number)", rent: number, room: Room("r\(number)", house: house)))
            reads.reset()
            #expect(texts(try await live.next())?.last == "\(number) \(number) R\(number) H\(number) -")
            #expect(reads["Lease"] == 0)
        }
    }

    @Test(arguments: EngineAdapter.all, predicates)
    func aHiddenRecordAppearsWithItsParents(adapter: EngineAdapter, isRelated: Bool) async throws {
        let store = try await adapter.graph()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        func apply(_ model: some Model) async throws {
            let record = RemoteRecord(
                key: try model.recordKey(), row: Array(try model.row()[0]), version: 1, lastChangedAt: 1)
            _ = try await store.apply(RemoteBatch(model: type(of: model).modelName, records: [record]), fence)
        }
        let (house, predicate) = (House("h", name: "H"), predicate(isRelated))
        var live = try store.observeQuery(Lease.self, where: predicate).makeAsyncIterator()
        #expect(texts(try await live.next()) == [])
        try await apply(Lease("a", rent: 1, room: Room("r", house: house), tenant: Tenant("t", house: house)))
        try await apply(Room("r", name: "R", house: house))
        var other = try store.observeQuery(Lease.self, where: predicate).makeAsyncIterator()
        #expect(texts(try await other.next()) == [])
        try await apply(house)
        #expect(texts(try await live.next()) == ["a 1 R H -"])
        #expect(texts(try await other.next()) == ["a 1 R H -"])
        try await apply(Tenant("t", name: "T", house: house))
        #expect(texts(try await live.next()) == ["a 1 R H T H"])
        #expect(texts(try await other.next()) == ["a 1 R H T H"])
        // Past the engine, as a service that deletes the parent alone.
        _ = try await store.apply(
            RemoteBatch(
                model: "Tenant",
                records: [RemoteRecord(key: RecordKey("t"), row: nil, version: 2, lastChangedAt: 2)]), fence)
        let left = try await store.query(Lease.self, where: predicate).map(text)
        #expect(texts(try await live.next()) == left)
        #expect(texts(try await other.next()) == left)
    }

    @Test(arguments: EngineAdapter.all, predicates)
    func aDeletedParentTakesItsRecordsAlongInOneSnapshot(adapter: EngineAdapter, isRelated: Bool) async throws {
        let store = try await adapter.graph()
        try await fill(store)
        var live = try store.observeQuery(Lease.self, where: predicate(isRelated)).makeAsyncIterator()
        #expect(try await live.next()?.items.count == 2)
        try await store.delete(House.self, withId: "h1")
        #expect(texts(try await live.next()) == ["2 2 R2 H2 -"])
        try await store.close()
        #expect(try await live.next() == nil)
    }

    /// Nothing says what has changed; the records themselves have not changed.
    @Test(arguments: EngineAdapter.all, predicates)
    func askingAgainShowsAChangedParent(adapter: EngineAdapter, isRelated: Bool) async throws {
        let store = try await adapter.graph()
        try await fill(store)
        var live = try store.observeQuery(Lease.self, where: predicate(isRelated)).makeAsyncIterator()
        #expect(try await live.next()?.items.count == 2)
        _ = try await store.store.commit(
            CommitRequest(operations: [
                .put(entity: "House", rows: try House("h1", name: "other").row(), mode: .upsert)
            ]))
        store.refresh()
        #expect(texts(try await live.next()) == ["1 1 R1 other -", "2 2 R2 H2 -"])
        store.refresh()
        try await store.close()
        #expect(try await live.next() == nil)
    }

    @Test(arguments: EngineAdapter.all)
    func aModelMayBeItsOwnParent(adapter: EngineAdapter) async throws {
        let store = try await adapter.make().dataStore(models: [Twig.self])
        let predicate = Twig.CodingKeys.name != "hidden"
        var live = try store.observeQuery(Twig.self, where: predicate).makeAsyncIterator()
        func expectNext(_ expected: [String]) async throws {
            let shown = try await live.next()?.items.map { "\($0.id)\($0.name)<\($0.parent.first?.name ?? "-")" }
            #expect(shown == expected)
        }
        try await expectNext([])
        let root = Twig("a", name: "1")
        try await store.save(root)
        try await store.save(Twig("b", name: "1", parent: root))
        try await expectNext(["a1<-", "b1<1"])
        try await store.save(Twig("a", name: "2"))
        try await expectNext(["a2<-", "b1<2"])
        // The parent leaves the result, not the record that holds it.
        try await store.save(Twig("a", name: "hidden"))
        try await expectNext(["b1<hidden"])
        try await store.save([Twig("c", name: "1", parent: Twig("b")), Twig("b", name: "3", parent: root)])
        try await expectNext(["b3<hidden", "c1<3"])
        try await store.delete(Twig.self, withId: "b")
        try await expectNext([])
        try await store.close()
        #expect(try await live.next() == nil)
    }

    @Test(arguments: EngineAdapter.all, [1, 2, 3] as [UInt64])
    func atEveryQuietPointALiveQueryIsTheQuery(adapter: EngineAdapter, seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let store = try await adapter.graph()
        let houses = (0..<3).map { House("h\($0)", name: "H\($0)") }
        let (rooms, tenants) = (
            (0..<4).map { Room("r\($0)", house: houses[$0 % 3]) },
            (0..<4).map { Tenant("t\($0)", house: houses[$0 % 3]) }
        )
        try await store.save(houses)
        try await store.save(rooms)
        try await store.save(tenants)
        // One record changes with each step.
        let beat = House("beat")
        try await store.save(beat)
        try await store.save(Room("beat", house: beat))
        let queries: [(predicate: any QueryPredicate, sort: QuerySortInput?)] = [
            (QueryPredicateConstant.all, nil),
            (Lease.CodingKeys.rent > 1, .descending(Lease.CodingKeys.rent)),
            (field("room.name") != "n1", .by(.ascending("room.house.name"), .ascending("id"))),
        ]
        var lives: [Snapshots] = []
        for (predicate, sort) in queries {
            var live = try store.observeQuery(Lease.self, where: predicate, sort: sort).makeAsyncIterator()
            _ = try await live.next()
            lives.append(live)
        }
        for step in 0..<30 {
            for _ in 0..<random.number(in: 1...3) {
                let (house, name) = (random.pick(houses), "n\(random.below(3))")
                let (room, tenant) = (random.pick(rooms), random.pick(tenants))
                switch random.below(8) {
                case 0: try await store.save(House(house.id, name: name))
                case 1:
                    try await store.save(house)
                    try await store.save(Room(room.id, name: name, house: house))
                case 2:
                    try await store.save(house)
                    try await store.save(Tenant(tenant.id, name: name, house: house))
                case 3: try await store.delete(house)
                case 4:
                    // As a service that does not delete what belongs to a record: children are hidden.
                    let (entity, id) = random.pick([("House", house.id), ("Room", room.id), ("Tenant", tenant.id)])
                    _ = try await store.engine.commit { _ in
                        let entity = try #require(store.catalog.model(named: entity)?.entity)
                        var draft = store.engine.draft(PendingEntries(), at: nil)
                        let rows = try await store.store.withSnapshot { snapshot in
                            try await snapshot.rows(
                                QueryPlan(entity.name, where: .compare("id", .equal, .text(id))))
                        }
                        draft.delete(rows, of: entity)
                        return draft
                    }
                default:
                    let lease = Lease(
                        "\(random.below(6))", rent: random.below(5), room: room,
                        tenant: random.chance(50) ? nil : tenant)
                    do {
                        try await store.save(lease)
                    } catch let error as ModelError where error.kind == .brokenRelation {}
                }
            }
            try await store.save(Lease("~", rent: 100 + step, room: Room("beat", house: beat)))
            for (index, (predicate, sort)) in queries.enumerated() {
                let shown = texts(try await lives[index].next())
                #expect(shown == (try await store.query(Lease.self, where: predicate, sort: sort).map(text)))
            }
        }
    }

    /// Records and the parent that they hold change in one commit, or one after the other; never do two records hold
    /// the parent as it was at different moments.
    @Test(arguments: EngineAdapter.all, [true, false])
    func noSnapshotShowsAParentInTwoStates(adapter: EngineAdapter, isOneCommit: Bool) async throws {
        let store = try await adapter.graph(DataStoreOptions(recordsMutations: false))
        let house = House("h", name: "0")
        try await store.save(house)
        try await store.save(Room("a", name: "0", house: house))
        let live = try store.observeQuery(Room.self)
        async let written: Void = {
            for number in 1..<200 {
                let house = House("h", name: "\(number)")
                if !isOneCommit {
                    try await store.save(house)
                    try await store.save(Room("b\(number % 3)", house: house))
                    continue
                }
                try await store.transaction { transaction in
                    try await transaction.save(house)
                    for id in ["a", "b\(number % 3)"] {
                        try await transaction.save(Room(id, name: "\(number)", house: house))
                    }
                    try await transaction.delete(Room("b\((number + 1) % 3)", house: house))
                }
            }
            try await store.close()
        }()
        var halves = 0
        do {
            for try await snapshot in live {
                if Set(snapshot.items.map(\.house.name)).count > 1 { halves += 1 }
                if isOneCommit, let first = snapshot.items.first, first.name != first.house.name { halves += 1 }
            }
        } catch let error as StorageError where error.kind == .closed {}
        try await written
        #expect(halves == 0)
    }
}
