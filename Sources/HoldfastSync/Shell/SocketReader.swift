import HoldfastEngine
import HoldfastStorage
import HoldfastWire

/// Reads the frames of one socket.
final class SocketReader: Sendable {
    let models: [String: SyncedModel]
    private let scopes: [String: SyncScope]
    private let state = Mutex(State())

    private struct State {
        var started: [Int: StartedSubscription] = [:]
        /// The uses for which other headers were requested since the service last confirmed a subscription.
        ///
        /// By its use, since a subscription that is started again has another id.
        var renewed: Set<StartedSubscription.Use> = []
    }

    init(models: [String: SyncedModel], scopes: [String: SyncScope]) {
        self.models = models
        self.scopes = scopes
    }

    /// Remembers what a subscription was started with.
    func note(_ id: SubscriptionID, _ subscription: StartedSubscription) {
        state.withLock { $0.started[id.number] = subscription }
    }

    /// What a subscription was started with, if other headers may be asked for; then they may not for the same use.
    func takeRefused(_ id: SubscriptionID) -> StartedSubscription? {
        state.withLock { state in
            guard let subscription = state.started[id.number], state.renewed.insert(subscription.use).inserted else {
                return nil
            }
            return subscription
        }
    }

    /// Other headers may be asked for again: the service confirmed the subscription, or there were none to try.
    func allowRenewal(of id: SubscriptionID) {
        state.withLock { state in
            if let subscription = state.started[id.number] { state.renewed.remove(subscription.use) }
        }
    }

    /// What a frame means for the core; `nil` for one that means nothing to it.
    func frame(_ text: [UInt8]) -> IncomingFrame<SyncContent>? {
        let frame: ServerFrame
        do throws(WireError) {
            frame = try ServerFrame(parsing: text)
        } catch {
            return .unreadable(nil, "a frame that cannot be read: \(error)")
        }
        switch frame {
        case .connectionAck(let timeout): return .connectionAck(timeout: .milliseconds(timeout ?? 300_000))
        case .keepAlive, .unknown: return .keepAlive
        case .startAck(let id): return subscription(id).map { .startAck($0) }
        case .complete(let id): return subscription(id).map { .complete($0) }
        case .data(let id, let payload): return subscription(id).flatMap { data($0, payload) }
        case .error(let id, let errors):
            let failure = errors.first?.failure ?? .unknown(retryAfter: nil)
            guard let id else {
                // AppSync does not say which start was one too many. The socket stays open, and a start that is not
                // answered is tried again.
                return errors.first?.kind == .throttled ? .keepAlive : .connectionError(failure)
            }
            return subscription(id).map { .error($0, failure) }
        case .connectionError(let errors):
            return .connectionError(errors.first?.failure ?? .unknown(retryAfter: nil))
        }
    }

    private func subscription(_ id: String) -> SubscriptionID? { Int(id).map { SubscriptionID(number: $0) } }

    private func data(_ id: SubscriptionID, _ payload: [UInt8]) -> IncomingFrame<SyncContent>? {
        guard let name = state.withLock({ $0.started[id.number] })?.use.model, let model = models[name] else {
            return nil
        }
        guard let response = try? model.wire.record(payload), let items = response.result else {
            return .unreadable(id, "a change without a record")
        }
        var content = model.content(of: items, in: scopes[name] ?? SyncScope())
        for index in content.records.indices { content.records[index].isEvent = true }
        if let record = content.records.first {
            return .data(
                id,
                RemoteChange(
                    key: record.key, version: record.version, lastChangedAt: record.lastChangedAt,
                    isDeleted: record.isDeleted, content: content,
                    hasErrors: response.errors.contains { !$0.failure.isOfMode }))
        }
        return .unreadable(id, items.faults.first.map { "\($0.error)" } ?? "a change without a record")
    }
}

/// What a subscription was started with.
struct StartedSubscription: Sendable {
    /// What is subscribed to, and in which mode.
    struct Use: Sendable, Hashable {
        /// The model's name.
        var model: String
        var operation: SubscribedOperation
        /// The mode of authorization.
        var mode: Int
    }

    var use: Use
    /// The headers that the service may have refused.
    var headers: AuthHeaders
}
