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
        let closed = Mutex<[Int]>([])
        for _ in 0..<2 { await lifecycle.close { store in closed.withLock { $0.append(store) } } }
        #expect(closed.load() == [7])
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

    @Test func noCloseReturnsBeforeTheStoreIsClosed() async throws {
        let lifecycle = AdapterLifecycle<Int>()
        try await lifecycle.open({ 7 }, discard: { _ in })
        let isClosed = Latch()
        let others = Mutex<[Task<Bool, Never>]>([])
        await lifecycle.close { _ in
            for _ in 0..<4 {
                let other = Task {
                    await lifecycle.close { _ in }
                    return isClosed.isSet
                }
                others.withLock { $0.append(other) }
            }
            // Time enough for them to return too early.
            for _ in 0..<1_000 { await Task.yield() }
            isClosed.set()
        }
        for other in others.load() { #expect(await other.value) }
    }

    @Test func closingWhileOpeningWaitsUntilTheNewStoreIsClosed() async {
        let lifecycle = AdapterLifecycle<Int>()
        let isDiscarded = Latch()
        let closing = Mutex<Task<Bool, Never>?>(nil)
        let failure = await kind { () async throws(StorageError) in
            try await lifecycle.open {
                closing.store(await beginClosing(lifecycle, isDiscarded))
                return 7
            } discard: { store in
                #expect(store == 7)
                for _ in 0..<1_000 { await Task.yield() }
                isDiscarded.set()
            }
        }
        #expect(failure == .closed)
        let hasWaited = await closing.load()?.value
        #expect(hasWaited == true)
    }

    @Test func closingWhileOpeningWaitsUntilTheAttemptFails() async {
        let lifecycle = AdapterLifecycle<Int>()
        let hasFailed = Latch()
        let closing = Mutex<Task<Bool, Never>?>(nil)
        let failure = await kind { () async throws(StorageError) in
            try await lifecycle.open(
                { () async throws(StorageError) in
                    closing.store(await beginClosing(lifecycle, hasFailed))
                    for _ in 0..<1_000 { await Task.yield() }
                    hasFailed.set()
                    throw StorageError(.io, "No disk.")
                }, discard: { _ in })
        }
        #expect(failure == .io)
        let hasWaited = await closing.load()?.value
        #expect(hasWaited == true)
        #expect(await kind { () throws(StorageError) in _ = try lifecycle.store() } == .closed)
    }

    /// Returns when a task has begun to close a store that is being opened; its value is whether `isOver` is set when it
    /// has closed it.
    private func beginClosing(_ lifecycle: AdapterLifecycle<Int>, _ isOver: Latch) async -> Task<Bool, Never> {
        let task = Task {
            await lifecycle.close { _ in }
            return isOver.isSet
        }
        while await kind({ () throws(StorageError) in _ = try lifecycle.store() }) != .closed { await Task.yield() }
        return task
    }
}
