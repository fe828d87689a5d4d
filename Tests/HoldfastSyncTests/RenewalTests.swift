import HoldfastEngine
import HoldfastInMemory
import HoldfastModel
import HoldfastServer
import HoldfastStorage
import HoldfastSyncTestSupport
import HoldfastTestSupport
import HoldfastWire
import Testing

@testable import HoldfastSync

/// What becomes of headers that the service refuses.
@Suite struct RenewalTests {
    private let world = ManualSurroundings()

    /// A key that can be changed for another once it was refused.
    private final class Keys: Sendable {
        private let state: Mutex<(current: String, renewals: Int)>
        private let next: String

        init(_ current: String, next: String) {
            state = Mutex((current, 0))
            self.next = next
        }

        var renewals: Int { state.withLock { $0.renewals } }

        func replace(_ key: String) { state.withLock { $0.current = key } }

        /// As an authorization for user pools: another key only if the one that was refused is still in use.
        var authorization: SyncAuthorization {
            SyncAuthorization(
                authorize: { _, _ in .headers(Device.headers(self.state.withLock { $0.current })) },
                renew: { _, _, refused in
                    let key = self.state.withLock { state in
                        if refused["x-api-key"] == state.current {
                            state.renewals += 1
                            state.current = self.next
                        }
                        return state.current
                    }
                    return refused["x-api-key"] == key ? nil : Device.headers(key)
                })
        }
    }

    @Test func requestsAndSocketsGoOnWithOtherHeaders() async throws {
        let service = try await LocalService.open(.automerge, world.surroundings)
        let keys = Keys("expired", next: "key")
        let device = try await Device.open(
            InMemoryAdapter(), service, world.surroundings, authorization: keys.authorization)
        #expect(await device.engine.start() == .done)
        await world.waitForSleeper(within: .milliseconds(200))
        world.advance(.seconds(1))
        try await device.waitUntilReady()
        #expect(keys.renewals == 1)

        // Another one expires while the session is live.
        keys.replace("expired too")
        try await device.store.save(Note(id: "1", title: "one"))
        try await device.waitUntilSent()
        #expect(keys.renewals == 2)
        #expect(try await device.store.deadLetters().isEmpty)
        try await device.end()
    }

    @Test func headersThatAreAllRefusedEndTheSession() async throws {
        let service = try await LocalService.open(.automerge, world.surroundings)
        let keys = Keys("expired", next: "expired too")
        let device = try await Device.open(
            InMemoryAdapter(), service, world.surroundings, authorization: keys.authorization)
        _ = await device.engine.start()
        await world.waitForSleeper(within: .milliseconds(200))
        world.advance(.seconds(1))
        try await device.wait {
            device.log.events.contains { if case .report(.refused(.unauthorized)) = $0 { true } else { false } }
        }
        #expect(keys.renewals == 1)
        try await device.end()
    }

    /// The clock of the device was set, or a key has expired: that says nothing of the change.
    @Test(arguments: [MutationKind.create, .update, .delete])
    func credentialsThatAreRefusedLaterGiveNothingUp(kind: MutationKind) async throws {
        let service = try await LocalService.open(.automerge, world.surroundings)
        let keys = Keys("key", next: "expired too")
        let device = try await Device.open(
            InMemoryAdapter(), service, world.surroundings, authorization: keys.authorization)
        _ = await device.engine.start()
        try await device.waitUntilReady()
        try await device.store.save(Note(id: "1", title: "one"))
        try await device.waitUntilSent()
        keys.replace("expired")
        switch kind {
        case .create: try await device.store.save(Note(id: "2", title: "two"))
        case .update: try await device.store.save(Note(id: "1", title: "two"))
        case .delete: try await device.store.delete(Note.self, withId: "1")
        }
        try await device.wait { device.log.events.contains(.report(.refused(.unauthorized))) }
        #expect(try await device.store.outboxCount() == 1)
        #expect(try await device.store.deadLetters().isEmpty)

        keys.replace("key")
        _ = await device.engine.start()
        try await device.waitUntilSent()
        #expect(try await device.store.deadLetters().isEmpty)
        #expect(try await device.store.query(Note.self).count == (kind == .create ? 2 : kind == .update ? 1 : 0))
        try await device.end()
    }

    @Test func aFailedRenewalGivesNothingUp() async throws {
        struct Offline: Error {}
        let service = try await LocalService.open(.automerge, world.surroundings)
        let keys = Keys("key", next: "key")
        let isOffline = Mutex(false)
        let authorization = keys.authorization
        let device = try await Device.open(
            InMemoryAdapter(), service, world.surroundings,
            authorization: SyncAuthorization(
                authorize: authorization.authorize,
                renew: { mode, request, refused in
                    if isOffline.withLock({ $0 }) { throw Offline() }
                    return try await authorization.renew(mode, request, refused)
                }))
        _ = await device.engine.start()
        try await device.waitUntilReady()
        isOffline.withLock { $0 = true }
        keys.replace("expired")
        try await device.store.save(Note(id: "1", title: "one"))
        try await device.wait {
            device.log.events.contains { if case .report(.mutation(_, .unsent, _)) = $0 { true } else { false } }
        }
        #expect(try await device.store.deadLetters().isEmpty)
        await world.waitForSleeper(within: .milliseconds(200))
        isOffline.withLock { $0 = false }
        world.advance(.seconds(1))
        try await device.waitUntilSent()
        #expect(try await device.store.deadLetters().isEmpty)
        #expect(try await device.store.query(Note.self).count == 1)
        try await device.end()
    }

    /// Each of several sockets may be refused with the same headers.
    @Test func otherHeadersAreTriedOnceForEachThatAreRefused() {
        let renewal = SocketRenewal()
        let (first, second) = (Device.headers("a"), Device.headers("b"))
        #expect(renewal.take(insteadOf: first))
        #expect(renewal.take(insteadOf: first))
        #expect(!renewal.take(insteadOf: second))
        renewal.reset()
        #expect(renewal.take(insteadOf: second))
    }

    /// A subscription that is started again has another id.
    @Test func otherHeadersAreTriedOnceForASubscriptionInAMode() {
        let reader = SocketReader(models: [:], scopes: [:])
        func start(_ number: Int, mode: Int) -> SubscriptionID {
            let id = SubscriptionID(number: number)
            let use = StartedSubscription.Use(model: "Note", operation: .onCreate, mode: mode)
            reader.note(id, StartedSubscription(use: use, headers: Device.headers("a")))
            return id
        }
        let first = start(1, mode: 0)
        #expect(reader.takeRefused(first) != nil)
        #expect(reader.takeRefused(start(2, mode: 0)) == nil)
        #expect(reader.takeRefused(start(3, mode: 1)) != nil)
        reader.allowRenewal(of: first)
        #expect(reader.takeRefused(start(4, mode: 0)) != nil)
    }

    @Test func aSubscriptionThatOtherHeadersDoNotStartIsTriedInTheNextMode() async throws {
        let service = try await LocalService.open(.automerge, world.surroundings)
        let renewals = Mutex(0)
        let (starts, start) = AsyncStream.makeStream(of: Int.self)
        let device = try await Device.open(
            InMemoryAdapter(), service, world.surroundings,
            authorization: SyncAuthorization(
                modeCount: 2,
                authorize: { mode, request in
                    guard request.kind == .subscription else { return .headers(Device.headers("key")) }
                    start.yield(mode)
                    return .headers(Device.headers(mode == 0 ? "without rights" : "key"))
                },
                renew: { _, _, _ in
                    renewals.withLock { $0 += 1 }
                    return Device.headers("without rights too")
                }))
        _ = await device.engine.start()
        try await device.waitUntilReady()
        await world.waitForSleeper(within: .milliseconds(200))
        world.advance(.seconds(1))
        for await mode in starts where mode == 1 { break }
        // One for each subscription.
        #expect(renewals.withLock { $0 } == 6)
        try await device.end()
    }

    /// A gateway's page, not the service's answer.
    @Test(arguments: [302, 400, 401, 403, 404, 414, 431]) func aPageOfAGatewayGivesNothingUp(status: Int) async throws {
        let gateway = Gateway(try await LocalService.open(.automerge, world.surroundings))
        let keys = Keys("key", next: "key")
        let device = try await Device.open(
            InMemoryAdapter(), gateway, world.surroundings, authorization: keys.authorization)
        _ = await device.engine.start()
        try await device.waitUntilReady()
        gateway.status.withLock { $0 = status }
        try await device.store.save(Note(id: "1", title: "one"))
        try await device.wait {
            device.log.events.contains { if case .report(.mutation(_, .unknown, _)) = $0 { true } else { false } }
        }
        await world.waitForSleeper(within: .milliseconds(200))
        gateway.status.withLock { $0 = nil }
        world.advance(.seconds(1))
        try await device.waitUntilSent()
        #expect(try await device.store.deadLetters().isEmpty)
        #expect(try await device.store.query(Note.self).count == 1)
        #expect((keys.renewals > 0) == (status == 401))
        try await device.end()
    }

    /// Something before the service that answers requests itself for some time.
    private final class Gateway: SyncTransport {
        let status = Mutex<Int?>(nil)
        private let service: LocalService

        init(_ service: LocalService) { self.service = service }

        func send(_ request: WireRequest) async throws(TransportError) -> WireResponse {
            guard let status = status.withLock({ $0 }) else { return try await service.send(request) }
            return WireResponse(status: status, body: Array("<html>Come back soon</html>".utf8))
        }

        func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket {
            try await service.connect(request)
        }
    }

    /// The name of a user can come late, after the next session has begun.
    @Test func aUserOfASessionThatWasEndedIsNotThatOfTheNextOne() async throws {
        let service = try await LocalService.open(.automerge, world.surroundings)
        let user = Mutex("ann")
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let (releases, release) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let device = try await Device.open(
            InMemoryAdapter(), service, world.surroundings,
            authorization: SyncAuthorization(
                identity: {
                    let name = user.withLock { $0 }
                    if name == "ann" {
                        arrival.yield()
                        // Not ended by a cancellation.
                        await Task { for await _ in releases { break } }.value
                        end.yield()
                    }
                    return name
                }, authorize: Device.key.authorize))
        _ = await device.engine.start()
        for await _ in arrivals { break }
        #expect(await device.engine.stop() == .done)
        user.withLock { $0 = "ben" }
        _ = await device.engine.start()
        try await device.waitUntilReady()
        release.yield()
        for await _ in ends { break }
        // What was late is over when the engine has answered once more.
        #expect(await device.engine.stop() == .done)
        try await device.store.save(Note(id: "1", title: "one"))
        #expect(try await device.store.outboxEntries().map(\.identity) == ["ben"])
        try await device.end()
    }

    /// The application saves at once when it is launched, and the name of the user comes later.
    @Test func whatIsSavedBeforeASessionIsNotSentByAnotherUser() async throws {
        let service = try await LocalService.open(.automerge, world.surroundings)
        let user = Mutex<String?>("ann")
        let isOnline = Mutex(false)
        let device = try await Device.open(
            InMemoryAdapter(), service, world.surroundings,
            authorization: SyncAuthorization(
                identity: { user.withLock { $0 } },
                authorize: { _, request in
                    request.operation == .create && !isOnline.withLock { $0 }
                        ? .unavailable : .headers(Device.headers("key"))
                }))
        try await device.store.save(Note(id: "1", title: "private"))
        _ = await device.engine.start()
        try await device.waitUntilReady()
        #expect(try await device.store.outboxEntries().map(\.identity) == ["ann"])
        #expect(await device.engine.stop() == .done)

        isOnline.withLock { $0 = true }
        for other in ["ben", nil] {
            user.withLock { $0 = other }
            let count = device.log.events.count { $0 == .report(.refused(.otherUser)) }
            _ = await device.engine.start()
            try await device.wait { device.log.events.count { $0 == .report(.refused(.otherUser)) } > count }
        }
        user.withLock { $0 = "ann" }
        _ = await device.engine.start()
        try await device.waitUntilSent()
        #expect(try await device.store.deadLetters().isEmpty)
        try await device.end()
    }

    /// The name of a user can also come when the store is empty and the session not quite over.
    @Test func aUserWhoseNameComesAfterAClearIsNotThatOfTheEmptyStore() async throws {
        let service = try await LocalService.open(.automerge, world.surroundings)
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let (releases, release) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let isCleared = Mutex(false)
        let (reached, gate) = (Gate(), Gate())
        let adapter = InterceptedAdapter(
            InMemoryAdapter(),
            beforeCommit: { _, request async throws(StorageError) in
                let clears = request.operations.contains { if case .clear = $0 { true } else { false } }
                if clears { isCleared.store(true) }
            },
            beforeGet: {
                // The session is given back.
                guard isCleared.exchange(false) else { return }
                reached.open()
                await gate.wait()
            })
        let device = try await Device.open(
            adapter, service, world.surroundings,
            authorization: SyncAuthorization(
                identity: {
                    arrival.yield()
                    // Not ended by a cancellation.
                    await Task { for await _ in releases { break } }.value
                    end.yield()
                    return "ann"
                }, authorize: Device.key.authorize))
        _ = await device.engine.start()
        for await _ in arrivals { break }
        async let result = device.engine.clear()
        await reached.wait()
        release.yield()
        for await _ in ends { break }
        gate.open()
        let outcome = await result
        #expect(outcome == .done)
        try await device.store.save(Note(id: "1", title: "one"))
        #expect(try await device.store.outboxEntries().map(\.identity) == [nil])
        try await device.end()
    }

    @Test func aModeThatIsNotOfferedIsSkipped() async throws {
        let service = try await LocalService.open(.automerge, world.surroundings)
        let authorization = SyncAuthorization(
            modeCount: 2,
            authorize: { mode, request in
                mode == 0 && request.kind != .socket ? .notOffered : .headers(Device.headers("key"))
            })
        let device = try await Device.open(InMemoryAdapter(), service, world.surroundings, authorization: authorization)
        _ = await device.engine.start()
        try await device.waitUntilReady()
        try await device.store.save(Note(id: "1", title: "one"))
        try await device.waitUntilSent()
        #expect(try await device.store.deadLetters().isEmpty)
        try await device.end()
    }

    @Test func aSubscriptionWithoutATokenKeepsNoOtherWaiting() async throws {
        let service = try await LocalService.open(.automerge, world.surroundings)
        let device = try await Device.open(
            InMemoryAdapter(), service, world.surroundings,
            authorization: SyncAuthorization(authorize: { _, request in
                request.kind == .subscription && request.model?.name == "Remark"
                    ? .unavailable : .headers(Device.headers("key"))
            }))
        _ = await device.engine.start()
        try await device.wait { device.log.events.contains { $0 == .hub(.ready) || $0.isOfLostSocket } }
        let reports = device.log.events.compactMap { if case .report(let report) = $0 { report } else { nil } }
        let expected = SubscribedOperation.allCases.map { SyncReport.subscription(model: "Remark", $0, .unsent) }
        #expect(Set(reports) == Set(expected))
        try await device.end()
    }

    @Test func requestsSayWhatTheyAreAbout() async throws {
        let service = try await LocalService.open(.automerge, world.surroundings)
        let seen = Mutex<Set<String>>([])
        let authorization = SyncAuthorization(authorize: { _, request in
            let model = request.model?.name ?? "-"
            _ = seen.withLock { $0.insert("\(request.kind) \(model) \(request.operation)") }
            return .headers(Device.headers("key"))
        })
        let device = try await Device.open(InMemoryAdapter(), service, world.surroundings, authorization: authorization)
        _ = await device.engine.start()
        try await device.waitUntilReady()
        try await device.store.save(Note(id: "1", title: "one"))
        try await device.waitUntilSent()
        try await device.store.delete(Note.self, withId: "1")
        try await device.waitUntilSent()
        #expect(
            seen.withLock { $0 }.isSuperset(of: [
                "socket - read", "subscription Note read", "subscription Remark read", "query Note read",
                "query Remark read", "query Note create", "query Note delete",
            ]))
        try await device.end()
    }
}

extension SyncNotification {
    fileprivate var isOfLostSocket: Bool { if case .report(.socket) = self { true } else { false } }
}
