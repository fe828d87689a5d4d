extension SyncCore {
    mutating func subscribe() {
        for index in subscriptions.indices { startSubscription(index) }
        if subscriptions.isEmpty { send(toSession: .subscribed) }
    }

    mutating func startSubscription(_ index: Int) {
        guard session.isConnected, index < subscriptions.count else { return }
        let timeout = settings.handshakeTimeout
        subscriptionActions(index) { $0.start(at: $1.uptime, timeout: timeout) }
    }

    mutating func subscriptionActions(
        _ index: Int, _ change: (inout Subscription, Moment) -> [Subscription.Action]
    ) {
        guard index < subscriptions.count else { return }
        let actions = change(&subscriptions[index], now)
        let subscription = subscriptions[index]
        let number = index / max(1, settings.subscriptionsPerSocket)
        for action in actions {
            switch action {
            case .stop:
                let id = started.first { $0.value == index }?.key
                if let id, number < socketOrder.count { add(.sendFrame(socketOrder[number], .stop(id))) }
            case .start(let mode):
                guard number < socketOrder.count else { break }
                lastSubscription += 1
                let id = SubscriptionID(number: lastSubscription)
                started = started.filter { $0.value != index }
                started[id] = index
                add(
                    .sendFrame(
                        socketOrder[number],
                        .start(id, model: subscription.model, subscription.operation, mode: mode)))
            case .watch(let delay): arm(.subscription(index), delay)
            case .retry(let attempt): arm(.restart(index), backoff.delay(attempt))
            case .report(let failure):
                add(.report(.subscription(model: subscription.model, subscription.operation, failure)))
            case .gap: self.change(subscription.model) { $0.missed() }
            }
        }
        if subscriptions.allSatisfy(\.isSettled) { send(toSession: .subscribed) }
    }
}
