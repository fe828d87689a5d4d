import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

struct AtomicityTests {
    static func batch(badAt index: Int) -> [Sample] {
        (0..<20).map { number in
            var sample = Sample(id: "\(number)")
            sample.text = number == index ? "\0" : "new"
            return sample
        }
    }

    @Test(arguments: EngineAdapter.all, [0, 10, 19])
    func aBatchWithOneBadValueChangesNothing(adapter: EngineAdapter, index: Int) async throws {
        let store = try await adapter.open()
        try await store.save((5..<15).map { Sample(id: "\($0)") })
        let changes = try store.observe(Sample.self)
        let before = try await store.dump()
        await #expect { try await store.save(Self.batch(badAt: index)) } throws: {
            ($0 as? StorageError)?.kind == .unrepresentable
        }
        #expect(try await store.dump() == before)
        #expect(try await store.close(andCollect: changes).isEmpty)
    }

    @Test(arguments: EngineAdapter.all)
    func theRecordAndItsEntryAreInOneCommit(adapter: EngineAdapter) async throws {
        let intercepted = InterceptedAdapter(adapter.make()) { attempt, request async throws(StorageError) in
            let entities = Set(request.operations.map(\.entity))
            if entities != ["Sample", "__outbox"] { throw StorageError(.misuse, "\(attempt): \(entities)") }
        }
        let store = try await intercepted.dataStore()
        try await store.save(Self.batch(badAt: -1))
        try await store.save(Sample(id: "1"))
        try await store.delete(Sample.self, withId: "1")
        try await store.delete(Sample.self, where: Sample.keys.text == "new")
        #expect(intercepted.commitCount == 4)
        #expect(try await store.outboxCount() == 0)
    }

    /// An observer that reads sees a record and its outbox entry both or not at all.
    @Test(arguments: EngineAdapter.all)
    func noSnapshotSeesHalfACommit(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        async let writing: Void = {
            for number in 0..<40 {
                try await store.save([Sample(id: "a\(number)"), Sample(id: "b\(number)")])
                if number % 3 == 0 { try await store.delete(Sample.self, where: Sample.keys.id == "a\(number)") }
            }
        }()
        for _ in 0..<40 {
            let dump = try await store.dump()
            let ids = Set((dump.rows["Sample"] ?? []).map { $0.cells[0] })
            #expect(ids == Set((dump.rows["__outbox"] ?? []).map { $0.cells[1] }))
        }
        try await writing
    }
}
