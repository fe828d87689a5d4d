import HoldfastAdapterTestSupport
import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite struct BadInputTests {
    typealias Call = @Sendable (DataStore) async throws -> Void

    /// Something wrong to do, and the error it must give.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let kind: String
        let call: Call

        init(_ name: String, _ kind: StorageError.Kind, _ call: @escaping Call) {
            (testDescription, self.kind, self.call) = (name, kind.rawValue, call)
        }

        init(_ name: String, _ kind: ModelError.Kind, _ call: @escaping Call) {
            (testDescription, self.kind, self.call) = (name, kind.rawValue, call)
        }
    }

    static func sample(_ change: (inout Sample) -> Void) -> Sample {
        var sample = Sample(id: "new")
        change(&sample)
        return sample
    }

    static let keys = Sample.keys

    static let writes = [
        Fault("NUL in text", .unrepresentable) { try await $0.save(sample { $0.text = "a\0b" }) },
        Fault("NUL in a key", .unrepresentable) { try await $0.save(Sample(id: "a\0")) },
        Fault("NUL in a list of models", .unrepresentable) {
            try await $0.save([Sample(id: "1"), Sample(id: "2"), sample { $0.text = "\0" }, Sample(id: "3")])
        },
        Fault("a number that is not finite", .unrepresentable) { try await $0.save(sample { $0.ratio = .infinity }) },
        Fault("not a number", .unrepresentable) { try await $0.save([sample { $0.ratio = .nan }]) },
        Fault("a date out of range", .unrepresentable) {
            let day = Temporal.Date(CalendarDate(daysSinceEpoch: .max))
            try await $0.save(sample { $0.day = day })
        },
        Fault("an over-long key", .limitExceeded) {
            try await $0.save(Sample(id: String(repeating: "k", count: 100_000)))
        },
        Fault("a required relation without a parent", .unrepresentable) {
            try await $0.save(OrderLine(id: "l", title: "", order: nil))
        },
        Fault("a model that is not registered", .unregistered) { try await $0.save(Stranger()) },
        Fault("an update of the stored record with NUL", .unrepresentable) {
            var sample = Sample(id: "stored")
            sample.text = "\0"
            try await $0.save(sample)
        },
        Fault("deleting by a key with NUL", .unrepresentable) { try await $0.delete(Sample.self, withId: "\0") },
        Fault("deleting by an over-long key", .limitExceeded) {
            try await $0.delete(Sample.self, withId: String(repeating: "k", count: 100_000))
        },
        Fault("deleting by half a key", .schemaMismatch) { try await $0.delete(Order.self, withId: "shop") },
        Fault("deleting what is not registered", .unregistered) { try await $0.delete(Stranger()) },
        Fault("deleting by an unknown field", .schemaMismatch) {
            try await $0.delete(Sample.self, where: field("nothing") == 1)
        },
    ]

    static let predicates: [(String, StorageError.Kind, any QueryPredicate)] = [
        ("an unknown field", .schemaMismatch, field("nothing") == 1),
        ("an unknown field deep inside", .schemaMismatch, not(keys.count == 1 || !(field("x") == nil))),
        ("text for an integer", .unrepresentable, keys.count > "many"),
        ("text that is not a date", .unrepresentable, keys.day == "yesterday"),
        ("NUL in an operand", .unrepresentable, keys.text == "\0"),
        ("NUL in a needle", .unrepresentable, keys.text.contains("\0")),
        ("a number that is not finite", .unrepresentable, keys.ratio < Double.nan),
        ("a prefix of an integer", .schemaMismatch, keys.count.beginsWith("1")),
        ("an order of a list", .schemaMismatch, keys.numbers > 1),
        ("too deep a nesting", .limitExceeded, (0..<2_000).reduce(not(keys.count == 1)) { inner, _ in not(inner) }),
        ("too many parts", .limitExceeded, QueryPredicateGroup(predicates: (0...100_000).map { keys.count == $0 })),
    ]

    static let reads: [Fault] =
        predicates.flatMap { name, kind, predicate in
            [
                Fault("query with \(name)", kind) { _ = try await $0.query(Sample.self, where: predicate) },
                Fault("count with \(name)", kind) { _ = try await $0.count(Sample.self, where: predicate) },
                Fault("delete with \(name)", kind) { try await $0.delete(Sample.self, where: predicate) },
                Fault("observe with \(name)", kind) { _ = try $0.observe(Sample.self, where: predicate) },
                Fault("live query with \(name)", kind) { _ = try $0.observeQuery(Sample.self, where: predicate) },
            ]
        } + [
            Fault("a sort by a list", .schemaMismatch) {
                _ = try await $0.query(Sample.self, sort: .ascending(keys.numbers))
            },
            Fault("a sort by one field twice", .misuse) {
                _ = try await $0.query(Sample.self, sort: .by(.ascending(keys.text), .descending(keys.text)))
            },
            Fault("a page beyond all numbers", .misuse) {
                _ = try await $0.query(Sample.self, paginate: .page(.max, limit: 2))
            },
            Fault("a relation without one key in a predicate", .invalidSchema) {
                _ = try await $0.query(OrderLine.self, where: OrderLine.keys.order == "x")
            },
            Fault("a query of what is not registered", .unregistered) { _ = try await $0.query(Stranger.self) },
            Fault("observing what is not registered", .unregistered) { _ = try $0.observe(Stranger.self) },
            Fault("half a key", .schemaMismatch) { _ = try await $0.query(Order.self, byId: "shop") },
        ]

    @Test(arguments: EngineAdapter.all)
    func badInputIsATypedErrorAndChangesNothing(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save(Sample(id: "stored"))
        let (changes, others) = (try store.observe(Sample.self), try store.observe(OrderLine.self))
        let before = try await store.dump()
        for fault in Self.writes + Self.reads {
            await #expect("\(adapter): \(fault.testDescription)") { try await fault.call(store) } throws: {
                Self.kind(of: $0) == fault.kind
            }
            let after = try await store.dump()
            #expect(after == before, "\(adapter): \(fault.testDescription)")
        }
        #expect(try await store.close(andCollect: changes).isEmpty)
        #expect(try await store.close(andCollect: others).isEmpty)
    }

    static let uses = [
        Fault("save", .closed) { try await $0.save(Sample(id: "1")) },
        Fault("save many", .closed) { try await $0.save([Sample(id: "1"), Sample(id: "2")]) },
        Fault("query", .closed) { _ = try await $0.query(Sample.self) },
        Fault("query by id", .closed) { _ = try await $0.query(Sample.self, byId: "1") },
        Fault("count", .closed) { _ = try await $0.count(Sample.self) },
        Fault("delete", .closed) { try await $0.delete(Sample.self, withId: "1") },
        Fault("delete where", .closed) { try await $0.delete(Sample.self, where: keys.count == 1) },
        Fault("outbox", .closed) { _ = try await $0.outboxEntries() },
        Fault("outbox count", .closed) { _ = try await $0.outboxCount() },
        Fault("observe", .closed) { _ = try $0.observe(Sample.self) },
        Fault("live query", .closed) { _ = try $0.observeQuery(Sample.self) },
    ]

    @Test(arguments: EngineAdapter.all)
    func aClosedStoreFailsAsClosed(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.close()
        try await store.close()
        for fault in Self.uses {
            await #expect("\(adapter): \(fault.testDescription)") { try await fault.call(store) } throws: {
                Self.kind(of: $0) == fault.kind
            }
        }
    }

    @Test(arguments: EngineAdapter.all)
    func aSchemaThatBreaksARuleIsRefusedOnOpening(adapter: EngineAdapter) async {
        let cases: [([any Model.Type], String)] = [
            ([Blog.self, Post.self, Blog.self], ModelError.Kind.invalidSchema.rawValue),
            ([Post.self, Blog.self, OtherPost.self], ModelError.Kind.invalidSchema.rawValue),
            ([Post.self], ModelError.Kind.invalidSchema.rawValue),
            ([Blog.self], ModelError.Kind.invalidSchema.rawValue),
            ([Keyless.self], ModelError.Kind.invalidSchema.rawValue),
            ([Misnamed.self], StorageError.Kind.schemaMismatch.rawValue),
        ]
        for (models, kind) in cases {
            await #expect("\(models)") { try await DataStore.open(adapter.make(), models: models) } throws: {
                Self.kind(of: $0) == kind
            }
        }
    }

    @Test(arguments: EngineAdapter.all)
    func aLocalModelThatIsNoneIsRefusedOnOpening(adapter: EngineAdapter) async {
        await #expect {
            try await DataStore.open(
                adapter.make(), models: [Sample.self], options: DataStoreOptions(localModels: ["Sample", "Smaple"]))
        } throws: {
            $0 as? ModelError == ModelError.unregistered("Smaple")
        }
    }

    @Test(arguments: EngineAdapter.all.filter { $0.make().capabilities.durability < .powerLoss })
    func moreDurabilityThanThereIsIsRefused(adapter: EngineAdapter) async throws {
        let store = try await adapter.open(DataStoreOptions(durability: .powerLoss))
        let before = try await store.dump()
        await #expect { try await store.save(Sample(id: "1")) } throws: {
            Self.kind(of: $0) == StorageError.Kind.unsupported.rawValue
        }
        #expect(try await store.dump() == before)
    }

    @Test(arguments: EngineAdapter.all)
    func aCancelledTaskSavesNothing(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let gate = Gate()
        let task = Task {
            await gate.wait()
            try await store.save(Sample(id: "1"))
        }
        task.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await store.count(Sample.self) == 0)
        #expect(try await store.outboxCount() == 0)
        let reads: [@Sendable () async throws -> Void] = [
            { _ = try await store.query(Sample.self) },
            { _ = try await store.count(Sample.self) }, { _ = try await store.transaction { _ in } },
            { _ = try await store.read { _ in } }, { for try await _ in try store.stream(Sample.self) {} },
            { _ = try await store.save([Sample(id: "1")]) }, { _ = try await store.delete(Sample(id: "1")) },
        ]
        for read in reads {
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await read()
            }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    static func kind(of error: any Error) -> String? {
        (error as? StorageError)?.kind.rawValue ?? (error as? ModelError)?.kind.rawValue
    }
}

protocol EmptyModel: Model { init() }

extension EmptyModel {
    init(row: RowReader) throws(ModelError) { self.init() }
    func write(to row: inout RowWriter) throws(ModelError) { row.write("id") }
}

struct Stranger: EmptyModel {
    static let schema = defineSchema { $0.fields(.id()) }
}

struct OtherPost: EmptyModel {
    static let schema = defineSchema(name: "Post") { $0.fields(.id()) }
}

struct Keyless: EmptyModel {
    static let schema = defineSchema { $0.fields(.field(Post.keys.id)) }
}

struct Misnamed: EmptyModel {
    static let schema = defineSchema(name: "__outbox") { $0.fields(.id()) }
}
