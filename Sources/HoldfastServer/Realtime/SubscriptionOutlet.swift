import HoldfastStorage
import HoldfastWire

/// Passes the events of one subscription on to the frames of its connection, on the thread that reports them.
///
/// With many subscribers a change of tasks for each would cost more than all else that an event does.
final class SubscriptionOutlet: Sendable {
    /// An event that its client wants, and that the connection has to see to.
    struct Delivery: Sendable {
        var outlet: SubscriptionOutlet
        var event: Event
    }

    private enum State { case judged, open, closed }

    let id: String
    let subscription: Subscription
    private let service: Service
    private let frames: Mailbox<[UInt8]>
    private let deliveries: Mailbox<Delivery>
    private let cutOffConnection: @Sendable () -> Void
    private let state = Mutex(State.judged)
    /// A client for which more deliveries wait is cut off, and queries again: they are read one after the other.
    private static let maximumDeliveryCount = 1_000
    /// The bytes that the filters of a connection compare for one event at most.
    ///
    /// Every other subscriber waits meanwhile, so a connection whose filters compare more is cut off.
    private static let maximumComparedByteCount = 8 << 20
    /// Fewer bytes of one subscription do not count.
    private static let minimumComparedByteCount = 4 << 10
    /// What every frame begins with.
    private let beginning: [UInt8]

    /// Creates an outlet that passes on nothing before ``open(with:)``.
    ///
    /// - Parameters:
    ///   - id: The name that the client gave.
    ///   - subscription: Which events it receives.
    ///   - service: What the subscription is about.
    ///   - frames: Takes what goes to the client.
    ///   - deliveries: Takes events that the connection has to see to.
    ///   - cutOffConnection: Ends the connection; called on any thread, must return at once.
    init(
        _ id: String, _ subscription: Subscription, service: Service, frames: Mailbox<[UInt8]>,
        deliveries: Mailbox<Delivery>, cutOffConnection: @escaping @Sendable () -> Void
    ) {
        self.id = id
        self.subscription = subscription
        self.service = service
        self.frames = frames
        self.deliveries = deliveries
        self.cutOffConnection = cutOffConnection
        var json = JSONWriter()
        json.beginObject()
        json.name("type")
        json.string("data")
        json.name("id")
        json.string(id)
        json.name("payload")
        beginning = json.bytes
    }

    /// Whether the proof of who subscribes has ended.
    var isExpired: Bool {
        subscription.identity.expiry.map { $0 <= service.surroundings.wallMicroseconds() } ?? false
    }

    /// Lets events through, after the frame that says so: a client queries what was before, so none may be missing.
    ///
    /// - Parameter frame: Accepts the subscription.
    /// - Returns: The weight of the frames that waited before it.
    func open(with frame: [UInt8]) -> Int {
        state.withLock { state in
            if state == .judged { state = .open }
            return frames.put(frame)
        }
    }

    /// Lets no more events through; when this returns, the last one is among the frames.
    func close() { state.store(.closed) }

    /// Takes an event; `nil` if some may have been missed.
    func take(_ event: Event?) {
        guard let event else { return cutOff() }
        // Nothing would be passed on, so nothing needs to be compared or written.
        guard state.load() == .open else { return }
        // First, since what a hidden record costs would show that there is one.
        guard subscription.isVisible(event.row) else { return }
        guard mayCompare(event) else { return cutOff() }
        guard subscription.wants(event.row) else { return }
        if subscription.selection.relations.isEmpty, !isExpired { return put(frame(of: event)) }
        let count = state.withLock { $0 == .open ? deliveries.put(Delivery(outlet: self, event: event)) : 0 }
        if count >= Self.maximumDeliveryCount { cutOff() }
    }

    /// Whether the filters of the connection have not compared too much for the event yet.
    private func mayCompare(_ event: Event) -> Bool {
        let byteCount = subscription.comparedByteCount(of: event.row)
        guard byteCount >= Self.minimumComparedByteCount else { return true }
        return event.payloads.count(byteCount, for: ObjectIdentifier(frames)) <= Self.maximumComparedByteCount
    }

    /// Passes a frame on unless the subscription has ended; cuts off a client that does not read.
    func put(_ frame: [UInt8]) {
        let weight = state.withLock { $0 == .open ? frames.put(frame) : 0 }
        if weight > service.options.limits.unsentByteCount { cutOff() }
    }

    /// Ends the connection at once; its client asks for everything that changed when it comes back.
    private func cutOff() {
        let wasOpen = state.withLock { state in
            guard state == .open else { return false }
            state = .closed
            return true
        }
        if wasOpen { cutOffConnection() }
    }

    // MARK: - Frames

    /// The frame of an event that says nothing of other records.
    private func frame(of event: Event) -> [UInt8] {
        if let key = subscription.payloadKey, let end = event.payloads[key] { return beginning + end }
        let rows = RowBuffer(row: event.row, version: event.sequence)
        let end = payload(.success(LoadedRecords(subscription.selection, rows: rows, relations: [])))
        if let key = subscription.payloadKey { event.payloads.keep(end, of: key) }
        return beginning + end
    }

    /// The frame of an event with what was read for it.
    func frame(of content: Result<LoadedRecords, RequestFault>) -> [UInt8] {
        beginning + payload(content)
    }

    /// A frame from its payload on.
    private func payload(_ content: Result<LoadedRecords, RequestFault>) -> [UInt8] {
        var writer = ResponseWriter(byteCount: service.options.limits.responseByteCount)
        writer.json.beginObject()
        writer.json.name("data")
        writer.json.beginObject()
        _ = writer.member(subscription.response, isNonNull: false) { writer in
            switch content {
            case .success(let records): return writer.record(records, 0)
            case .failure(let fault):
                writer.fail(fault)
                return false
            }
        }
        writer.json.endObject()
        writer.finish()
        return writer.json.bytes + [UInt8(ascii: "}")]
    }
}
