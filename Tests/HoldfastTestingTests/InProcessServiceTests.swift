import HoldfastEngine
import HoldfastInMemory
import HoldfastServer
import HoldfastSync
import HoldfastSyncTestSupport
import HoldfastTesting
import Testing

/// What applications use to test themselves.
@Suite struct InProcessServiceTests {
    private static let shared = """
        type Note @model @auth(rules: [{ allow: public }]) { title: String! body: String rating: Int }
        """
    private static let owned = """
        type Note @model @auth(rules: [{ allow: owner }, { allow: groups, groups: ["Editors"] }]) {
          title: String! body: String rating: Int
        }
        """

    /// A device of a test, as docs/testing.md has it.
    private struct Device {
        let store: DataStore
        let synchronizer: Synchronizer

        init(_ service: SyncService) async throws {
            store = try await DataStore.open(InMemoryAdapter(), models: [Note.self])
            synchronizer = try Synchronizer(store, with: service)
            try await synchronizer.start()
        }

        func goOffline() async {
            synchronizer.setNetwork(isUp: false)
            for await status in synchronizer.statuses where status.state == .offline { return }
        }

        func goOnline() async throws {
            synchronizer.setNetwork(isUp: true)
            try await synchronizer.waitUntilSynchronized()
        }

        func close() async throws {
            await synchronizer.close()
            try await store.close()
        }
    }

    @Test func aConflictReachesTheHandlerAndBothDevicesAgree() async throws {
        let service = try await InProcessService.open(
            schema: Self.shared, options: ServerOptions(strategy: .optimisticConcurrency))
        var settings = service.syncService()
        settings.conflictHandler = { conflict in
            guard let local = conflict.local as? Note, var both = conflict.remote as? Note else { return .applyRemote }
            both.title += " or \(local.title)"
            return .retry(both)
        }
        let phone = try await Device(settings)
        let laptop = try await Device(settings)
        try await phone.store.save(Note(id: "1", title: "Bread"))
        try await phone.synchronizer.waitUntilSynchronized()
        // A delta query brings what the phone has sent.
        await laptop.goOffline()
        try await laptop.goOnline()

        await laptop.goOffline()
        await phone.goOffline()
        try await phone.store.save(Note(id: "1", title: "Rye bread"))
        try await laptop.store.save(Note(id: "1", title: "Rolls"))
        try await phone.goOnline()
        try await laptop.goOnline()
        await phone.goOffline()
        try await phone.goOnline()
        for device in [phone, laptop] {
            #expect(try await device.store.query(Note.self).map(\.title) == ["Rye bread or Rolls"])
            try await device.close()
        }
        try await service.server.close()
    }

    @Test func usersHaveTheRightsThatTheSchemaGivesThem() async throws {
        let service = try await InProcessService.open(schema: Self.owned)
        let ann = try await Device(service.syncService(as: "ann"))
        try await ann.store.save(Note(id: "1", title: "Ann's"))
        try await ann.synchronizer.waitUntilSynchronized()
        let bob = try await Device(service.syncService(as: "bob"))
        let editor = try await Device(service.syncService(as: "eve", groups: ["Editors"]))
        for device in [bob, editor] { try await device.synchronizer.waitUntilSynchronized() }
        #expect(try await bob.store.query(Note.self).isEmpty)
        #expect(try await editor.store.query(Note.self).map(\.title) == ["Ann's"])
        for device in [ann, bob, editor] { try await device.close() }
        try await service.server.close()
    }

    /// The answer to its own change must not take them away.
    @Test func aDeviceKeepsFieldsThatOnlyItsUserMayRead() async throws {
        let service = try await InProcessService.open(
            schema: """
                type Note @model @auth(rules: [{ allow: owner }]) {
                  title: String! body: String @auth(rules: [{ allow: owner }]) rating: Int
                }
                """)
        let ann = try await Device(service.syncService(as: "ann"))
        for title in ["Bread", "Rye bread"] {
            try await ann.store.save(Note(id: "1", title: title, body: "Flour"))
            try await ann.synchronizer.waitUntilSynchronized()
            #expect(try await ann.store.query(Note.self).map(\.body) == ["Flour"])
        }
        try await ann.close()
        try await service.server.close()
    }

    @Test func theVerifierOfTheOptionsChecksOtherCredentials() async throws {
        let service = try await InProcessService.open(
            schema: Self.shared, options: ServerOptions(verify: { _ in .refused("Not here.") }))
        let response = await service.server.respond(
            to: ServerRequest(
                headers: ["authorization": "some token"], body: Array(#"{"query":"{ __typename }"}"#.utf8)))
        #expect(response.status == 401)
        try await service.server.close()
    }
}
