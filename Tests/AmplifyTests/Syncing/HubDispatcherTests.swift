import AWSPluginsCore
import Amplify
import HoldfastEngine
import HoldfastInMemory
import HoldfastStorage
import HoldfastSyncTestSupport
import HoldfastTestSupport
import Testing

@testable import AWSDataStorePlugin
@testable import HoldfastSync

/// An adapter that notes how many entries of the outbox each query asks for; `nil` for all.
private final class NotingAdapter: StorageAdapter {
    private struct Snapshot: AdapterSnapshot {
        let base: any AdapterSnapshot
        let adapter: NotingAdapter

        var sequence: UInt64 { base.sequence }
        func close() async { await base.close() }
        func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
            try await base.get(request, into: &rows)
        }
        func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan { try await base.scan(range) }
        func query(_ query: BoundQuery) async throws(StorageError) -> any AdapterScan {
            if query.entity.name == OutboxEntry.entity.name { adapter.limits.withLock { $0.append(query.limit) } }
            return try await base.query(query)
        }
    }

    let limits = Mutex<[Int?]>([])
    private let base = InMemoryAdapter()

    var capabilities: Capabilities { base.capabilities }
    func open(_ request: OpenRequest) async throws(StorageError) { try await base.open(request) }
    func close() async throws(StorageError) { try await base.close() }
    func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        try await base.commit(request)
    }
    func snapshot() async throws(StorageError) -> any AdapterSnapshot {
        Snapshot(base: try await base.snapshot(), adapter: self)
    }
}

extension AmplifySuite {
    /// The orders in which changes and what the service says of them can be seen.
    @Suite struct HubDispatcherTests {
        /// Runs a test with a store that nothing synchronizes.
        private func withStore(
            _ adapter: any StorageAdapter = InMemoryAdapter(),
            _ body: (DataStore, inout HubDispatcher) async throws -> Void
        ) async throws {
            let store = try await DataStore.open(
                adapter, models: [Post.self, Comment.self],
                options: DataStoreOptions(surroundings: .patient))
            var dispatcher = HubDispatcher(store: store) { Issue.record("\($0)") }
            try await resetting { try await body(store, &dispatcher) }
            try await store.close()
        }

        /// Saves a post.
        private func save(_ title: String, in store: DataStore) async throws -> LocalChange {
            var changes = store.observeLocalChanges().makeAsyncIterator()
            try await store.save(Post(id: "p", title: title, rating: 1, status: "s"))
            return try #require(try await changes.next())
        }

        /// Takes the post from the outbox, as the service's answer does.
        private func process(
            _ change: LocalChange, in store: DataStore, _ dispatcher: inout HubDispatcher
        ) async throws {
            let position = try #require(try await store.lastOutboxPosition())
            try await store.clear()
            let record = RemoteRecord(key: RecordKey("p"), row: Array(change.rows[0]), version: 1, lastChangedAt: 1)
            let id = OutgoingMutation.ID(model: "Post", key: "p", position: position)
            let content = SyncContent(model: "Post", records: [record], mutation: id)
            await dispatcher.handle(.notification(.hub(.outboxMutationProcessed(content))))
        }

        /// Has the service answer a change before it is observed; the Hub must hear of it once, in the usual order.
        private func expectInOrder(
            _ change: LocalChange, in store: DataStore, _ dispatcher: inout HubDispatcher, _ log: HubLog
        ) async throws {
            try await process(change, in: store, &dispatcher)
            await dispatcher.handle(.local(change))
            try await log.wait { log.lines.last == "outboxStatus true" }
            #expect(
                log.lines == [
                    "outboxMutationEnqueued Post p", "outboxMutationProcessed Post p v1 deleted false",
                    "outboxStatus true",
                ])
            log.end()
        }

        @Test func aChangeIsEnqueuedAtOnceAfterOneThatWasNotHeard() async throws {
            try await withStore { store, dispatcher in
                let first = try await save("one", in: store)
                await dispatcher.handle(.local(first))
                let log = HubLog()
                try await process(first, in: store, &dispatcher)
                await dispatcher.handle(.local(try await save("two", in: store)))
                try await log.wait { log.lines.last == "outboxStatus false" }
                #expect(
                    log.lines == [
                        "outboxMutationEnqueued Post p", "outboxMutationProcessed Post p v1 deleted false",
                        "outboxMutationEnqueued Post p", "outboxStatus false",
                    ])
                log.end()
            }
        }

        /// The service was faster than the observation of a change, after it had refused an earlier one.
        @Test func aChangeIsEnqueuedBeforeItIsProcessedAfterARefusal() async throws {
            try await withStore { store, dispatcher in
                // The refusal is an error, too.
                dispatcher = HubDispatcher(store: store) { _ in }
                let refused = try await save("one", in: store)
                await dispatcher.handle(.local(refused))
                let position = try #require(try await store.lastOutboxPosition())
                try await store.clear()
                let log = HubLog()
                let id = OutgoingMutation.ID(model: "Post", key: "p", position: position)
                await dispatcher.handle(.notification(.report(.dead(id, .overruled))))
                let second = try await save("two", in: store)
                try await expectInOrder(second, in: store, &dispatcher, log)
            }
        }

        /// The answer to a deletion need not show the record.
        @Test func aDeletionWithoutARecordIsProcessed() async throws {
            try await withStore { store, dispatcher in
                let change = try await save("one", in: store)
                try await process(change, in: store, &dispatcher)
                let log = HubLog()
                let id = OutgoingMutation.ID(model: "Post", key: "p", position: 1)
                let content = SyncContent(model: "Post", deletedRow: Array(change.rows[0]), mutation: id)
                await dispatcher.handle(.notification(.hub(.outboxMutationProcessed(content))))
                try await log.wait { log.lines.count == 2 }
                #expect(log.lines == ["outboxMutationEnqueued Post p", "outboxMutationProcessed Post p"])
                log.end()
            }
        }

        /// What awaited the service before the start is not announced again, and there may be very much of it.
        @Test func changesFromBeforeAreNeitherReadNorEnqueued() async throws {
            let adapter = NotingAdapter()
            try await withStore(adapter) { store, dispatcher in
                let old = try await save("one", in: store)
                adapter.limits.withLock { $0 = [] }
                await dispatcher.begin()
                #expect(adapter.limits.withLock { $0 } == [1])
                let log = HubLog()
                try await process(old, in: store, &dispatcher)
                try await process(try await save("two", in: store), in: store, &dispatcher)
                let processed = "outboxMutationProcessed Post p v1 deleted false"
                try await log.wait { log.count(processed) == 2 }
                #expect(log.lines == [processed, "outboxMutationEnqueued Post p", processed])
                log.end()
            }
        }

        /// Synchronizes with a service that has no records.
        private func synchronizer(
            _ store: DataStore, _ notify: @escaping @Sendable (SyncNotification) -> Void = { _ in }
        ) async throws -> Synchronizer {
            let local = try await LocalService.open(.automerge, .patient, schema: TestService.schema)
            let authorization = SyncAuthorization(headers: { _, _ in
                .apiKey("key", host: "localhost", date: "20240229T120000Z")
            })
            return try Synchronizer(
                store, with: SyncService(transport: local, authorization: authorization), notify: notify)
        }

        /// The service has deleted the record and forgotten that.
        @Test func aFailedConditionOnARecordThatIsGoneIsDispatched() async throws {
            try await withStore { store, dispatcher in
                let before = try await synchronizer(store)
                _ = try await save("one", in: store)
                try await before.start()
                try await before.waitUntilSynchronized()
                await before.close()
                let edited = Post(id: "p", title: "two", rating: 1, status: "s")
                try await store.save(edited, where: Post.keys.rating == 1)
                let notifications = EventLog<SyncNotification>()
                let after = try await synchronizer(store) { notifications.add($0) }
                try await after.start()
                func failed() -> [SyncNotification] {
                    notifications.events.filter { if case .hub(.conditionalSaveFailed) = $0 { true } else { false } }
                }
                // It comes after the commit that empties the outbox.
                try await notifications.wait { !failed().isEmpty }
                try await after.waitUntilSynchronized()
                await after.close()
                #expect(try await store.query(Post.self).isEmpty)
                let log = HubLog()
                for notification in failed() { await dispatcher.handle(.notification(notification)) }
                await dispatcher.handle(.notification(.hub(.ready)))
                try await log.wait { log.lines.last == "ready" }
                #expect(log.lines == ["conditionalSaveFailed update Post p v0", "ready"])
                log.end()
            }
        }

        /// Nothing of it awaits the service, so that nothing would be processed later.
        @Test func aSaveOfWhatIsStoredIsNotEnqueued() async throws {
            try await withStore { store, dispatcher in
                let first = try await save("one", in: store)
                try await process(first, in: store, &dispatcher)
                let record = RemoteRecord(key: RecordKey("p"), row: Array(first.rows[0]), version: 1, lastChangedAt: 1)
                let fence = try #require(try await store.claim("here", until: 10, now: 0))
                _ = try await store.apply(RemoteBatch(model: "Post", records: [record]), fence)
                let log = HubLog()
                await dispatcher.handle(.local(try await save("one", in: store)))
                await dispatcher.handle(.local(try await save("two", in: store)))
                try await log.wait { log.lines.last == "outboxStatus false" }
                #expect(log.lines == ["outboxStatus true", "outboxMutationEnqueued Post p", "outboxStatus false"])
                log.end()
            }
        }

        /// Error handlers of the original look for these types.
        @Test func refusalsHaveTheTypesOfTheOriginal() async throws {
            try await withStore { store, dispatcher in
                let errors = EventLog<any AmplifyError>()
                dispatcher = HubDispatcher(store: store) { errors.add($0) }
                let id = OutgoingMutation.ID(model: "Post", key: "p", position: 1)
                let reason = DeadReason.rejected(type: "Unauthorized", message: "No.")
                await dispatcher.handle(.notification(.report(.dead(id, reason))))
                await dispatcher.handle(.notification(.report(.refused(.signedOut))))
                #expect(errors.events.count == 2)
                guard case .api(let refusal, _)? = errors.events.first as? DataStoreError,
                    case .error(let reasons)? = refusal as? GraphQLResponseError<MutationSync<AnyModel>>,
                    case .string(let type)? = reasons.first?.extensions?["errorType"]
                else {
                    Issue.record("\(errors.events)")
                    return
                }
                #expect(AppSyncErrorType(type) == .unauthorized)
                guard case .api(let failure, _)? = errors.events.last as? DataStoreError,
                    case .operationError(_, _, let cause)? = failure as? APIError,
                    case .signedOut(_, _, let problem)? = cause as? AuthError
                else {
                    Issue.record("\(errors.events)")
                    return
                }
                #expect((problem as? SyncProblem)?.kind == .refused(.signedOut))
            }
        }

        @Test func aChangeThatTheServiceAnsweredBeforeItWasSeenIsEnqueuedOnce() async throws {
            try await withStore { store, dispatcher in
                let log = HubLog()
                let change = try await save("one", in: store)
                try await expectInOrder(change, in: store, &dispatcher, log)
            }
        }
    }
}
