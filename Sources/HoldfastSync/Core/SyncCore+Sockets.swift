extension SyncCore {
    /// Opens as many sockets as the subscriptions need.
    mutating func connect() {
        guard plan.subscribes else { return send(toSession: .connected) }
        let perSocket = max(1, settings.subscriptionsPerSocket)
        let count = max(1, (subscriptions.count + perSocket - 1) / perSocket)
        for _ in 0..<count {
            lastSocket += 1
            let id = SocketID(number: lastSocket)
            socketOrder.append(id)
            open(id)
        }
    }

    private mutating func open(_ id: SocketID) {
        var socket = Socket()
        let actions = socket.open(at: now.uptime, handshake: settings.handshakeTimeout)
        sockets[id] = socket
        perform(actions, of: id)
    }

    mutating func socketOpened(_ id: SocketID, _ answer: Result<Void, ServiceFailure>) {
        switch answer {
        case .success: socketActions(id) { $0.opened() }
        case .failure(let failure): socketRefused(id, failure)
        }
    }

    mutating func watch(_ id: SocketID) {
        let uptime = now.uptime
        socketActions(id) { $0.watched(at: uptime) }
    }

    mutating func socketLost(_ id: SocketID, _ failure: ServiceFailure?) {
        guard sockets[id] != nil else { return }
        socketFailure = failure
        socketActions(id) { $0.lose() }
        socketFailure = nil
    }

    /// A socket that is not authorized is opened in the next mode.
    private mutating func socketRefused(_ id: SocketID, _ failure: ServiceFailure) {
        guard sockets[id] != nil else { return }
        guard failure.isOfMode, session.isConnecting else { return socketLost(id, failure) }
        socketMode += 1
        guard socketMode < (plan.models.map(\.modeCount).max() ?? 1) else {
            // Queries may work all the same.
            if session.isWithoutSockets { return socketLost(id, failure) }
            let isSignedOut = failure == .unauthorized(isSignedOut: true)
            return send(toSession: .refused(isSignedOut ? .signedOut : .unauthorized))
        }
        disconnectSockets()
        connect()
    }

    mutating func received(_ frame: IncomingFrame<Content>, on id: SocketID) {
        guard sockets[id] != nil else { return }
        sockets[id]?.heard(at: now.uptime)
        let uptime = now.uptime
        switch frame {
        case .connectionAck(let timeout):
            socketActions(id) { $0.acknowledged(timeout: timeout, at: uptime) }
        case .connectionError(let failure): socketRefused(id, failure)
        case .keepAlive: break
        case .startAck(let subscription):
            if let index = started[subscription] { subscriptionActions(index) { this, _ in this.acknowledged() } }
        case .error(let subscription, let failure):
            guard let index = started[subscription] else { break }
            let timeout = settings.handshakeTimeout
            subscriptionActions(index) { $0.failed(failure, at: $1.uptime, timeout: timeout) }
        case .complete(let subscription):
            if let index = started[subscription] { subscriptionActions(index) { this, _ in this.completed() } }
        case .data(let subscription, let change):
            guard let index = started[subscription] else { break }
            let settings = settings
            self.change(subscriptions[index].model) { $0.changed(change, settings: settings) }
            if change.hasErrors { readLater(subscriptions[index].model) }
        case .unreadable(let subscription, let words):
            guard let subscription else {
                add(.report(.unreadable(model: nil, words)))
                if armed[.trailing] == nil { arm(.trailing, settings.trailingDelay) }
                break
            }
            guard let index = started[subscription] else { break }
            add(.report(.unreadable(model: subscriptions[index].model, words)))
            readLater(subscriptions[index].model)
        }
    }

    private mutating func socketActions(_ id: SocketID, _ change: (inout Socket) -> [Socket.Action]) {
        guard var socket = sockets[id] else { return }
        let actions = change(&socket)
        sockets[id] = socket
        perform(actions, of: id)
    }

    private mutating func perform(_ actions: [Socket.Action], of id: SocketID) {
        for action in actions {
            switch action {
            case .connect:
                let mode = socketMode
                _ = begin(.socket(id)) { .openSocket($0, id, mode: mode) }
            case .initialize: add(.sendFrame(id, .connectionInit))
            case .watch(let delay): arm(.socket(id), delay)
            case .ready: if sockets.values.allSatisfy(\.isOpen) { send(toSession: .connected) }
            case .lost:
                // Otherwise a service that accepts sockets and soon cuts them would be asked several times a second.
                if now.uptime - liveSince >= Backoff.lastingTime { send(toSession: .lasted) }
                send(toSession: .socketLost)
            }
        }
    }

    /// Closes every socket; models and subscriptions begin again with the next ones.
    mutating func disconnect() {
        disconnectSockets()
        disarm(\.isOfConnection)
        forget {
            if case .fetch = $0 { true } else { false }
        }
        for index in subscriptions.indices { subscriptions[index].disconnect() }
        for model in plan.models { models[model.name]?.interrupt() }
        announced = []
        outdated = []
    }

    mutating func disconnectSockets() {
        for id in socketOrder { add(.closeSocket(id)) }
        disarm { if case .socket = $0 { true } else { false } }
        forget { if case .socket = $0 { true } else { false } }
        sockets = [:]
        socketOrder = []
        started = [:]
    }

    mutating func connectLater(_ attempt: Int) {
        // Something on the way that lets no sockets pass will hardly change soon.
        let delay = backoff.delay(attempt, atLeast: session.isWithoutSockets ? Backoff.lastingTime : nil)
        add(.report(.socket(socketFailure, retry: delay)))
        arm(.connect, delay)
    }
}
