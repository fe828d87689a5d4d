import HoldfastEngine
import HoldfastInMemory
import HoldfastServer
import HoldfastStorage
import HoldfastSyncTestSupport
import HoldfastTestSupport
import Testing

@testable import HoldfastSync

/// Readings that the application asks for.
@Suite struct RefreshTests {
    private static let refresh = SyncEvent<String>.refresh(CommandID(number: 9))

    private static func isFetch(_ effect: SyncEffect<String>) -> Bool {
        if case .fetch = effect { true } else { false }
    }

    private func live(_ models: [ModelPlan] = [ModelPlan(name: "Blog"), ModelPlan(name: "Post")]) -> World {
        var world = World(models)
        world.goLive()
        return world
    }

    @Test func everyModelIsReadAndStored() {
        var world = live()
        world.send(Self.refresh)
        #expect(world.refreshed.isEmpty)
        world.run { $0.isOfPage }
        #expect(world.fetches.map(\.model) == ["Blog", "Post"] && world.fetches.allSatisfy { $0.since != nil })
        #expect(world.refreshed.isEmpty)
        world.run()
        #expect(world.refreshed == [nil])
        world.pass(.seconds(60))
        #expect(world.refreshed == [nil])

        var empty = live([])
        empty.send(Self.refresh)
        #expect(empty.refreshed == [nil])
    }

    /// What changed after the page was asked for need not be on it.
    @Test func aReadingThatBeganEarlierIsFollowedByAnother() {
        var world = World()
        world.start()
        world.run(unless: Self.isFetch)
        world.send(Self.refresh)
        world.answer(at: 0)
        world.run(unless: Self.isFetch)
        #expect(world.core.models["Post"]?.state == .fetching && world.fetches.count == 2)
        #expect(world.refreshed.isEmpty)
        world.run()
        #expect(world.refreshed == [nil])
    }

    @Test func aRefreshWaitsForAStart() {
        var world = World()
        world.start()
        world.send(Self.refresh)
        world.run()
        #expect(world.refreshed == [nil] && world.fetches.count == 1)
    }

    @Test func aModelThatIsRefusedIsLeftOut() {
        var world = World([ModelPlan(name: "Blog"), ModelPlan(name: "Post")])
        let read = world.fetch
        world.fetch = { $0.model == "Blog" ? .failure(.unauthorized(isSignedOut: false)) : read($0) }
        world.goLive()
        world.send(Self.refresh)
        world.run()
        #expect(world.fetches.map(\.model) == ["Post"] && world.refreshed == [nil])
    }

    /// The device has a network, and what is behind it has none.
    @Test func aServiceThatCannotBeReachedEndsARefresh() {
        var world = live()
        world.fetch = { _ in .failure(.unsent) }
        world.socketFailure = .unknown(retryAfter: nil)
        world.send(.socketLost(world.socket))
        world.send(Self.refresh)
        world.run()
        world.pass(.seconds(60))
        #expect(world.refreshed == [.modelFailed])
    }

    @Test func aSecondFailureEndsARefreshAndTheNextOneTriesAtOnce() {
        var world = live()
        let read = world.fetch
        world.fetch = { $0.model == "Blog" ? .failure(.unsent) : read($0) }
        world.send(Self.refresh)
        world.run()
        #expect(world.refreshed.isEmpty)
        world.pass(.seconds(1))
        #expect(world.refreshed == [.modelFailed])
        world.pass(.seconds(60))
        world.fetch = read
        world.send(Self.refresh)
        world.run()
        #expect(world.refreshed == [.modelFailed, nil])
    }

    @Test(arguments: [
        ServiceFailure.rejected(type: "", message: ""), .unknown(retryAfter: .seconds(60)), .tooLong(reason: ""),
    ])
    func aFailureThatLastsEndsARefresh(failure: ServiceFailure) {
        var world = live([synced()])
        world.fetch = { _ in .failure(failure) }
        world.send(Self.refresh)
        world.run()
        #expect(world.refreshed == [.modelFailed])
    }

    @Test func aStoreThatFailsEndsARefresh() {
        var world = live()
        world.storeFailure = .failed("The disk is full.")
        world.send(Self.refresh)
        world.run()
        #expect(world.refreshed == [.storeFailed])
    }

    @Test func aLostConnectionIsWaitedForAndOpenedAtOnce() {
        var world = live()
        world.send(Self.refresh)
        world.send(.socketLost(world.socket))
        world.run()
        #expect(world.refreshed.isEmpty)
        world.pass(.seconds(1))
        #expect(world.refreshed == [nil])

        var waiting = live()
        waiting.send(.socketLost(waiting.socket))
        waiting.send(Self.refresh)
        waiting.run()
        #expect(waiting.refreshed == [nil])
    }

    @Test func withoutASessionThereIsNothingToWaitFor() {
        var world = World()
        world.send(Self.refresh)
        #expect(world.refreshed == [.notRunning])

        var following = World()
        following.claim = .taken(.seconds(5))
        following.start()
        following.run()
        following.send(Self.refresh)
        #expect(following.refreshed == [.notRunning])

        var offline = live()
        offline.send(.network(isUp: false))
        offline.send(Self.refresh)
        #expect(offline.refreshed == [.disconnected])
    }

    @Test func theEndOfASessionEndsARefresh() {
        for end in [
            SyncEvent<String>.command(CommandID(number: 2), .stop), .command(CommandID(number: 2), .clear),
        ] {
            var world = live()
            world.send(Self.refresh)
            world.send(end)
            #expect(world.refreshed == [.notRunning])
        }
        var signedOut = live()
        signedOut.fetch = { _ in .failure(.unauthorized(isSignedOut: true)) }
        signedOut.send(Self.refresh)
        signedOut.run()
        #expect(signedOut.refreshed == [.refused(.signedOut)])
    }

    @Test func aSynchronizerReadsWhatOthersChanged() async throws {
        let clock = ManualSurroundings()
        var service = SyncService(
            transport: try await LocalService.open(.automerge, clock.surroundings), authorization: Device.key)
        service.subscribes = { false }
        var synchronizers: [Synchronizer] = []
        for _ in 0..<2 {
            let store = try await DataStore.open(
                InMemoryAdapter(), models: [Note.self, Remark.self],
                options: DataStoreOptions(surroundings: clock.surroundings))
            synchronizers.append(try Synchronizer(store, with: service))
        }
        let (a, b) = (synchronizers[0], synchronizers[1])
        let early = await #expect(throws: SyncProblem.self) { try await b.refresh() }
        #expect(early?.kind == .notRunning)
        for synchronizer in synchronizers {
            try await synchronizer.start()
            try await synchronizer.waitUntilSynchronized()
        }
        let receipt = try await a.store.saveWithReceipt(Note(id: "n", title: "t"))
        #expect(try await receipt.settled() == .confirmed(version: 1))
        try await b.refresh()
        #expect(try await b.store.query(Note.self).map(\.title) == ["t"])

        let (forever, keep) = AsyncStream.makeStream(of: Never.self)
        let cancelled = Task {
            for await _ in forever {}
            try await b.refresh()
        }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        keep.finish()
        for synchronizer in synchronizers {
            await synchronizer.close()
            try await synchronizer.store.close()
        }
        let late = await #expect(throws: SyncProblem.self) { try await b.refresh() }
        #expect(late?.kind == .notRunning)
    }
}
