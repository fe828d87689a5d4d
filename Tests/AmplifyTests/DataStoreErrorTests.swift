import AWSDataStorePlugin
import Amplify
import HoldfastInMemory
import HoldfastStorage
import Testing

extension AmplifySuite {
    @Suite struct DataStoreErrorTests {
        @Test(arguments: FacadeAdapter.all) func aConditionThatFailsIsInvalid(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                let post = Post(id: "p1", title: "One", rating: 1, status: "a")
                let wrong = Post.keys.rating > 1
                await #expect { try await Amplify.DataStore.save(post, where: wrong) } throws: {
                    $0.isInvalidCondition
                }
                try await Amplify.DataStore.save(post, where: QueryPredicateConstant.all)
                await #expect { try await Amplify.DataStore.save(post, where: wrong) } throws: {
                    $0.isInvalidCondition
                }
                await #expect { try await Amplify.DataStore.delete(post, where: wrong) } throws: {
                    $0.isInvalidCondition
                }
                await #expect {
                    try await Amplify.DataStore.delete(Post.self, withId: "p1", where: wrong)
                } throws: {
                    $0.isInvalidCondition
                }
                try await Amplify.DataStore.delete(Post.self, withId: "absent", where: wrong)
                #expect(try await Amplify.DataStore.query(Post.self).count == 1)
            }
        }

        @Test(arguments: FacadeAdapter.all) func callsThatMakeNoSenseAreInvalid(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                let absent = Post(title: "One", rating: 1, status: "a")
                await #expect { try await Amplify.DataStore.save(Comment(post: absent)) } throws: {
                    guard case .invalidOperation(let cause) = $0 as? DataStoreError else { return false }
                    return (cause as? ModelError)?.kind == .brokenRelation
                }
                await #expect {
                    try await Amplify.DataStore.query(Post.self, where: field("nothing") == 1)
                } throws: {
                    if case .invalidOperation = $0 as? DataStoreError { true } else { false }
                }
                await #expect { try await Amplify.DataStore.save(ModelSyncMetadata(id: "Post")) } throws: {
                    if case .invalidModelName("ModelSyncMetadata") = $0 as? DataStoreError { true } else { false }
                }
                await #expect {
                    for try await _ in Amplify.DataStore.observe(MutationEvent.self) {}
                } throws: {
                    if case .invalidModelName("MutationEvent") = $0 as? DataStoreError { true } else { false }
                }
            }
        }

        /// As of a view that disappears, or of an operation whose publisher is dropped.
        @Test(arguments: FacadeAdapter.all) func aCancelledTaskFailsNoCall(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                let task = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    let store = Amplify.DataStore
                    try await store.start()
                    for id in ["a", "b", "c", "d"] {
                        try await store.save(Post(id: id, title: "One", rating: id == "d" ? 2 : 1, status: "s"))
                    }
                    for number in 1...2 { try await store.save(Edition(isbn: "i", number: number, title: "T")) }
                    #expect(try await store.query(Post.self).count == 4)
                    #expect(try await store.query(Post.self, byId: "a") != nil)
                    let key = Edition.IdentifierProtocol.identifier(isbn: "i", number: 1)
                    #expect(try await store.query(Edition.self, byIdentifier: key) != nil)
                    try await store.delete(Post.self, withId: "a")
                    let post = try #require(try await store.query(Post.self, byId: "b"))
                    try await store.delete(post)
                    try await store.delete(Post.self, where: Post.keys.rating > 1)
                    try await store.delete(Edition.self, withIdentifier: key)
                    #expect(Task.isCancelled)
                }
                try await task.value
                #expect(try await Amplify.DataStore.query(Post.self).map(\.id) == ["c"])
                #expect(try await Amplify.DataStore.query(Edition.self).map(\.number) == [2])
                try await Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    try await Amplify.DataStore.stop()
                    try await Amplify.DataStore.clear()
                }.value
                #expect(try await Amplify.DataStore.query(Post.self).isEmpty)
            }
        }

        @Test func aStoreThatCannotBeOpenedFailsEachTime() async throws {
            try Amplify.add(
                plugin: AWSDataStorePlugin(
                    modelRegistration: AmplifyModels(), configuration: .custom(storageAdapter: try unavailable())))
            try Amplify.configure()
            try await resetting {
                for _ in 0..<2 {
                    await #expect { try await Amplify.DataStore.start() } throws: {
                        guard case .invalidOperation(let cause) = $0 as? DataStoreError else { return false }
                        return (cause as? StorageError)?.kind == .io
                    }
                }
                await #expect {
                    for try await _ in Amplify.DataStore.observeQuery(for: Post.self) {}
                } throws: {
                    $0 is DataStoreError
                }
                await #expect {
                    for try await _ in Amplify.DataStore.observe(Post.self) {}
                } throws: {
                    $0 is DataStoreError
                }
            }
        }

        @Test func resultsOfOtherErrorsAreInvalidOperations() {
            let own = DataStoreResult<Int>.failure(causedBy: DataStoreError.invalidModelName("X"))
            let other = DataStoreResult<Int>.failure(causedBy: CancellationError())
            var kept: [DataStoreResult<Int>] = []
            for result in [own, other, .success(3)] { result.resolve { kept.append($0) } }
            guard case .failure(.invalidModelName("X")) = kept[0], case .success(3) = kept[2],
                case .failure(.invalidOperation(let cause)) = kept[1]
            else {
                Issue.record("\(kept)")
                return
            }
            #expect(cause is CancellationError)
        }

        @Test func errorsAreWrappedOnce() {
            let error = DataStoreError.invalidModelName("X")
            if case .invalidModelName = DataStoreError(error: error) {} else { Issue.record("wrapped again") }
            if case .api = DataStoreError(error: CoreError.listOperation("", "")) {} else { Issue.record("not api") }
            if case .unknown = DataStoreError(error: CancellationError()) {} else { Issue.record("not unknown") }
            #expect(error.errorDescription.contains("'X'") && error.underlyingError == nil)
        }
    }
}

private func unavailable() throws -> any StorageAdapter { throw StorageError(.io, "The disk is gone.") }

extension Error {
    fileprivate var isInvalidCondition: Bool {
        if case .invalidCondition = self as? DataStoreError { true } else { false }
    }
}
