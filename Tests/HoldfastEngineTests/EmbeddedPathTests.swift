import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

/// Predicates and sorts by parts of embedded values, against an evaluation of the models in Swift.
struct EmbeddedPathTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let predicate: any QueryPredicate
        let holds: @Sendable (Parcel, [String: Sender]) -> Bool
        let testDescription: String

        init(
            _ name: String, _ predicate: any QueryPredicate,
            _ holds: @escaping @Sendable (Parcel, [String: Sender]) -> Bool
        ) {
            (testDescription, self.predicate, self.holds) = (name, predicate, holds)
        }
    }

    static let noon = Temporal.DateTime(
        Timestamp(secondsSinceEpoch: 43_200, nanoseconds: 0, tail: WrittenForm(offset: 0)))

    static var cases: [Case] {
        let city = field("origin.city")
        let number = field("origin.gate.number")
        return [
            Case("eq", city == "b") { parcel, _ in parcel.origin?.city == "b" },
            Case("typed path", Parcel.path.embedded("origin").string("city") == "b") { parcel, _ in
                parcel.origin?.city == "b"
            },
            Case("ne", city != "b") { parcel, _ in parcel.origin?.city != "b" },
            Case("begins", city.beginsWith("b")) { parcel, _ in parcel.origin?.city.hasPrefix("b") ?? false },
            Case("lt", city < "b") { parcel, _ in parcel.origin.map { $0.city < "b" } ?? false },
            Case("between", number.between(start: 1, end: 2)) { parcel, _ in
                (parcel.origin?.gate?.number).map { (1...2).contains($0) } ?? false
            },
            Case("gt double", number > 1.5) { parcel, _ in (parcel.origin?.gate?.number).map { $0 >= 2 } ?? false },
            Case("nested null", number == nil) { parcel, _ in parcel.origin?.gate == nil },
            Case("exists", field("origin.gate").attributeExists(true)) { parcel, _ in parcel.origin?.gate != nil },
            Case("instant", field("origin.gate.opened") >= noon) { parcel, _ in
                (parcel.origin?.gate?.opened).map { $0 >= noon } ?? false
            },
            Case("not", not(city == "b" || number > 1)) { parcel, _ in
                !(parcel.origin?.city == "b" || (parcel.origin?.gate?.number).map { $0 > 1 } ?? false)
            },
            Case("and own field", city == "b" && Parcel.CodingKeys.weight > 1) { parcel, _ in
                parcel.origin?.city == "b" && (parcel.weight ?? 0) > 1
            },
            Case("list in an object", field("origin.tags").contains("t1")) { parcel, _ in
                parcel.origin?.tags?.contains("t1") ?? false
            },
            Case("not in a list in an object", field("origin.tags").notContains("t1")) { parcel, _ in
                !(parcel.origin?.tags?.contains("t1") ?? false)
            },
            Case("some stop", field("stops.city") == "b") { parcel, _ in
                parcel.stops.map { $0.contains { $0?.city == "b" } } ?? false
            },
            Case("some stop is another", field("stops.city") != "b") { parcel, _ in
                parcel.stops.map { $0.contains { $0?.city != "b" } } ?? true
            },
            Case("objects in an object", field("origin.gates.number") == 2) { parcel, _ in
                parcel.origin?.gates?.contains { $0.number == 2 } ?? false
            },
            Case("a parent's", field("sender.home.city") == "b") { parcel, senders in
                senders[parcel.id]?.home?.city == "b"
            },
            Case("a parent's other", field("sender.home.city") != "b") { parcel, senders in
                senders[parcel.id]?.home?.city != "b"
            },
            Case("a parent's list", field("sender.home.gates.number") != 2) { parcel, senders in
                guard let sender = senders[parcel.id] else { return false }
                return sender.home?.gates.map { $0.contains { $0.number != 2 } } ?? true
            },
        ]
    }

    struct Depot {
        let store: DataStore
        let parcels: [Parcel]
        let senders: [String: Sender]

        init(_ adapter: EngineAdapter, seed: UInt64 = 1) async throws {
            store = try await adapter.make().dataStore(models: [Parcel.self, Sender.self])
            var random = SplitMix64(seed: seed)
            let senders = (0..<4).map { Sender(id: "s\($0)", home: .random(&random)) }
            try await store.save(senders)
            var (parcels, byParcel): ([Parcel], [String: Sender]) = ([], [:])
            for index in 10..<60 {
                let sender = random.maybe { senders[Int.random(in: 0..<4, using: &$0)] }
                byParcel["\(index)"] = sender
                parcels.append(
                    Parcel(
                        id: "\(index)", origin: .random(&random),
                        stops: random.maybe { random in
                            (0..<Int.random(in: 0...2, using: &random)).map { _ in .random(&random) }
                        },
                        weight: random.maybe { Int.random(in: 0...3, using: &$0) }, sender: sender))
            }
            try await store.save(parcels)
            (self.parcels, self.senders) = (parcels, byParcel)
        }
    }

    @Test(arguments: EngineAdapter.all, cases)
    func aQuerySelectsWhatTheModelsSay(adapter: EngineAdapter, one: Case) async throws {
        let depot = try await Depot(adapter)
        let expected = depot.parcels.filter { one.holds($0, depot.senders) }.map(\.id)
        #expect(!expected.isEmpty && expected.count < depot.parcels.count)
        #expect(try await depot.store.query(Parcel.self, where: one.predicate).map(\.id) == expected)
        #expect(try await depot.store.count(Parcel.self, where: one.predicate) == expected.count)
        let page = QueryPaginationInput.page(1, limit: 3)
        #expect(
            try await depot.store.query(Parcel.self, where: one.predicate, paginate: page).map(\.id)
                == Array(expected.dropFirst(3).prefix(3)))
        #expect(depot.parcels.filter { one.predicate.evaluate(target: $0) }.map(\.id) == expected)
        #expect(try depot.parcels.filter { try one.predicate.isSatisfied(by: $0) }.map(\.id) == expected)
    }

    @Test(arguments: EngineAdapter.all)
    func aSortByAPartHasNullsFirstAndTiesInKeyOrder(adapter: EngineAdapter) async throws {
        let depot = try await Depot(adapter, seed: 2)
        func isAscending(_ left: Parcel, _ right: Parcel) -> Bool {
            (left.origin?.gate?.number ?? .min, left.id) < (right.origin?.gate?.number ?? .min, right.id)
        }
        let sorted = depot.parcels.sorted(by: isAscending).map(\.id)
        #expect(try await depot.store.query(Parcel.self, sort: .ascending("origin.gate.number")).map(\.id) == sorted)
        let path = Parcel.path.embedded("origin").embedded("gate").int("number")
        let page = try await depot.store.query(Parcel.self, sort: .ascending(path), paginate: .page(2, limit: 7))
        #expect(page.map(\.id) == Array(sorted[14..<21]))
        await #expect(throws: ModelError.self) {
            try await depot.store.query(Parcel.self, sort: .ascending("stops.city"))
        }
    }

    @Test(arguments: [
        "origin.nothing", "origin.city.name", "origin.gate.number.x", "weight.x", "stops.tags.x", "origin.",
    ])
    func aPathThatLeadsNowhereIsRefused(path: String) async throws {
        let store = try await EngineAdapter.minimal.make().dataStore(models: [Parcel.self, Sender.self])
        #expect(await refusal { _ = try await store.query(Parcel.self, where: field(path) == "x") } == .invalidSchema)
        #expect(await refusal { _ = try await store.query(Parcel.self, sort: .ascending(path)) } == .invalidSchema)
    }

    @Test(arguments: EngineAdapter.all)
    func observersAndDeletionsFollowThePath(adapter: EngineAdapter) async throws {
        let store = try await adapter.make().dataStore(models: [Parcel.self, Sender.self])
        let inB = field("origin.city") == "b"
        let changes = try store.observe(Parcel.self, where: inB)
        var live = try store.observeQuery(Parcel.self, where: inB).makeAsyncIterator()
        #expect(try await live.next()?.items.isEmpty == true)
        try await store.save(Parcel(id: "1", origin: Station(city: "a")))
        try await store.save(Parcel(id: "2", origin: Station(city: "b")))
        #expect(try await live.next()?.items.map(\.id) == ["2"])
        #expect(try await store.delete(Parcel.self, where: inB) == 1)
        #expect(try await live.next()?.items.isEmpty == true)
        #expect(try await store.query(Parcel.self).map(\.id) == ["1"])
        #expect(try await store.close(andCollect: changes).count == 2)
    }

    @Test(arguments: EngineAdapter.all, [1, 2] as [UInt64])
    func atEveryQuietPointALiveQueryByPartsIsTheQuery(adapter: EngineAdapter, seed: UInt64) async throws {
        let depot = try await Depot(adapter, seed: seed)
        let store = depot.store
        let predicate =
            field("origin.city").beginsWith("b") || field("stops.gate.number") == 2 || field("sender.home.city") == "a"
        let sort = QuerySortInput.by(
            .descending("origin.gate.number"), .ascending("sender.home.city"), .descending("origin.city"))
        func cells(_ parcels: [Parcel]) throws -> [[Value]] { try parcels.map { Array(try $0.row()[0]) } }

        var live = try store.observeQuery(Parcel.self, where: predicate, sort: sort).makeAsyncIterator()
        var newest = try #require(await live.next())
        var random = SplitMix64(seed: seed)
        var before = try await cells(store.query(Parcel.self, where: predicate, sort: sort))
        var snapshots = 1
        for step in 0..<25 {
            let id = "\(Int.random(in: 8..<60, using: &random))"
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let sender = "s\(Int.random(in: 0..<4, using: &random))"
                try await store.save(Sender(id: sender, home: .random(&random)))
            case 1: try await store.delete(Parcel.self, withId: id)
            default:
                let sender = random.maybe { Sender(id: "s\(Int.random(in: 0..<4, using: &$0))") }
                try await store.save(
                    Parcel(
                        id: id, origin: .random(&random), stops: random.maybe { [.random(&$0), .random(&$0)] },
                        sender: sender))
            }
            let after = try await cells(store.query(Parcel.self, where: predicate, sort: sort))
            if after != before {
                newest = try #require(await live.next())
                snapshots += 1
            }
            before = after
            #expect(try cells(newest.items) == after, "seed \(seed), step \(step)")
        }
        #expect(snapshots > 5)
    }
}

extension SplitMix64 {
    fileprivate mutating func maybe<T>(_ make: (inout SplitMix64) -> T) -> T? {
        Int.random(in: 0..<4, using: &self) > 0 ? make(&self) : nil
    }
}

extension Station.Gate {
    fileprivate static func random(_ random: inout SplitMix64) -> Station.Gate {
        let opened = random.maybe { random in
            let tail = WrittenForm(offset: [0, 3_600, -43_200].randomElement(using: &random) ?? 0)
            return Temporal.DateTime(
                Timestamp(
                    secondsSinceEpoch: [0, 43_200, 86_400].randomElement(using: &random) ?? 0, nanoseconds: 0,
                    tail: tail))
        }
        return Station.Gate(number: .random(in: 0...3, using: &random), opened: opened)
    }
}

extension Station? {
    fileprivate static func random(_ random: inout SplitMix64) -> Station? {
        random.maybe { random in
            Station(
                city: ["a", "b", "\"b\\", "bé"].randomElement(using: &random) ?? "",
                gate: random.maybe { .random(&$0) },
                gates: random.maybe { random in
                    (0..<Int.random(in: 0...2, using: &random)).map { _ in .random(&random) }
                },
                tags: random.maybe { ["t\(Int.random(in: 0...1, using: &$0))"] })
        }
    }
}
