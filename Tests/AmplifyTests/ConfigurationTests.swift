import Amplify
import Foundation
import HoldfastInMemory
import HoldfastStorage
import Testing

@testable import AWSDataStorePlugin

/// The models of the page about conflicts, whose `Post` has another order of parameters.
private enum Conflict {
    struct Post: Model {
        let id: String
        var title: String
        var status: String
        var rating: Int

        init(id: String = UUID().uuidString, title: String, status: String, rating: Int) {
            self.id = id
            self.title = title
            self.status = status
            self.rating = rating
        }
    }

    static func plugin() -> AWSDataStorePlugin {
        // snippet
        // custom conflict resolution configuration
        let dataStorePlugin = AWSDataStorePlugin(
            modelRegistration: AmplifyModels(),
            configuration: .custom(
                errorHandler: { error in Amplify.Logging.error(error: error) },
                conflictHandler: { (data, resolve) in
                    guard let localPost = data.local as? Post,
                        let remotePost = data.remote as? Post
                    else {
                        resolve(.applyRemote)
                        return
                    }
                    // always favor the title from the local post
                    let mergedModel = Post(
                        title: localPost.title,
                        status: remotePost.status,
                        rating: remotePost.rating
                    )
                    resolve(.retry(mergedModel))
                },
                // Sync configuration defaults:
                syncInterval: .hours(24),
                syncMaxRecords: 10_000,
                syncPageSize: 1_000
            )
        )
        // end
        return dataStorePlugin
    }
}

extension AmplifySuite {
    @Suite struct ConfigurationTests {
        @Test func aConflictHandlerDecides() async throws {
            let configuration = Conflict.plugin().configuration
            let local = Conflict.Post(title: "mine", status: "a", rating: 1)
            let remote = Conflict.Post(title: "theirs", status: "b", rating: 2)
            configuration.conflictHandler(DataStoreConflictData(local: local, remote: remote)) { result in
                guard case .retry(let model) = result, let post = model as? Conflict.Post else { return }
                print("\(post.title) \(post.status) \(post.rating)")
            }
            #expect(await output.next() == "mine b 2")
        }

        @Test func defaultsAreThoseOfTheOriginal() async {
            let configuration = DataStoreConfiguration.default
            #expect(configuration.syncInterval == 86_400)
            #expect(configuration.syncMaxRecords == 10_000)
            #expect(configuration.syncPageSize == 1_000)
            #expect(configuration.syncExpressions.isEmpty)
            #expect(configuration.authModeStrategyType == .default)
            output.clear()
            let post = Post(title: "", rating: 0, status: "")
            configuration.conflictHandler(DataStoreConflictData(local: post, remote: post)) { print($0) }
            #expect(await output.next() == "applyRemote")
            Amplify.Logging.redirect { level, _, message in print("\(level) \(message.prefix(14))") }
            configuration.errorHandler(DataStoreError.invalidModelName("X"))
            #expect(await output.next() == "error DataStoreError")
            await Amplify.reset()
        }

        @Test(
            arguments: [
                (.infinity, 1_000_000_000_000), (1e30, 1_000_000_000_000), (60, 60), (0, 0), (-.infinity, 0),
                (.nan, 86_400),
            ] as [(TimeInterval, Int)])
        func anyIntervalIsADuration(seconds: TimeInterval, expected: Int) {
            #expect(DataStoreConfiguration.custom(syncInterval: seconds).syncDuration == .seconds(expected))
        }

        @Test func defaultLocationBelongsToTheApplication() throws {
            let location = try DefaultAdapter.location()
            #expect(location.lastPathComponent == "datastore.sqlite")
            #expect(location.pathComponents.count > 3)
        }

        @Test func aStoreIsPreparedBeforeAnythingElseUsesIt() async throws {
            let calls = Mutex(0)
            let configuration = DataStoreConfiguration.custom(
                storageAdapter: InMemoryAdapter(),
                prepareStore: { store in
                    let call = calls.withLock { calls in
                        calls += 1
                        return calls
                    }
                    if call == 1 { throw CancellationError() }
                    _ = try await store.save(Post(id: "p", title: "prepared", rating: 1, status: ""))
                })
            try Amplify.add(
                plugin: AWSDataStorePlugin(modelRegistration: AmplifyModels(), configuration: configuration))
            try Amplify.configure()
            try await resetting { () async throws in
                await #expect(throws: (any Error).self) { try await Amplify.DataStore.query(Post.self) }
                #expect(try await Amplify.DataStore.query(Post.self).map(\.title) == ["prepared"])
                #expect(try await Amplify.DataStore.query(Post.self).count == 1)
                #expect(calls.withLock { $0 } == 2)
            }
        }

        /// It would wait for itself.
        @Test func whatPreparesAStoreUsesTheOneItIsGiven() async throws {
            let failures = Mutex<[any Error]>([])
            let configuration = DataStoreConfiguration.custom(
                storageAdapter: InMemoryAdapter(),
                prepareStore: { _ in
                    do {
                        _ = try await Amplify.DataStore.query(Post.self)
                    } catch {
                        failures.withLock { $0.append(error) }
                    }
                })
            try Amplify.add(
                plugin: AWSDataStorePlugin(modelRegistration: AmplifyModels(), configuration: configuration))
            try Amplify.configure()
            try await resetting { () async throws in
                #expect(try await Amplify.DataStore.query(Post.self).isEmpty)
                let error = try #require(failures.withLock { $0.first } as? DataStoreError)
                #expect((error.underlyingError as? StorageError)?.kind == .misuse)
            }
        }

        /// Such as what the error handler starts when a store is rebuilt while it is opened.
        @Test func otherTasksThatOpeningStartsWaitForTheStore() async throws {
            let asked = Mutex<Task<[Post], any Error>?>(nil)
            @Sendable func adapter() -> InMemoryAdapter {
                asked.withLock { $0 = Task { try await Amplify.DataStore.query(Post.self) } }
                return InMemoryAdapter()
            }
            try Amplify.add(
                plugin: AWSDataStorePlugin(
                    modelRegistration: AmplifyModels(), configuration: .custom(storageAdapter: adapter())))
            try Amplify.configure()
            try await resetting { () async throws in
                #expect(try await Amplify.DataStore.query(Post.self).isEmpty)
                let other = try #require(asked.withLock { $0 })
                #expect(try await other.value.isEmpty)
            }
        }

        @Test func unitsOfTimeAreSeconds() {
            #expect(TimeInterval.milliseconds(1_500) == 1.5)
            #expect(TimeInterval.seconds(2) == 2)
            #expect(TimeInterval.minutes(2) == 120)
            #expect(TimeInterval.hours(1) == 3_600)
            #expect(TimeInterval.days(1) == 86_400)
        }

        @Test func configuringTwiceFails() async throws {
            try await FacadeAdapter.memory.run {
                #expect { try Amplify.configure() } throws: {
                    if case .amplifyAlreadyConfigured = $0 as? ConfigurationError { true } else { false }
                }
                #expect { try Amplify.add(plugin: Conflict.plugin()) } throws: {
                    if case .amplifyAlreadyConfigured = $0 as? ConfigurationError { true } else { false }
                }
            }
        }

        @Test func callsBeforeConfiguringFail() async throws {
            try await resetting {
                try Amplify.add(plugin: Conflict.plugin())
                await #expect { try await Amplify.DataStore.query(Post.self) } throws: { $0.isConfiguration }
                await #expect {
                    for try await _ in Amplify.DataStore.observe(Post.self) {}
                } throws: { $0.isConfiguration }
                #expect { try Amplify.DataStore.getPlugin(for: "other") } throws: { $0.isConfiguration }
            }
        }

        @Test func resetForgetsEverythingAndClosesTheStore() async throws {
            let adapter = InMemoryAdapter()
            try Amplify.add(
                plugin: AWSDataStorePlugin(
                    modelRegistration: AmplifyModels(), configuration: .custom(storageAdapter: adapter)))
            try Amplify.configure()
            let changes = Amplify.DataStore.observe(Post.self)
            let results = Amplify.DataStore.observeQuery(for: Post.self)
            try await Amplify.DataStore.start()
            #expect(ModelRegistry.loader != nil)
            await Amplify.reset()
            for try await _ in changes { Issue.record("nothing was changed") }
            for try await _ in results {}
            #expect(ModelRegistry.models.isEmpty && ModelRegistry.loader == nil)
            try await FacadeAdapter.memory.run {
                let posts = try await Amplify.DataStore.query(Post.self)
                #expect(posts.isEmpty)
            }
        }
    }
}

extension Error {
    fileprivate var isConfiguration: Bool {
        if case .configuration = self as? DataStoreError { true } else { false }
    }
}
