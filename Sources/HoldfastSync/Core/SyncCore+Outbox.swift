import HoldfastEngine

/// How far the outbox is being sent.
struct OutboxProgress: Sendable, Hashable {
    /// How many entries that are parked or wait for the conflict handler leave their places to others.
    static let waitLimit = 1_000
    /// How many parked entries are tried again after a time.
    static let probeLimit = 8

    /// Whether answers to mutations count: from the first time that all models were read until the session ends.
    var isOn = false
    /// Whether the outbox may have entries that are not taken.
    var mayHaveMore = true
    /// Whether the entries that an earlier session took were asked for.
    var hasTakenSent = false
    /// The last report to the hub; `nil` if there was none.
    var announcedEmpty: Bool?
    /// How many commits failed in a row.
    var failures = 0
}

extension SyncCore {
    mutating func outboxChanged() {
        outboxProgress.mayHaveMore = true
        if outboxProgress.isOn { queue(.take) }
    }

    /// How many entries to take; `nil` if there is no room or nothing left.
    ///
    /// What is known of earlier ones is stored before. Otherwise an entry that is to be sent again, by a commit of
    /// unknown outcome, could be taken, and the same outcome, when it is stored again, be taken for the new attempt's.
    func nextTake() -> (limit: Int, includesSent: Bool)? {
        guard outboxProgress.isOn, session.state == .live, outboxProgress.mayHaveMore, outcomes.isEmpty else {
            return nil
        }
        let room = self.room
        return room > 0 ? (room, !outboxProgress.hasTakenSent) : nil
    }

    /// How many entries may be in progress at once.
    ///
    /// The store looks at no more than 1,000.
    private var window: Int { min(max(1, settings.sendWindow), 1_000) }

    /// How many more entries may be in progress.
    ///
    /// Entries that are stuck leave their places to others, up to four windows in all, and so do entries that are parked
    /// or wait for the conflict handler, unless the order is strict.
    private var room: Int {
        guard window > 1 else { return 1 - entries.count }
        let waiting = entries.values.count { $0.state == .deciding || $0.state == .parked }
        let others = entries.count - min(waiting, OutboxProgress.waitLimit)
        return min(window - others + entries.values.count(where: \.isStuck), 4 * window - others)
    }

    mutating func taken(_ answer: Result<Taken<Content>, StoreFailure>) {
        guard outboxProgress.isOn else { return }
        switch answer {
        case .failure(let failure): takeLater(failure)
        case .success(let taken):
            for received in taken.received { add(.emit(.syncReceived(received))) }
            if let failure = taken.failure { return takeLater(failure) }
            if taken.hasChangesOfOthers { return send(toSession: .refused(.otherUser)) }
            outboxProgress.failures = 0
            outboxProgress.hasTakenSent = true
            if taken.hasMore {
                outboxProgress.mayHaveMore = true
                // What an earlier take took left no room to others, and may have left its place.
                queue(.take)
            }
            for outgoing in taken.entries where entries[outgoing.id] == nil {
                entries[outgoing.id] = Entry(outgoing, roundLimit: settings.conflictRounds)
            }
            if !taken.entries.isEmpty, outboxProgress.announcedEmpty != false { announceOutbox(isEmpty: false) }
            if taken.isOutboxEmpty, outboxProgress.announcedEmpty == false { announceOutbox(isEmpty: true) }
            pump()
        }
    }

    /// Takes entries after a while, since the store has failed.
    private mutating func takeLater(_ failure: StoreFailure) {
        guard survives(failure) else { return }
        add(.report(.store(failure)))
        outboxProgress.mayHaveMore = true
        // The store may have taken entries all the same.
        outboxProgress.hasTakenSent = false
        outboxProgress.failures += 1
        arm(.take, backoff.delay(outboxProgress.failures - 1))
    }

    /// Sends the entries whose turn has come, as many as may be in flight at once: an earlier session can have sent
    /// more.
    ///
    /// After a gap the models are read first: an edit is applied on top of what has changed meanwhile, instead of
    /// contradicting it.
    mutating func pump() {
        guard outboxProgress.isOn, session.state == .live else { return }
        let ids = entries.keys.sorted()
        var freeSlots = window - entries.values.count(where: \.isInFlight)
        for id in ids where freeSlots > 0 {
            guard let entry = entries[id], entry.state == .pending else { continue }
            // An entry blocks later ones until the store has recorded what became of it.
            let isBlocked = ids.contains { earlier in
                entries[earlier].map { entry.outgoing.waits(for: $0.outgoing) } ?? false
            }
            if !isBlocked {
                update(id) { $0.go() }
                freeSlots -= 1
            }
        }
    }

    /// Lets an entry learn something, and does what it wants.
    mutating func update(_ id: OutgoingMutation.ID, _ change: (inout Entry<Content>) -> [Entry<Content>.Action]) {
        guard var entry = entries[id] else { return }
        let actions = change(&entry)
        entries[id] = entry
        for action in actions {
            switch action {
            case .send(let mode): _ = begin(.mutation(id)) { .sendMutation($0, id, mode: mode) }
            case .check(let mode): _ = begin(.check(id)) { .check($0, id, mode: mode) }
            case .ask(let remote):
                _ = begin(.ask(id)) { .ask($0, id, remote: remote) }
                queue(.take)
                pump()
            case .settle(let resolution):
                outcomes[id] = resolution
                if armed[.settle] == nil { queue(.settle) }
                if entry.isProbe { wakeParked() }
            case .retry(let attempt, let failure):
                let delay = backoff.delay(attempt, atLeast: failure.retryAfter)
                add(.report(.mutation(id, failure, retry: delay)))
                arm(.entry(id), delay)
                if entry.isStuck { queue(.take) }
                pump()
            case .park(let attempt, let failure):
                let delay = Duration.seconds(15) * (1 << min(attempt, 8)) + backoff.delay(attempt)
                if attempt == 0 { add(.report(.mutation(id, failure, retry: delay))) }
                // A few are enough to find out whether the schema has changed, which wakes the others.
                if armed.keys.count(where: \.isOfParked) < OutboxProgress.probeLimit { arm(.parked(id), delay) }
                queue(.take)
                pump()
            case .signedOut: send(toSession: .refused(.signedOut))
            case .unauthorized: send(toSession: .refused(.unauthorized))
            }
        }
    }

    /// Sends what is parked: the service's schema has changed.
    private mutating func wakeParked() {
        disarm(\.isOfParked)
        for id in entries.keys { entries[id]?.wake(asProbe: false) }
        pump()
    }

    mutating func settled(_ answer: Result<SettleReport<Content>, StoreFailure>) {
        let settling = settling
        self.settling = [:]
        switch answer {
        case .failure(let failure):
            guard outboxProgress.isOn, survives(failure) else { return }
            add(.report(.store(failure)))
            outcomes.merge(settling) { newer, _ in newer }
            outboxProgress.failures += 1
            arm(.settle, backoff.delay(outboxProgress.failures - 1))
        case .success(let report):
            for id in settling.keys.sorted() { record(settling[id], of: id) }
            self.report(report.deadLetters.filter { settling[$0.key]?.isDead != true })
            for id in report.deadLetters.keys { entries[id] = nil }
            for processed in report.processed { add(.emit(.outboxMutationProcessed(processed))) }
            for received in report.received { add(.emit(.syncReceived(received))) }
            announceOutbox(isEmpty: report.isOutboxEmpty)
            // The commit was made, also if the session has ended meanwhile.
            guard outboxProgress.isOn else { return }
            outboxProgress.failures = 0
            // The store works again: what came meanwhile waits no longer, and nothing is taken before it is stored.
            disarm { $0 == .settle }
            if !outcomes.isEmpty { queue(.settle) }
            // What waited for the settled ones may be taken now.
            outboxProgress.mayHaveMore = true
            queue(.take)
            pump()
        }
    }

    private mutating func record(_ resolution: Resolution<Content>?, of id: OutgoingMutation.ID) {
        switch resolution {
        case .dead(let reason, _)?, .gone(let reason)?:
            add(.report(.dead(id, reason)))
            if reason == .conditionFailed { add(.emit(.conditionalSaveFailed(id))) }
        // What is sent again is taken again, with the payload that the store has frozen for it.
        case .resend?, .confirmed?, .done?, nil: break
        }
        entries[id] = nil
    }

    /// Reports changes that were given up, oldest first.
    mutating func report(_ deadLetters: [OutgoingMutation.ID: DeadReason]) {
        for (id, reason) in deadLetters.sorted(by: { $0.key < $1.key }) { add(.report(.dead(id, reason))) }
    }

    mutating func announceOutbox(isEmpty: Bool) {
        outboxProgress.announcedEmpty = isEmpty
        add(.emit(.outboxStatus(isEmpty: isEmpty)))
    }
}
