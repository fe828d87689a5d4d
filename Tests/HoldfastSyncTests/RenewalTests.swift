import HoldfastEngine
import HoldfastInMemory
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

    @Test func modeThatIsNotOfferedIsPassedOver() async throws {
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
