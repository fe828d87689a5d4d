import HoldfastAdapterKit
import HoldfastStorage
import Synchronization
import Testing

@Suite struct StoreLifeTests {
    private func kind(_ body: () async throws(StorageError) -> Void) async -> StorageError.Kind? {
        do {
            try await body()
            return nil
        } catch {
            return error.kind
        }
    }

    @Test func aStoreIsThereFromOpeningToTheEnd() async throws {
        let life = StoreLife<Int>()
        #expect(await kind { () throws(StorageError) in _ = try life.store() } == .misuse)
        try await life.open({ 7 }, discard: { _ in })
        #expect(try life.store() == 7)
        #expect(
            await kind { () async throws(StorageError) in try await life.open({ 8 }, discard: { _ in }) } == .misuse)
        #expect(life.end() == 7)
        #expect(life.end() == nil)
        #expect(await kind { () throws(StorageError) in _ = try life.store() } == .closed)
        #expect(
            await kind { () async throws(StorageError) in try await life.open({ 8 }, discard: { _ in }) } == .closed)
    }

    @Test func anAttemptThatFailsMayBeRepeated() async throws {
        let life = StoreLife<Int>()
        let failure = await kind { () async throws(StorageError) in
            try await life.open({ () throws(StorageError) in throw StorageError(.io, "No disk.") }, discard: { _ in })
        }
        #expect(failure == .io)
        try await life.open({ 7 }, discard: { _ in })
        #expect(try life.store() == 7)
    }

    @Test func closingDuringAnAttemptEndsTheStoreThatItBrings() async {
        let life = StoreLife<Int>()
        let discarded = Mutex<[Int]>([])
        let failure = await kind { () async throws(StorageError) in
            try await life.open {
                #expect(life.end() == nil)
                return 7
            } discard: { store in
                discarded.withLock { $0.append(store) }
            }
        }
        #expect(failure == .closed)
        #expect(discarded.withLock { $0 } == [7])
    }
}
