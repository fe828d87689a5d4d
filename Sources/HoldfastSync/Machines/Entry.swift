/// One entry of the outbox, from being taken until it is settled.
struct Entry<Content: Sendable>: Sendable {
    /// Where the entry is.
    enum State: Sendable, Hashable {
        /// It waits for its turn.
        case pending
        /// It is being sent, or its record is being read, in a mode of authorization.
        case inFlight(mode: Int, isCheck: Bool)
        /// It waits after a failure.
        case retry
        /// It waits until the service's schema may have what it names.
        case parked
        /// The conflict handler has it.
        case deciding
        /// It is known what became of it; the store must record it.
        case settled
        /// It becomes a dead letter; the store must record it.
        case dead
    }

    /// Why the record is read before the entry continues.
    enum Question: Sendable, Hashable {
        /// Whether the mutation was carried out is not known.
        case wasSent
        /// What the record is, for the conflict handler.
        case conflict
        /// What the record is, since the condition does not hold.
        case condition
        /// Whether there is a record, since no mode allows to change it.
        ///
        /// Rules that look at a record refuse to change one that the service has forgotten.
        case permission
    }

    /// What the entry wants done.
    enum Action: Sendable {
        case send(mode: Int)
        case check(mode: Int)
        case ask(Content)
        case settle(Resolution<Content>)
        case retry(attempt: Int, ServiceFailure)
        case park(attempt: Int, ServiceFailure)
        case signedOut
        case unauthorized
    }

    /// What is sent.
    let outgoing: TakenEntry
    private(set) var state = State.pending
    private(set) var question: Question?
    private var mode = 0
    private var refusals = ModeRefusals()
    private var attempt = 0
    /// How many times someone was asked to decide about a conflict, also before this entry was put back.
    private var rounds = 0
    /// How many times the record was read because the service refused the mutation.
    private var reads = 0
    /// Whether the service has answered a read of the record since the mutation was sent last.
    private var hasReadRecord = false
    /// How many times in a row the service has answered a read of the record and then not the mutation, or the read with
    /// a record that is too long.
    private var unansweredReads = 0
    /// How many times it was parked.
    private var parkings = 0
    /// Whether it is sent to find out whether the service's schema has changed since it was parked.
    private(set) var isProbe = false
    private var remote: Content?
    /// Whether the service has said that its record is not as the mutation demands.
    private var isRefused = false
    private let roundLimit: Int

    init(_ outgoing: TakenEntry, roundLimit: Int) {
        self.outgoing = outgoing
        self.roundLimit = roundLimit
        // After a start, mutations that may have been sent are looked up first.
        question = outgoing.isUncertain ? .wasSent : nil
        rounds = outgoing.attempts
    }

    /// Whether it waits, and the service is there and does not answer it: a filter on the way may refuse its contents.
    ///
    /// In an outage the record cannot be read either.
    var isStuck: Bool { state == .retry && unansweredReads > 1 }

    /// Whether a request of it is not answered.
    var isInFlight: Bool { if case .inFlight = state { true } else { false } }

    /// Continues when its turn has come or its waiting has ended.
    mutating func go() -> [Action] {
        guard state == .pending || state == .retry else { return [] }
        if mode == 0 { refusals = ModeRefusals() }
        state = .inFlight(mode: mode, isCheck: question != nil)
        return [question == nil ? .send(mode: mode) : .check(mode: mode)]
    }

    /// Forgets earlier failures, since the network came back.
    mutating func resetAttempts() { attempt = 0 }

    /// Looks the record up before anything is sent, since the service may have made it again while the entry waited, with
    /// the version that the mutation builds on.
    mutating func waited() {
        if question == nil, outgoing.kind != .create { question = .wasSent }
    }

    /// Waits for its turn after it was parked: as a probe, or since the service's schema has changed.
    mutating func wake(asProbe isProbe: Bool) {
        guard state == .parked else { return }
        state = .pending
        self.isProbe = isProbe
        waited()
    }

    /// The service answered the mutation.
    mutating func answered(_ answer: MutationAnswer<Content>) -> [Action] {
        guard case .inFlight(_, false) = state else { return [] }
        switch answer {
        case .confirmed(let content): return settle(.confirmed(content))
        case .deleted: return settle(.done(nil))
        case .conflict(nil): return ask(.conflict)
        case .conflict(let remote?): return conflict(with: remote)
        case .conditionFailed:
            isRefused = true
            return ask(outgoing.hasCondition ? .condition : .wasSent)
        case .failed(let failure):
            if case .unknown = failure { question = .wasSent }
            if case .tooLong = failure { question = .wasSent }
            if failure == .unsent { waited() }
            // A service that says when to come again is busy, and wants no more mutations than before.
            switch failure {
            case .unknown(retryAfter: nil), .tooLong: if hasReadRecord { unansweredReads += 1 }
            default: break
            }
            hasReadRecord = false
            return failed(failure)
        }
    }

    /// The service showed the record.
    mutating func checked(_ answer: CheckAnswer<Content>) -> [Action] {
        guard case .inFlight(_, true) = state, let question else { return [] }
        if case .failed(let failure) = answer {
            refusals.note(failure)
            switch failure {
            // A record that cannot be read says nothing; the result of the mutation itself says more. A service need not
            // offer to read one record of a model.
            case .rejected, .schemaMismatch: return withoutRecord(question, failure)
            case .unauthorized(isSignedOut: true): break
            case .tooLong: unansweredReads += 1
            case .unknown, .unsent: unansweredReads = 0
            case .notOffered, .unauthorized, .unauthenticated:
                // The user may be allowed to change it all the same.
                if mode + 1 >= outgoing.modeCount && !refusals.isUnauthenticated {
                    return withoutRecord(question, failure)
                }
            }
            return failed(failure)
        }
        // What is sent and not answered again and again waits longer each time, although the record can be read.
        if question == .wasSent { hasReadRecord = true } else { attempt = 0 }
        switch (question, answer) {
        case (.condition, .found(let remote, _)):
            return settle(.dead(.conditionFailed, remote: remote.content))
        case (.condition, _):
            return outgoing.kind == .delete ? settle(.done(nil)) : settle(.gone(.conditionFailed))
        case (.conflict, .found(let remote, _)):
            return conflict(with: remote)
        case (.permission, .found(let remote, _)):
            return remote.isDeleted ? conflict(with: remote) : settle(.dead(.unauthorized, remote: remote.content))
        case (.permission, _):
            return outgoing.kind == .delete ? settle(.done(nil)) : settle(.gone(.deletedRemotely))
        case (.wasSent, .found(let remote, let findings)):
            return uncertain(remote, findings)
        case (.wasSent, .absent) where isRefused && outgoing.kind != .create:
            // The service has forgotten the deleted record, and refuses to change what it does not know.
            return outgoing.kind == .delete ? settle(.done(nil)) : settle(.gone(.deletedRemotely))
        default:
            return sendAgain()
        }
    }

    /// The conflict handler decided.
    mutating func decided(_ decision: ConflictDecision<Content>) -> [Action] {
        guard state == .deciding, let remote else { return [] }
        switch decision {
        case .applyRemote: return settle(.dead(.overruled, remote: remote))
        case .retryLocal: return settle(.resend(onto: remote, replacing: nil))
        case .retry(let content): return settle(.resend(onto: remote, replacing: content))
        case .giveUp(let reason): return settle(.dead(reason, remote: remote))
        }
    }

    private mutating func uncertain(_ remote: FoundRecord<Content>, _ findings: CheckFindings) -> [Action] {
        let equalsSent = findings.contains(.equalsSent)
        let isOtherLife = findings.contains(.isOtherLife)
        let wasCarriedOut = findings.contains(.isMerged) || findings.contains([.isAboveBase, .equalsSent])
        switch outgoing.kind {
        case .create where remote.isDeleted:
            return settle(.dead(.deletedRemotely, remote: remote.content))
        case .create:
            return equalsSent ? settle(.confirmed(remote.content)) : conflict(with: remote)
        // A merge is settled as if it had been answered. Sent again, what it adds to lists would be added once more.
        case .update where !remote.isDeleted && wasCarriedOut:
            return settle(.confirmed(remote.content))
        case .delete where remote.isDeleted:
            return settle(.done(remote.content))
        // The service compares versions alone, and would carry the mutation out. A deletion sends no values.
        case .update where isOtherLife && !equalsSent, .delete where isOtherLife:
            return conflict(with: remote)
        case .update, .delete:
            return sendAgain()
        }
    }

    private mutating func conflict(with remote: FoundRecord<Content>) -> [Action] {
        if remote.isDeleted {
            return settle(
                outgoing.kind == .delete ? .done(remote.content) : .dead(.deletedRemotely, remote: remote.content))
        }
        guard rounds < roundLimit else { return settle(.dead(.overruled, remote: remote.content)) }
        rounds += 1
        self.remote = remote.content
        state = .deciding
        return [.ask(remote.content)]
    }

    private mutating func failed(_ failure: ServiceFailure) -> [Action] {
        refusals.note(failure)
        switch failure {
        case .unknown, .tooLong, .unsent:
            state = .retry
            mode = 0
            attempt += 1
            return [.retry(attempt: attempt - 1, failure)]
        case _ where failure.isOfMode && mode + 1 < outgoing.modeCount:
            mode += 1
            state = .pending
            return go()
        case .unauthorized(isSignedOut: true):
            (state, mode) = (.pending, 0)
            return [.signedOut]
        case _ where failure.isOfMode && refusals.isUnauthenticated:
            (state, mode) = (.pending, 0)
            return [.unauthorized]
        case .notOffered, .unauthorized, .unauthenticated:
            mode = 0
            if question == nil, outgoing.kind != .create { return ask(.permission) }
            return settle(.dead(.unauthorized, remote: nil))
        case .schemaMismatch:
            (state, mode) = (.parked, 0)
            parkings += 1
            return [.park(attempt: parkings - 1, failure)]
        case .rejected(let type, let message):
            return settle(.dead(.rejected(type: type, message: message), remote: nil))
        }
    }

    private mutating func withoutRecord(_ question: Question, _ failure: ServiceFailure) -> [Action] {
        switch question {
        case .wasSent:
            hasReadRecord = true
            return sendAgain()
        case .condition: return settle(.dead(.conditionFailed, remote: nil))
        case .permission: return settle(.dead(.unauthorized, remote: nil))
        case .conflict: return failed(failure)
        }
    }

    private mutating func sendAgain() -> [Action] {
        (question, mode) = (nil, 0)
        state = .pending
        return go()
    }

    /// Reads the record before it continues.
    ///
    /// A service that never stops refusing ends the entry.
    private mutating func ask(_ question: Question) -> [Action] {
        guard reads < roundLimit else {
            return settle(.dead(question.reason, remote: nil))
        }
        reads += 1
        // Rules may allow to read in other modes than to change.
        (self.question, mode) = (question, 0)
        state = .pending
        return go()
    }

    private mutating func settle(_ resolution: Resolution<Content>) -> [Action] {
        state = resolution.isDead ? .dead : .settled
        return [.settle(resolution)]
    }
}

extension Entry.Question {
    /// Why the entry ends if the question was asked too often.
    fileprivate var reason: DeadReason {
        switch self {
        case .conflict: .overruled
        case .permission: .unauthorized
        case .wasSent, .condition: .conditionFailed
        }
    }
}

extension Entry.Action: Equatable where Content: Equatable {}
