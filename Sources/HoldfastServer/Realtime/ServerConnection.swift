import HoldfastSchema
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
    private let service: Service
    private let identity: Identity?
    /// How ``identity`` was proven.
    private let credentials: Credentials?
    private var session: RealtimeSession
    private var subscriptions: [String: (outlet: SubscriptionOutlet, listener: UInt64, credentials: Credentials?)] = [:]
    private let deliveries = Mailbox<SubscriptionOutlet.Delivery>()
    private nonisolated let frames = Mailbox<[UInt8]> { $0.count }
    /// Has no elements; it is closed with the connection.
    private nonisolated let end = Mailbox<Never>()
    private var tasks: [Task<Void, Never>] = []
    /// Asks functions whether they still accept the subscribers.
    private var proof: Task<Void, Never>?
    private var isRefused = false
    private var isClosed = false

    private static let timeout = Duration.seconds(300)
    /// The time between two keep-alives; also how long a client may take to begin the conversation.
    private static let keepAlive = Duration.seconds(60)
    /// How long a connection lives at most.
    private static let lifetime = Duration.seconds(86_400)
    /// How many seconds less it may be, so that connections which were opened together do not end together.
    private static let lifetimeSpread: UInt64 = 14_400

    init(_ service: Service, identity: Identity?, credentials: Credentials? = nil) {
        self.service = service
        self.identity = identity
        self.credentials = credentials
        session = RealtimeSession(limit: service.options.limits.subscriptions, timeout: Self.timeout)
    }

    /// Begins to hand out events, and to count the time of the connection.
    func open() {
        service.add(self)
        tasks.append(
            Task { [weak self, deliveries] in
                while let delivery = await deliveries.take() { await self?.deliver(delivery) }
            })
        keepAlive()
    }

    /// Refuses the connection with a last frame; it ends when the client sends its first.
    ///
    /// A client that finds the connection closed when it sends `connection_init` does not look for the reason.
    func refuse(_ refusal: Refusal) {
        isRefused = true
        send(SentFrame.refusal(refusal))
    }

    /// Takes a frame of the client.
    ///
    /// Give frames in the order in which they come, each after the one before has been taken.
    public func receive(_ frame: [UInt8]) async {
        guard !isClosed else { return }
        guard !isRefused else { return close() }
        guard frame.count <= service.options.limits.frameByteCount else {
            send(SentFrame.limit(nil, "LimitExceededError", "The frame is too large"))
            return close()
        }
        await carryOut(session.handle(ReceivedFrame(frame)))
    }

    /// The next frame for the client, as soon as there is one; `nil` when the connection must be closed.
    ///
    /// Only one task may wait.
    public nonisolated func next() async -> [UInt8]? { await frames.take() }

    /// Takes the next frame if there is one, for a caller of ``whenFramesWait(_:)``, instead of ``next()``.
    package nonisolated func takeFrame() -> Mailbox<[UInt8]>.Content { frames.takeAtOnce() }

    /// Has frames announced, also those that wait already, and the end of the connection.
    ///
    /// - Parameter announce: Called on any thread, until the connection has ended; must return at once.
    package nonisolated func whenFramesWait(_ announce: @escaping @Sendable () -> Void) { frames.whenFilled(announce) }

    /// Returns when the connection has ended; frames may still wait.
    ///
    /// The caller should cut off a client that does not take them in reasonable time. Only one task may wait.
    public nonisolated func waitUntilClosed() async { _ = await end.take() }

    /// Ends the connection; frames that wait can still be taken.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        service.remove(self)
        for id in subscriptions.keys { endSubscription(id) }
        for task in tasks { task.cancel() }
        proof?.cancel()
        deliveries.close()
        frames.close()
        end.close()
    }

    // MARK: - Actions

    private func carryOut(_ actions: [RealtimeSession.Action]) async {
        for action in actions where !isClosed {
            switch action {
            case .send(let frame): send(frame)
            case .forget(let id): endSubscription(id)
            case .judge(let id, let data, let headers):
                let errors = await judge(id, data, headers)
                let next = session.judged(id, errors)
                if case .send(let frame)? = next.first, session.isActive(id), let outlet = subscriptions[id]?.outlet {
                    limit(outlet.open(with: frame.bytes))
                    await carryOut(Array(next.dropFirst()))
                } else {
                    await carryOut(next)
                }
            }
        }
    }

    private func endSubscription(_ id: String) {
        guard let (outlet, listener, _) = subscriptions.removeValue(forKey: id) else { return }
        outlet.close()
        service.hub.remove(listener)
    }

    private func send(_ frame: WireValue) { limit(frames.put(frame.bytes)) }

    /// Cuts off a client that does not read; it resyncs when it comes back.
    private func limit(_ unsentByteCount: Int) {
        if unsentByteCount > service.options.limits.unsentByteCount { close() }
    }

    private func keepAlive() {
        let surroundings = service.surroundings
        let end = surroundings.uptime() + Self.lifetime - .seconds(surroundings.random() % Self.lifetimeSpread)
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
        guard session.isOpen else { return close() }
        send(SentFrame.keepAlive)
        for (id, subscription) in subscriptions where subscription.outlet.isExpired {
            await carryOut(session.expired(id))
        }
        // A function may answer slowly, and keep-alives must not wait for it.
        if proof == nil { proof = Task { [weak self] in await self?.prove() } }
    }

    /// Ends subscriptions whose subscribers a function of the application no longer accepts.
    ///
    /// What it accepts has no end, so it is asked again; its answer may hold for some time, and for all requests with
    /// one token.
    private func prove() async {
        defer { proof = nil }
        for (id, (outlet, _, credentials)) in subscriptions {
            guard let credentials, !isClosed else { continue }
            do throws(Refusal) {
                let identity = try await service.identity(of: credentials)
                // It may be shown other records or fields now: its client connects again, and queries what it missed.
                if subscriptions[id]?.outlet === outlet, identity != outlet.subscription.identity { close() }
            } catch {
                if !error.isTemporary, subscriptions[id]?.outlet === outlet { await carryOut(session.expired(id)) }
            }
        }
    }

    // MARK: - Subscriptions

    /// Judges a subscription and begins to listen if it is accepted.
    ///
    /// - Returns: Why it is refused; empty if it is accepted.
    private func judge(_ id: String, _ data: String, _ headers: [String: String]) async -> [WireValue] {
        guard let body = RequestBody(Array(data.utf8)) else { return [SentFrame.unsupported] }
        do {
            let identity: Identity
            var credentials = self.credentials
            if headers["authorization"] != nil || headers["x-api-key"] != nil {
                let own = Credentials(headers: headers, body: Array(data.utf8))
                identity = try await service.identity(of: own)
                credentials = own
            } else if let own = self.identity {
                identity = own
            } else {
                throw Refusal(message: "Valid authorization header not provided.")
            }
            let selectionCount = subscriptions.values.reduce(0) { $0 + $1.outlet.subscription.selectionCount }
            let subscription = try Subscription(
                body, for: identity, in: service,
                selecting: service.options.limits.selectionsPerConnection - selectionCount)
            guard !isClosed else { return [] }
            let outlet = SubscriptionOutlet(
                id, subscription, service: service, frames: frames, deliveries: deliveries,
                cutOffConnection: { [weak self] in Task { [weak self] in await self?.close() } })
            let listener = service.hub.listen(to: subscription.model, subscription.operation) { outlet.take($0) }
            subscriptions[id] = (outlet, listener, identity.mode == .function ? credentials : nil)
            return []
        } catch let refusal as Refusal {
            return [["errorType": .string(refusal.type), "message": .string(refusal.message)]]
        } catch {
            return [SentFrame.fault(service.fault(error))]
        }
    }

    /// Sees to an event that needs other records, or that comes after the proof has ended.
    private func deliver(_ delivery: SubscriptionOutlet.Delivery) async {
        let outlet = delivery.outlet
        guard subscriptions[outlet.id]?.outlet === outlet, session.isActive(outlet.id) else { return }
        if outlet.isExpired { return await carryOut(session.expired(outlet.id)) }
        let subscription = outlet.subscription
        let rows = RowBuffer(row: delivery.event.row, version: delivery.event.sequence)
        let content: Result<LoadedRecords, RequestFault>
        do {
            content = .success(
                try await service.withRelations(rows, subscription.selection, for: subscription.identity))
        } catch is CancellationError {
            return
        } catch {
            let fault = service.fault(error)
            // Clients take an event with an error for none. One that is cut off queries what has changed.
            guard RequestFault(ofClient: error) != nil else { return close() }
            content = .failure(fault)
        }
        outlet.put(outlet.frame(of: content))
    }
}
