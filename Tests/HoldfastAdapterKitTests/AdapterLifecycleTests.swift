import HoldfastAdapterKit
import HoldfastStorage
import Testing

@Suite struct AdapterLifecycleTests {
    private func kind(_ body: () async throws(StorageError) -> Void) async -> StorageError.Kind? {
        do {
            try await body()
            return nil
        } catch {
            return error.kind
        }
    }

    @Test func aStoreIsThereFromOpeningToTheEnd() async throws {
        let lifecycle = AdapterLifecycle<Int>()
        #expect(await kind { () throws(StorageError) in _ = try lifecycle.store() } == .misuse)
        try await lifecycle.open({ 7 }, discard: { _ in })
        #expect(try lifecycle.store() == 7)
        #expect(
            await kind { () async throws(StorageError) in try await lifecycle.open({ 8 }, discard: { _ in }) }
                == .misuse)
        #expect(lifecycle.close() == 7)
        #expect(lifecycle.close() == nil)
        #expect(await kind { () throws(StorageError) in _ = try lifecycle.store() } == .closed)
        #expect(
            await kind { () async throws(StorageError) in try await lifecycle.open({ 8 }, discard: { _ in }) }
                == .closed)
    }

    @Test func anAttemptThatFailsMayBeRepeated() async throws {
        let lifecycle = AdapterLifecycle<Int>()
        let failure = await kind { () async throws(StorageError) in
            try await lifecycle.open(
                { () throws(StorageError) in throw StorageError(.io, "No disk.") }, discard: { _ in })
        }
        #expect(failure == .io)
        try await lifecycle.open({ 7 }, discard: { _ in })
        #expect(try lifecycle.store() == 7)
    }

    @Test func closingWhileOpeningClosesTheNewStore() async {
        let lifecycle = AdapterLifecycle<Int>()
        let discarded = Mutex<[Int]>([])
        let failure = await kind { () async throws(StorageError) in
            try await lifecycle.open {
                #expect(lifecycle.close() == nil)
                return 7
            } discard: { store in
                discarded.withLock { $0.append(store) }
            }
        }
        #expect(failure == .closed)
        #expect(discarded.withLock { $0 } == [7])
    }
}
