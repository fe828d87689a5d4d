import HoldfastStorage
import HoldfastWire

/// One connection of a client that subscribes to changes.
///
/// What listens on the network gives it each frame of the client and sends each frame that it makes.
///
/// ```swift
/// let connection = await server.connect(with: Credentials(headers: ["x-api-key": "da2-key"]))
/// await connection.receive(Array(#"{"type": "connection_init"}"#.utf8))
/// let frame = await connection.next()  // {"type":"connection_ack", …
/// await connection.close()
/// ```
public actor ServerConnection {
    /// An event for one subscription.
    private struct Delivery: Sendable {
        var subscription: String
        /// The event; `nil` if some may have been missed.
        var event: Event?
    }

    private let service: Service
    private let identity: Identity?
    private var session: RealtimeSession
    private var subscriptions: [String: (Subscription, listener: UInt64)] = [:]
    private let deliveries = Mailbox<Delivery>()
    private nonisolated let frames = Mailbox<[UInt8]> { $0.count }
    /// Has no elements; it is closed with the connection.
    private nonisolated let end = Mailbox<Never>()
    private var tasks: [Task<Void, Never>] = []
    private var isRefused = false
    private var isClosed = false

    private static let timeout = Duration.seconds(300)
    private static let keepAlive = Duration.seconds(60)
    /// How long a connection lives at most.
    private static let lifetime = Duration.seconds(86_400)

    init(_ service: Service, identity: Identity?) {
        self.service = service
        self.identity = identity
        session = RealtimeSession(limit: service.options.limits.subscriptions, timeout: Self.timeout)
    }

    /// Begins to hand out events.
    func open() {
        service.add(self)
        tasks.append(
            Task { [weak self, deliveries] in
                while let delivery = await deliveries.take() { await self?.deliver(delivery) }
            })
    }

    /// Refuses the connection with a last frame; it ends when the client sends its first.
    ///
    /// A client that finds the connection closed when it sends `connection_init` does not look for the reason.
    func refuse(_ refusal: Refusal) {
        isRefused = true
        send(ServerFrame.refusal(refusal))
    }

    /// Takes a frame of the client.
    ///
    /// Give frames in the order in which they come, each after the one before has been taken.
    public func receive(_ frame: [UInt8]) async {
        guard !isClosed else { return }
        guard !isRefused else { return close() }
        guard frame.count <= service.options.limits.frameByteCount else {
            send(ServerFrame.limit(nil, "LimitExceededError", "The frame is too large"))
            return close()
        }
        await carryOut(session.handle(ClientFrame(frame)))
    }

    /// The next frame for the client, as soon as there is one; `nil` when the connection is to be closed.
    ///
    /// Only one task may wait.
    public nonisolated func next() async -> [UInt8]? { await frames.take() }

    /// Returns when the connection has ended; frames may still wait.
    ///
    /// A client that does not take them in reasonable time is to be cut off. Only one task may wait.
    public nonisolated func waitUntilClosed() async { _ = await end.take() }

    /// Ends the connection; frames that wait can still be taken.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        service.remove(self)
        for (_, listener) in subscriptions.values { service.hub.remove(listener) }
        subscriptions = [:]
        for task in tasks { task.cancel() }
        deliveries.close()
        frames.close()
        end.close()
    }

    // MARK: - Actions

    private func carryOut(_ actions: [RealtimeSession.Action]) async {
        for action in actions where !isClosed {
            switch action {
            case .send(let frame): send(frame)
            case .keepAlive: keepAlive()
            case .forget(let id):
                if let (_, listener) = subscriptions.removeValue(forKey: id) { service.hub.remove(listener) }
            case .judge(let id, let data, let headers):
                let errors = await judge(id, data, headers)
                await carryOut(session.judged(id, errors))
            }
        }
    }

    private func send(_ frame: JSONValue) { send(frame.bytes) }

    private func send(_ frame: [UInt8]) {
        // A client that does not read is cut off; it resyncs when it comes back.
        if frames.put(frame) > service.options.limits.unsentByteCount { close() }
    }

    private func keepAlive() {
        let surroundings = service.surroundings
        let end = surroundings.uptime() + Self.lifetime
        tasks.append(
            Task { [weak self] in
                while (try? await surroundings.sleep(Self.keepAlive)) != nil {
                    guard let self, surroundings.uptime() < end else { break }
                    await self.tick()
                }
                if !Task.isCancelled { await self?.close() }
            })
    }

    private func tick() async {
        send(ServerFrame.keepAlive)
        for (id, (subscription, _)) in subscriptions where isExpired(subscription) {
            await carryOut(session.expired(id))
        }
    }

    private func isExpired(_ subscription: Subscription) -> Bool {
        subscription.identity.expiry.map { $0 <= service.surroundings.wallMicroseconds() } ?? false
    }

    // MARK: - Subscriptions

    /// Judges a subscription and begins to listen if it is accepted.
    ///
    /// - Returns: Why it is refused; empty if it is accepted.
    private func judge(_ id: String, _ data: String, _ headers: [String: String]) async -> [JSONValue] {
        guard let value = try? JSONValue(parsing: Array(data.utf8)), let body = RequestBody(value) else {
            return [ServerFrame.unsupported]
        }
        do {
            let identity: Identity
            if headers["authorization"] != nil || headers["x-api-key"] != nil {
                identity = try await service.identity(of: Credentials(headers: headers, body: Array(data.utf8)))
            } else if let own = self.identity {
                identity = own
            } else {
                throw Refusal(message: "Valid authorization header not provided.")
            }
            let subscription = try Subscription(body, for: identity, in: service)
            guard !isClosed else { return [] }
            let listener = service.hub.listen(to: subscription.model, subscription.operation) { [deliveries] event in
                deliveries.put(Delivery(subscription: id, event: event))
            }
            subscriptions[id] = (subscription, listener)
            return []
        } catch let refusal as Refusal {
            return [["errorType": .string(refusal.type), "message": .string(refusal.message)]]
        } catch {
            return [ServerFrame.fault(service.fault(error))]
        }
    }

    private func deliver(_ delivery: Delivery) async {
        let id = delivery.subscription
        guard let (subscription, listener) = subscriptions[id], session.isActive(id) else { return }
        // A client whose connection ends asks for everything that changed.
        guard let event = delivery.event else { return close() }
        if isExpired(subscription) { return await carryOut(session.expired(id)) }
        guard subscription.wants(event.row),
            let frame = await frame(of: event, for: subscription, id)
        else { return }
        // Another subscription may have the name by now.
        guard session.isActive(id), subscriptions[id]?.listener == listener else { return }
        send(frame)
    }

    private func frame(of event: Event, for subscription: Subscription, _ id: String) async -> [UInt8]? {
        var writer = ResponseWriter()
        writer.json.beginObject()
        writer.json.name("type")
        writer.json.string("data")
        writer.json.name("id")
        writer.json.string(id)
        writer.json.name("payload")
        let start = writer.json.bytes
        if let key = subscription.payloadKey, let end = event.payloads[key] { return start + end }
        let rows = RowBuffer(row: event.row, version: event.sequence)
        writer.json.beginObject()
        writer.json.name("data")
        writer.json.beginObject()
        do {
            let records = try await loaded(rows, subscription.selection, for: subscription.identity)
            _ = writer.member(subscription.response, isNonNull: false) { $0.record(records, 0) }
        } catch is CancellationError {
            return nil
        } catch {
            let fault = service.fault(error)
            _ = writer.member(subscription.response, isNonNull: false) { writer in
                writer.fail(fault)
                return false
            }
        }
        writer.json.endObject()
        writer.finish()
        writer.json.endObject()
        let frame = writer.json.bytes
        if let key = subscription.payloadKey { event.payloads.keep(Array(frame[start.count...]), of: key) }
        return frame
    }

    private func loaded(
        _ rows: RowBuffer, _ selection: RecordSelection, for identity: Identity
    ) async throws -> LoadedRecords {
        guard !selection.relations.isEmpty else { return LoadedRecords(selection, rows: rows, relations: []) }
        let snapshot = try await service.store.snapshot()
        let limits = service.options.limits
        let reader = RecordReader(
            snapshot: snapshot, identity: identity, limits: limits, secret: service.secret,
            meter: RowMeter(limit: limits.rowsPerRequest))
        do {
            let records = try await reader.loaded(rows, selection)
            await snapshot.close()
            return records
        } catch {
            await snapshot.close()
            throw error
        }
    }
}
