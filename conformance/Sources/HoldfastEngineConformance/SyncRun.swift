import HoldfastConformance
import HoldfastEngine
import HoldfastModel
import HoldfastStorage

/// Books of a store and of a service that change side by side, with events that come late, twice, and in any order.
struct SyncRun {
    private static let ids = ["a", "b", "c"]

    private let store: EngineStore
    private let context: ClauseContext
    private let entity: EntitySchema
    private let fence: SyncFence
    private var random: SplitMix64
    private var service: FakeService
    private var events: [RemoteRecord] = []
    private var inFlight: [OutgoingMutation] = []

    init(_ context: ClauseContext, seed: UInt64) async throws {
        store = try await context.openEngine()
        fence = try await store.claim()
        entity = try Bookshop.entity(of: Bookshop.Book.self)
        service = FakeService(entity)
        random = SplitMix64(seed: seed)
        self.context = context
    }

    /// One step of an application, another device, the network, or the service.
    mutating func step() async throws {
        switch random.below(9) {
        case 0, 1: try await store.data.save(book())
        case 2:
            let book = book()
            try await ifItHolds { try await store.data.save(book, where: Bookshop.Book.keys.title != "z") }
        case 3:
            let (id, isConditional) = (random.pick(Self.ids), random.chance(50))
            try await ifItHolds {
                try await store.data.delete(
                    Bookshop.Book.self, withId: id, where: isConditional ? Bookshop.Book.keys.title != "z" : nil)
            }
        case 4, 5:
            let row = Array(try book().row()[0])
            let key = entity.key(of: row)
            let isLast = random.chance(25) && service.history[key]?.last?.isDeleted == false
            events.append(service.write(key, isLast ? nil : row))
        case 6:
            guard !events.isEmpty else { return }
            let event = random.pick(events)
            if random.chance(70) { events.removeAll { $0 == event } }
            _ = try await store.data.apply(
                RemoteBatch(model: "Book", records: [event], rebases: random.chance(80)), fence)
        case 7: inFlight += try await store.data.take(random.below(3), fence)
        default:
            if inFlight.isEmpty { return }
            let mutation = inFlight.remove(at: random.below(inFlight.count))
            let outcome = service.receive(mutation, refusing: random.chance(10), retrying: random.chance(50))
            if case .accepted(_, let record) = outcome, random.chance(50) { events.append(record) }
            _ = try await store.data.settle([outcome], fence)
        }
    }

    /// Every record, read without the engine and with all its entries taken back, is the service's at the version that
    /// the metadata names.
    ///
    /// - Returns: How many entries were taken back.
    func check(_ when: String) async throws -> Int {
        let rows = try await store.rows(of: "Book")
        let entries = try await store.rows(of: "__outbox").compactMap { OutboxEntry($0.cells[...]) }
        let metadata = try await store.rows(of: "__record_metadata").compactMap { RecordMetadata($0.cells[...]) }
        for id in Self.ids {
            let key = RecordKey(id)
            let own = entries.filter { $0.key == id }
            let row = rows.first { entity.key(of: $0.cells) == key }?.cells
            guard let base = own.undone(row, of: entity) else {
                throw ClauseFailure("The changes of \(id) cannot be taken back, \(when)")
            }
            let version = metadata.first { $0.key == id }?.version
            let expected = version.flatMap { service.record(key, version: $0)?.row }
            try context.expectEqual(base, expected, "book \(id) without its changes, \(when)")
            let later = own.sorted { $0.position < $1.position }.dropFirst()
            try context.expect(
                later.allSatisfy { $0.stage == .pending }, "Two changes of book \(id) are in flight, \(when)")
        }
        return entries.count
    }

    /// Everything is said and everything sent; then both sides hold the same.
    mutating func settle(_ when: String) async throws {
        for event in events.shuffled(using: &random) {
            _ = try await store.data.apply(RemoteBatch(model: "Book", records: [event]), fence)
        }
        for _ in 0..<100 where try await store.data.outboxCount() > 0 {
            inFlight += try await store.data.take(8, fence)
            for mutation in inFlight { _ = try await store.data.settle([service.receive(mutation)], fence) }
            inFlight = []
            _ = try await check(when)
        }
        try context.expectEqual(try await store.data.outboxCount(), 0, "the entries that cannot be sent, \(when)")
        let all = service.newest.shuffled(using: &random)
        _ = try await store.data.apply(RemoteBatch(model: "Book", records: all, generation: 1), fence)
        _ = try await store.data.sweep("Book", 1, fence)
        try context.expectEqual(
            try await store.rows(of: "Book").map(\.cells), service.newest.compactMap(\.row), "the books, \(when)")
        try context.expectEqual(try await store.rows(of: "__shelf").count, 0, "what still waits, \(when)")
    }

    private mutating func book() -> Bookshop.Book {
        Bookshop.Book(
            random.pick(Self.ids), title: random.pick(["x", "y", "z"]),
            pages: random.chance(50) ? random.below(3) : nil,
            cover: random.chance(50) ? nil : Bookshop.Cover(colour: random.pick(["\"r\\", "\u{1}\u{1F600}"])))
    }

    private func ifItHolds(_ change: () async throws -> Void) async throws {
        do {
            try await change()
        } catch let error as ModelError where error.kind == .conditionFailed {
            return
        }
    }
}

extension Bookshop {
    /// What a store has of a model.
    static func entity<M: Model>(of type: M.Type) throws -> EntitySchema {
        var schemas: [String: ModelSchema] = [:]
        for model in models { schemas[model.modelName] = model.schema }
        return try type.schema.entity(among: schemas)
    }

    /// What a service says of a model.
    static func remote(_ model: some Model, _ version: Int64) throws -> RemoteRecord {
        RemoteRecord(
            key: try model.recordKey(), row: Array(try model.row()[0]), version: version, lastChangedAt: version)
    }

    /// What a service says of a deleted record.
    static func tombstone(_ id: String, _ version: Int64) -> RemoteRecord {
        RemoteRecord(key: RecordKey(id), row: nil, version: version, lastChangedAt: version)
    }
}

extension EngineStore {
    /// Takes the lease, which must be free.
    func claim(_ holder: String = "here") async throws -> SyncFence {
        guard let fence = try await data.claim(holder, until: 1_000, now: 0) else {
            throw ClauseFailure("No process has the lease, and it is not given")
        }
        return fence
    }

    /// Takes in books of a service.
    @discardableResult
    func apply(
        _ records: [RemoteRecord], _ fence: SyncFence, generation: Int64 = 0, rebases: Bool = true
    ) async throws -> ApplyReport {
        try await data.apply(
            RemoteBatch(model: "Book", records: records, generation: generation, rebases: rebases), fence)
    }

    /// The titles of all books in key order.
    func titles() async throws -> [String?] { try await data.query(Bookshop.Book.self).map(\.title) }
}
