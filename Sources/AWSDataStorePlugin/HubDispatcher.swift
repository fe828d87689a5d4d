import Amplify
import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastSync

/// Turns what happens in a store and its synchronizer into events of the Hub and errors, one after the other.
struct HubDispatcher: Sendable {
    private struct RecordName: Hashable {
        let model: String
        let key: String
    }

    private typealias Name = HubPayload.EventName.DataStore

    let store: DataStore
    let errorHandler: DataStoreErrorHandler
    /// The records of which the Hub knows that they await the service.
    private var announced: Set<RecordName> = []
    /// The position of the last change from before; `nil` if there is none.
    private var lastPosition: Int64?

    init(store: DataStore, errorHandler: @escaping DataStoreErrorHandler) {
        self.store = store
        self.errorHandler = errorHandler
    }

    /// Learns what awaits the service from before.
    mutating func begin() async {
        lastPosition = try? await store.lastOutboxPosition()
    }

    /// Reports one item, after all earlier ones.
    mutating func handle(_ item: HubRelay.Item) async {
        switch item {
        case .local(let change): await handle(change)
        case .notification(.hub(let event)): await handle(event)
        case .notification(.report(let report)): await handle(report)
        }
    }

    // MARK: - Local changes

    private mutating func handle(_ change: LocalChange) async {
        guard !change.keys.isEmpty, Amplify.Hub.isHeard(on: .dataStore) else { return }
        let rows = (0..<change.rows.rowCount).map { Array(change.rows[$0]) }
        let models = (try? await store.models(change.model, rows)) ?? []
        for (key, model) in zip(change.keys, models) {
            let name = RecordName(model: change.model, key: key)
            // A save of what is stored already awaits nothing. What was processed before it is seen here is announced
            // then.
            guard (try? await store.hasUnsentChanges(name.model, name.key)) == true else {
                announced.remove(name)
                continue
            }
            announced.insert(name)
            if let model { enqueued(model, change.model) }
        }
        if let isEmpty = try? await store.isOutboxEmpty() {
            send(Name.outboxStatus, OutboxStatusEvent(isEmpty: isEmpty))
        }
    }

    private func enqueued(_ model: any Model, _ name: String) {
        send(Name.outboxMutationEnqueued, OutboxMutationEvent(modelName: name, element: .init(model: model)))
    }

    // MARK: - The synchronizer

    private mutating func handle(_ event: HubEvent<SyncContent>) async {
        switch event {
        case .networkStatus(let isActive): send(Name.networkStatus, NetworkStatusEvent(active: isActive))
        case .outboxStatus(let isEmpty): send(Name.outboxStatus, OutboxStatusEvent(isEmpty: isEmpty))
        case .subscriptionsEstablished: send(Name.subscriptionsEstablished)
        case .syncQueriesStarted(let models):
            send(Name.syncQueriesStarted, SyncQueriesStartedEvent(models: models))
        case .modelSynced(let model, let isFull, let added, let updated, let deleted):
            send(
                Name.modelSynced,
                ModelSyncedEvent(
                    modelName: model, isFullSync: isFull, isDeltaSync: !isFull, added: added, updated: updated,
                    deleted: deleted))
        case .syncQueriesReady: send(Name.syncQueriesReady)
        case .syncStarted: send(Name.syncStarted)
        case .ready: send(Name.ready)
        case .outboxMutationProcessed(let content): await processed(content)
        case .conditionalSaveFailed(let id, let content):
            await forget(RecordName(model: id.model, key: id.key))
            if let event = await letter(id, content?.deletedRow)?.event { send(Name.conditionalSaveFailed, event) }
        case .syncReceived(let content): await received(content)
        }
    }

    private mutating func processed(_ content: SyncContent) async {
        guard Amplify.Hub.isHeard(on: .dataStore), let mutation = content.mutation else { return }
        let name = RecordName(model: content.model, key: mutation.key)
        let record = content.records.first
        guard let row = record?.row ?? content.deletedRow,
            let model = (try? await store.models(content.model, [row]))?.first ?? nil
        else { return }
        if announced.insert(name).inserted, !isFromBefore(mutation) { enqueued(model, content.model) }
        await forget(name)
        send(
            Name.outboxMutationProcessed,
            OutboxMutationEvent(
                modelName: content.model,
                element: .init(
                    model: model, version: record.map { Int($0.version) }, lastChangedAt: record?.lastChangedAt,
                    deleted: record?.isDeleted ?? true)))
    }

    /// Takes in that a change of a record no longer awaits the service.
    private mutating func forget(_ name: RecordName) async {
        if (try? await store.hasUnsentChanges(name.model, name.key)) != true { announced.remove(name) }
    }

    /// Whether the change that was processed awaited the service from before.
    private func isFromBefore(_ mutation: OutgoingMutation.ID) -> Bool {
        lastPosition.map { mutation.position <= $0 } ?? false
    }

    private func received(_ content: SyncContent) async {
        guard Amplify.Hub.isHeard(on: .dataStore),
            let models = try? await store.models(content.model, content.changes.map(\.row))
        else { return }
        for (change, model) in zip(content.changes, models) {
            guard let model, let event = MutationEvent(of: model, change.kind, change.version) else { continue }
            send(Name.syncReceived, event)
        }
    }

    // MARK: - Problems

    private mutating func handle(_ report: SyncReport) async {
        if case .dead(let id, _) = report { await forget(RecordName(model: id.model, key: id.key)) }
        let problem = SyncProblem(report)
        switch problem.kind {
        // These are tried again, and the status says so.
        case .disconnected, .mutationDelayed: return
        case .modelFailed where problem.retryAfter != nil: return
        case .mutationRejected:
            guard case .dead(let id, _) = report else { return }
            self.report(.api(problem.responseError(MutationSync<AnyModel>.self), await letter(id)?.event))
        case .modelFailed, .subscriptionFailed: self.report(.api(problem.responseError(AnyModel.self)))
        case .refused(.signedOut): self.report(.api(problem.signedOutError))
        case .unreadableChange: self.report(.decodingError(problem.reason, "A query will bring the record."))
        default:
            self.report(.sync(problem.reason, "The records on the device stay as they are.", problem))
        }
    }

    private func report(_ error: DataStoreError) { errorHandler(error) }

    /// A change that was given up, as applications know it.
    ///
    /// - Parameters:
    ///   - id: The change.
    ///   - gone: Its record, if the store no longer has it.
    /// - Returns: `nil` if it cannot be shown.
    private func letter(
        _ id: OutgoingMutation.ID, _ gone: [Value]? = nil
    ) async -> (letter: DeadLetter, event: MutationEvent)? {
        guard let letter = try? await store.deadLetter(id) else { return nil }
        var found = gone
        if found == nil { found = try? await store.row(of: letter) }
        guard let row = found,
            let model = (try? await store.models(letter.model, [row]))?.first ?? nil
        else { return nil }
        let kind: ChangeKind =
            switch letter.operation {
            case .create: .created
            case .update: .updated
            case .delete: .deleted
            }
        guard var event = MutationEvent(of: model, kind, nil) else { return nil }
        event.graphQLFilterJSON = letter.condition
        return (letter, event)
    }

    private func send(_ name: HubPayloadEventName, _ data: Any? = nil) {
        Amplify.Hub.dispatch(to: .dataStore, payload: HubPayload(eventName: name, data: data))
    }
}

extension SyncProblem {
    /// The error as the service's answer to a request that returns a type.
    fileprivate func responseError<Response: Sendable>(_ type: Response.Type) -> GraphQLResponseError<Response> {
        let extensions = errorType.map { ["errorType": JSONValue.string($0)] }
        return .error([GraphQLError(message: serviceMessage ?? reason, extensions: extensions)])
    }

    /// The error as that of a request without a user.
    fileprivate var signedOutError: APIError {
        let suggestion = "Sign in, then start again."
        return .operationError(reason, suggestion, AuthError.signedOut(reason, suggestion, self))
    }
}
