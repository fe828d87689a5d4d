import AWSAPIPlugin
import Amplify
import Foundation
import HoldfastEngine
import HoldfastServer
import HoldfastStorage
import Testing

@testable import AWSDataStorePlugin

/// The models that the service of the tests knows.
private final class SyncedModels: AmplifyModelRegistration {
    let version = "1"

    func registerModels(registry: ModelRegistry.Type) {
        ModelRegistry.register(modelType: Post.self)
        ModelRegistry.register(modelType: Comment.self)
    }
}

/// The same and one with an index.
private final class SyncedModelsAndUsers: AmplifyModelRegistration {
    let version = "1"

    func registerModels(registry: ModelRegistry.Type) {
        SyncedModels().registerModels(registry: registry)
        ModelRegistry.register(modelType: User.self)
    }
}

/// The devices: one is the plug-in of `Amplify`, the others are plug-ins of their own.
private func plugin(
    _ adapter: FacadeAdapter, _ models: any AmplifyModelRegistration = SyncedModels(),
    syncExpressions: [DataStoreSyncExpression] = [],
    conflictHandler: @escaping DataStoreConflictHandler = { _, resolve in resolve(.applyRemote) },
    errorHandler: @escaping DataStoreErrorHandler = { Issue.record("\($0)") },
    disableSubscriptions: @escaping @Sendable () -> Bool = { false }, surroundings: Surroundings = .patient
) -> AWSDataStorePlugin {
    AWSDataStorePlugin(
        modelRegistration: models,
        configuration: .custom(
            errorHandler: errorHandler, conflictHandler: conflictHandler, syncExpressions: syncExpressions,
            disableSubscriptions: disableSubscriptions, storageAdapter: adapter.make(),
            options: DataStoreOptions(surroundings: surroundings)))
}

/// Runs a test with a service, and `Amplify` configured as an application does.
private func withService(
    _ device: AWSDataStorePlugin, _ strategy: ConflictStrategy = .automerge, schema: String = TestService.schema,
    _ body: (TestService, HubLog) async throws -> Void
) async throws {
    let service = try await TestService.open(strategy, schema: schema)
    let log = HubLog()
    try Amplify.add(plugin: AWSAPIPlugin(sessionFactory: service))
    try Amplify.add(plugin: device)
    try Amplify.configure(
        try JSONDecoder().decode(AmplifyConfiguration.self, from: Data(TestService.configuration.utf8)))
    try await resetting { try await body(service, log) }
    log.end()
}

extension AmplifySuite {
    @Suite struct SyncingTests {
        @Test(arguments: FacadeAdapter.all)
        func aFirstStartIsDispatchedInOrder(adapter: FacadeAdapter) async throws {
            let device = plugin(adapter)
            try await withService(device) { service, log in
                try await Amplify.DataStore.start()
                try await log.waitUntilReady()
                #expect(device.synchronizer?.status.state == .live)
                #expect(
                    log.lines == [
                        "configured", "networkStatus false", "outboxStatus true", "networkStatus true",
                        "subscriptionEstablished", "syncQueriesStarted Post Comment", "modelSynced Post full +0 ~0 -0",
                        "modelSynced Comment full +0 ~0 -0", "syncQueriesReady", "syncStarted", "ready",
                    ])
            }
        }

        @Test(arguments: FacadeAdapter.all)
        func aSavedRecordIsEnqueuedAndProcessed(adapter: FacadeAdapter) async throws {
            try await withService(plugin(adapter)) { service, log in
                let post = Post(id: "p", title: "one", rating: 1, status: "a")
                // The first call starts everything, as any other would.
                try await Amplify.DataStore.save(post)
                try await Amplify.DataStore.save(Comment(id: "c", content: "so", post: post))
                let processed = ["outboxMutationProcessed Post p v1 deleted false", "outboxStatus true"]
                try await log.wait { log.lines.contains(processed[0]) && log.lines.last == processed[1] }
                try await log.wait { log.lines.contains("outboxMutationProcessed Comment c v1 deleted false") }
                try await Amplify.DataStore.delete(Post.self, withId: "p")
                try await log.wait {
                    log.lines.contains("outboxMutationProcessed Post p v2 deleted true")
                        && log.lines.contains("outboxMutationProcessed Comment c v2 deleted true")
                }
                for (record, versions) in [("Post p", 1...2), ("Comment c", 1...2)] {
                    var about = log.lines.filter { $0.hasPrefix("outboxMutation") && $0.contains(record) }
                    // An answer may come before the report of the save, which then finds the deletion unsent.
                    let enqueued = "outboxMutationEnqueued \(record)"
                    for index in about.indices.dropFirst().reversed()
                    where about[index] == enqueued && about[index - 1] == enqueued {
                        about.remove(at: index)
                    }
                    #expect(
                        about
                            == versions.flatMap {
                                [
                                    enqueued, "outboxMutationProcessed \(record) v\($0) deleted \($0 == 2)",
                                ]
                            })
                }
            }
        }

        @Test(arguments: [ConflictStrategy.optimisticConcurrency, .automerge])
        func devicesThatEditedOfflineConverge(strategy: ConflictStrategy) async throws {
            let a = plugin(.sqlite)
            try await withService(a, strategy) { service, log in
                let b = plugin(.memory, errorHandler: { _ in })
                try await Amplify.DataStore.start()
                try await log.waitUntilReady()
                for id in ["apart", "same"] {
                    try await Amplify.DataStore.save(Post(id: id, title: "t", rating: 1, status: "s"))
                }
                try await log.wait { log.count("outboxStatus true") > 0 && log.lines.last == "outboxStatus true" }
                try await log.wait { log.lines.contains("outboxMutationProcessed Post same v1 deleted false") }
                try await b.start()
                try await log.waitUntilReady(2)
                #expect(try await b.query(Post.self).map(\.id) == ["apart", "same"])

                service.isDown.set(true)
                for device in [a, b] { try await device.stop() }
                try await edit(a, "apart") { $0.title = "from a" }
                try await edit(b, "apart") { $0.status = "from b" }
                try await edit(a, "same") { $0.title = "from a" }
                try await edit(b, "same") { $0.title = "from b" }
                // Each call starts a device that was stopped, and the second one to come back meets the conflict.
                for device in [a, b] { try await device.stop() }
                service.isDown.set(false)
                for device in [a, b] {
                    try await device.start()
                    try await log.wait { try await device.query(MutationEvent.self).isEmpty }
                }
                // Both edits of different fields survive, and one edit of the same field does.
                let expected = ["apart: from a, from b", "same: from a, s"]
                try await log.wait { try await a.query(Post.self).map(line) == expected }
                try await log.wait { try await b.query(Post.self).map(line) == expected }
                await b.reset()
            }
        }

        @Test func aRemoteChangeIsObservedWithItsVersion() async throws {
            try await withService(plugin(.sqlite)) { service, log in
                let b = plugin(.memory)
                try await Amplify.DataStore.start()
                try await log.waitUntilReady()
                var events = Amplify.DataStore.observe(Post.self).makeAsyncIterator()
                try await b.save(Post(id: "p", title: "one", rating: 1, status: "a"))
                let created = try #require(try await events.next())
                #expect(created.mutationType == "create" && created.version == 1)
                #expect(try created.decodeModel(as: Post.self).title == "one")
                try await log.wait { log.lines.contains("syncReceived create Post p v1") }
                try await edit(b, "p") { $0.title = "two" }
                let updated = try #require(try await events.next())
                #expect(updated.mutationType == "update" && updated.version == 2)
                try await b.delete(Post.self, withId: "p")
                let deleted = try #require(try await events.next())
                #expect(deleted.mutationType == "delete" && deleted.version == 3)
                #expect(try deleted.decodeModel(as: Post.self).title == "two")
                try await log.wait { log.lines.contains("syncReceived delete Post p v3") }
                await b.reset()
            }
        }

        @Test func liveQueriesSayWhetherTheyAreSynced() async throws {
            try await withService(plugin(.memory)) { service, log in
                let snapshots = Amplify.DataStore.observeQuery(for: Post.self)
                var iterator = snapshots.makeAsyncIterator()
                while try #require(try await iterator.next()).isSynced == false {}
                try await log.waitUntilReady()
                try await Amplify.DataStore.stop()
                while try #require(try await iterator.next()).isSynced {}
                try await Amplify.DataStore.start()
                while try #require(try await iterator.next()).isSynced == false {}
            }
        }

        @Test func aClearEmptiesTheStoreAndTheNextCallFillsItAgain() async throws {
            try await withService(plugin(.sqlite)) { service, log in
                try await Amplify.DataStore.save(Post(id: "p", title: "one", rating: 1, status: "a"))
                try await log.wait { log.lines.contains("outboxMutationProcessed Post p v1 deleted false") }
                try await Amplify.DataStore.clear()
                #expect(log.count("ready") == 1)
                var counts: [Int] = []
                for try await snapshot in Amplify.DataStore.observeQuery(for: Post.self) {
                    counts.append(snapshot.items.count)
                    if snapshot.items.count == 1 && snapshot.isSynced { break }
                }
                #expect(counts.first == 0 || counts.first == 1)
                try await log.waitUntilReady(2)
            }
        }

        /// A call that got the store before a reset, and continues after it.
        @Test func aCallDuringAResetDoesNotSynchronizeTheClosedStore() async throws {
            let device = plugin(.sqlite)
            try await withService(device) { service, log in
                let old = try await device.store()
                await device.reset()
                device.startSync(of: old)
                try await device.start()
                let synchronizer = try #require(device.synchronizer)
                #expect(synchronizer.store !== old)
                try await device.save(Post(id: "p", title: "one", rating: 1, status: "a"))
                try await synchronizer.waitUntilSynchronized()
            }
        }

        @Test func theConflictHandlerDecides() async throws {
            let handler: DataStoreConflictHandler = { data, resolve in
                guard let local = data.local as? Post, let remote = data.remote as? Post else {
                    return resolve(.applyRemote)
                }
                // As the guide does: a record with another id.
                resolve(.retry(Post(title: local.title, rating: remote.rating, status: remote.status)))
            }
            let a = plugin(.sqlite, conflictHandler: handler)
            try await withService(a, .optimisticConcurrency) { service, log in
                let b = plugin(.memory)
                try await b.save(Post(id: "p", title: "t", rating: 1, status: "s"))
                try await log.wait { log.lines.contains("outboxMutationProcessed Post p v1 deleted false") }
                try await a.start()
                try await log.wait { try await a.query(Post.self).count == 1 }
                try await a.stop()
                let post = try #require(try await b.query(Post.self, byId: "p"))
                try await b.save(Post(id: "p", title: "from b", rating: 2, status: post.status))
                try await log.wait { log.lines.contains("outboxMutationProcessed Post p v2 deleted false") }
                // Without the service, so that it is the older record that is edited.
                service.isDown.set(true)
                try await edit(a, "p") { $0.title = "from a" }
                service.isDown.set(false)
                try await a.stop()
                try await a.start()
                try await log.wait {
                    try await b.query(Post.self).map { "\($0.title) \($0.rating)" } == ["from a 2"]
                }
                #expect(try await a.query(Post.self).map(\.id) == ["p"])
                await b.reset()
            }
        }

        @Test func aRefusedChangeIsUndone() async throws {
            let errors = Mutex<[String]>([])
            let handler: DataStoreErrorHandler = { error in
                guard case .api(_, let event)? = error as? DataStoreError else { return }
                errors.withLock { $0.append("\(event?.mutationType ?? "") \(event?.modelId ?? "")") }
            }
            let a = plugin(.sqlite, errorHandler: handler)
            try await withService(a) { service, log in
                let b = plugin(.memory)
                try await a.save(Post(id: "p", title: "[Amplify] t", rating: 1, status: "s"))
                try await log.wait { log.lines.contains("outboxMutationProcessed Post p v1 deleted false") }
                try await b.start()
                try await log.wait { try await b.query(Post.self).count == 1 }
                try await a.stop()
                try await edit(b, "p") { $0.title = "changed" }
                try await log.wait { log.lines.contains("outboxMutationProcessed Post p v2 deleted false") }
                let post = Post(id: "p", title: "[Amplify] t", rating: 1, status: "mine")
                service.isDown.set(true)
                try await a.save(post, where: Post.keys.title.beginsWith("[Amplify]"))
                service.isDown.set(false)
                try await a.stop()
                try await a.start()
                try await log.wait { log.lines.contains { $0.hasPrefix("conditionalSaveFailed update Post p") } }
                #expect(try await a.query(Post.self).map { "\($0.title) \($0.status)" } == ["changed s"])
                #expect(errors.withLock { $0 } == ["update p"])
                await b.reset()
            }
        }

        @Test func onlyTheWantedRecordsCome() async throws {
            let rating = Mutex(2)
            let expression = DataStoreSyncExpression.syncExpression(Post.schema) {
                Post.keys.rating.gt(rating.withLock { $0 })
            }
            try await withService(plugin(.sqlite, syncExpressions: [expression])) { service, log in
                let b = plugin(.memory)
                for rating in 1...4 {
                    try await b.save(Post(id: "\(rating)", title: "t", rating: rating, status: "s"))
                }
                try await log.wait { try await b.query(MutationEvent.self).isEmpty }
                try await Amplify.DataStore.start()
                try await log.wait { try await Amplify.DataStore.query(Post.self).map(\.id) == ["3", "4"] }
                // The expression is looked at again at each start.
                rating.withLock { $0 = 3 }
                try await Amplify.DataStore.stop()
                try await Amplify.DataStore.start()
                try await log.wait { try await Amplify.DataStore.query(Post.self).map(\.id) == ["4"] }
                await b.reset()
            }
        }

        /// The expression is that of the guide, which compares a date-time with a day.
        @Test(arguments: FacadeAdapter.all)
        func anExpressionThatComparesADateTimeWithADayReadsTheIndex(adapter: FacadeAdapter) async throws {
            let expression = DataStoreSyncExpression.syncExpression(User.schema) {
                User.keys.lastName.eq("Doe").and(User.keys.createdAt.gt("2020-10-10"))
            }
            let device = plugin(adapter, SyncedModelsAndUsers(), syncExpressions: [expression])
            let schema = TestService.schema + TestService.userSchema
            try await withService(device, schema: schema) { service, log in
                let b = plugin(.memory, SyncedModelsAndUsers())
                for (id, name, text) in [
                    ("a", "Doe", "2020-10-09T23:59:59.999Z"), ("b", "Doe", "2020-10-10T00:00:00.000Z"),
                    ("c", "Roe", "2020-10-11T00:00:00.000Z"), ("d", "Doe", "2026-11-21T00:00:00.000Z"),
                ] {
                    let createdAt = try Temporal.DateTime(iso8601String: text)
                    try await b.save(User(id: id, firstName: "", lastName: name, createdAt: createdAt))
                }
                try await b.save(Post(id: "p", title: "t", rating: 1, status: "s"))
                try await log.wait { try await b.query(MutationEvent.self).isEmpty }
                try await Amplify.DataStore.start()
                try await log.wait { try await Amplify.DataStore.query(User.self).map(\.id) == ["b", "d"] }
                try await log.wait { try await Amplify.DataStore.query(Post.self).map(\.id) == ["p"] }
                let filter = #"{"and":[{"lastName":{"eq":"Doe"}},{"createdAt":{"ge":"2020-10-09"}}]}"#
                #expect(service.bodies.events.contains { $0.contains("syncUsers") && $0.contains(filter) })
                let since = try await Amplify.DataStore.query(User.self, where: User.keys.createdAt > "2020-10-11")
                #expect(since.map(\.id) == ["d"])
                await b.reset()
            }
        }

        @Test func changesComeWithQueriesWhereSubscriptionsAreDisabled() async throws {
            try await withService(plugin(.sqlite, disableSubscriptions: { true })) { service, log in
                try await Amplify.DataStore.start()
                try await log.waitUntilReady()
                let b = plugin(.memory)
                try await b.save(Post(id: "p", title: "t", rating: 1, status: "s"))
                try await log.wait { log.lines.contains("outboxMutationProcessed Post p v1 deleted false") }
                #expect(try await Amplify.DataStore.query(Post.self).isEmpty)
                try await Amplify.DataStore.stop()
                try await Amplify.DataStore.start()
                try await log.wait { try await Amplify.DataStore.query(Post.self).map(\.id) == ["p"] }
                await b.reset()
            }
        }

        @Test func aSessionThatWasRefusedIsStartedAgain() async throws {
            let device = plugin(.sqlite, errorHandler: { _ in })
            try await withService(device) { service, log in
                for count in 1...2 {
                    service.isSignedOut.set(true)
                    try await Amplify.DataStore.start()
                    let synchronizer = try #require(device.synchronizer)
                    for await status in synchronizer.statuses where status.state == .refused(.signedOut) { break }
                    service.isSignedOut.set(false)
                    try await Amplify.DataStore.start()
                    try await log.waitUntilReady(count)
                    try await Amplify.DataStore.save(Post(id: "\(count)", title: "one", rating: 1, status: "a"))
                    try await synchronizer.waitUntilSynchronized()
                    // The user signs out while changes are sent.
                    if count == 1 {
                        service.isSignedOut.set(true)
                        try await Amplify.DataStore.save(Post(id: "1", title: "two", rating: 1, status: "a"))
                    }
                }
            }
        }

        /// Most applications never call `start`.
        @Test func anyCallStartsARefusedSessionAgainAfterAWhile() async throws {
            let isLater = Flag()
            var surroundings = Surroundings.patient
            let uptime = surroundings.uptime
            surroundings.uptime = { uptime() + (isLater.isSet ? StoreSync.pause : .zero) }
            let device = plugin(.sqlite, errorHandler: { _ in }, surroundings: surroundings)
            try await withService(device) { service, log in
                service.isSignedOut.set(true)
                try await Amplify.DataStore.start()
                let synchronizer = try #require(device.synchronizer)
                for await status in synchronizer.statuses where status.state == .refused(.signedOut) { break }
                service.isSignedOut.set(false)
                try await Amplify.DataStore.save(Post(id: "1", title: "one", rating: 1, status: "a"))
                #expect(synchronizer.status.state == .refused(.signedOut))
                isLater.set(true)
                try await Amplify.DataStore.save(Post(id: "2", title: "two", rating: 1, status: "a"))
                try await log.waitUntilReady(1)
                try await synchronizer.waitUntilSynchronized()
                #expect(synchronizer.status.outboxCount == 0)
            }
        }

        @Test func commandsAreCarriedOutInTheirOrder() async throws {
            let device = plugin(.memory)
            try await withService(device) { service, log in
                let done = Mutex<[String]>([])
                await withTaskGroup(of: Void.self) { group in
                    for name in ["start", "stop", "start", "clear", "start", "stop"] {
                        let (stream, called) = AsyncStream.makeStream(of: Void.self)
                        let completion: DataStoreCallback<Void> = { result in
                            done.withLock { $0.append((try? result.get()) == nil ? "failed" : name) }
                            called.finish()
                        }
                        switch name {
                        case "start": Amplify.DataStore.start(completion: completion)
                        case "stop": Amplify.DataStore.stop(completion: completion)
                        default: Amplify.DataStore.clear(completion: completion)
                        }
                        group.addTask { for await _ in stream {} }
                    }
                }
                #expect(done.withLock { $0.sorted() } == ["clear", "start", "start", "start", "stop", "stop"])
                #expect(device.synchronizer?.status.state == .stopped)
            }
        }
    }
}

/// The content of a post, in words.
private func line(_ post: Post) -> String { "\(post.id): \(post.title), \(post.status)" }

private func edit(
    _ device: AWSDataStorePlugin, _ id: String, _ change: (inout Post) -> Void
) async throws {
    var post = try #require(try await device.query(Post.self, byId: id))
    change(&post)
    try await device.save(post)
}
