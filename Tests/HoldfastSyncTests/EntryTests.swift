import Testing

@testable import HoldfastSync

@Suite struct EntryTests {
    typealias Action = Entry<String>.Action
    private static let unauthorized = ServiceFailure.unauthorized(isSignedOut: false)
    private static let lost = ServiceFailure.unknown(retryAfter: nil)
    private static let mismatch = ServiceFailure.schemaMismatch(message: "m")
    private static let live = FoundRecord(isDeleted: false, content: "remote")
    private static let dead = FoundRecord(isDeleted: true, content: "deleted")

    private func sent(_ outgoing: TakenEntry, rounds: Int = 10) -> Entry<String> {
        var entry = Entry<String>(outgoing, roundLimit: rounds)
        _ = entry.go()
        return entry
    }

    struct AnswerRow: Sendable {
        var kind: MutationKind
        var hasCondition = false
        var answer: MutationAnswer<String>
        var actions: [Action]
    }

    static let answers: [AnswerRow] = [
        AnswerRow(kind: .update, answer: .confirmed("r"), actions: [.settle(.confirmed("r"))]),
        AnswerRow(kind: .delete, answer: .deleted, actions: [.settle(.done(nil))]),
        AnswerRow(kind: .update, answer: .failed(lost), actions: [.retry(attempt: 0, lost)]),
        AnswerRow(kind: .update, answer: .failed(.unsent), actions: [.retry(attempt: 0, .unsent)]),
        AnswerRow(kind: .create, answer: .failed(unauthorized), actions: [.settle(.dead(.unauthorized, remote: nil))]),
        AnswerRow(kind: .update, answer: .failed(unauthorized), actions: [.check(mode: 0)]),
        AnswerRow(kind: .update, answer: .failed(.unauthorized(isSignedOut: true)), actions: [.signedOut]),
        AnswerRow(
            kind: .update, answer: .failed(.rejected(type: "T", message: "m")),
            actions: [.settle(.dead(.rejected(type: "T", message: "m"), remote: nil))]),
        AnswerRow(kind: .update, answer: .failed(mismatch), actions: [.park(attempt: 0, mismatch)]),
        AnswerRow(kind: .update, answer: .conflict(live), actions: [.ask("remote")]),
        AnswerRow(kind: .delete, answer: .conflict(live), actions: [.ask("remote")]),
        AnswerRow(kind: .update, answer: .conflict(nil), actions: [.check(mode: 0)]),
        AnswerRow(
            kind: .update, answer: .conflict(dead), actions: [.settle(.dead(.deletedRemotely, remote: "deleted"))]),
        AnswerRow(kind: .delete, answer: .conflict(dead), actions: [.settle(.done("deleted"))]),
        AnswerRow(kind: .create, answer: .conditionFailed, actions: [.check(mode: 0)]),
        AnswerRow(kind: .update, hasCondition: true, answer: .conditionFailed, actions: [.check(mode: 0)]),
    ]

    @Test(arguments: answers) func eachAnswerHasItsConsequence(row: AnswerRow) {
        var entry = sent(HoldfastSyncTests.entry(1, row.kind, hasCondition: row.hasCondition))
        #expect(entry.answered(row.answer) == row.actions)
    }

    struct CheckRow: Sendable {
        var kind: MutationKind
        var answer: CheckAnswer<String>
        var actions: [Action]
    }

    static let checks: [CheckRow] = [
        // Above the base and equal: it is ours.
        CheckRow(
            kind: .update, answer: .found(live, [.isAboveBase, .equalsSent]),
            actions: [.settle(.confirmed("remote"))]),
        CheckRow(
            kind: .create, answer: .found(live, [.isAboveBase, .equalsSent]),
            actions: [.settle(.confirmed("remote"))]),
        // At the base: it was never carried out, even if the values are equal.
        CheckRow(kind: .update, answer: .found(live, [.equalsSent]), actions: [.send(mode: 0)]),
        CheckRow(kind: .update, answer: .found(live, []), actions: [.send(mode: 0)]),
        // At the base, and created since: the service would take it for the base.
        CheckRow(
            kind: .update, answer: .found(live, [.isOtherLife]),
            actions: [.ask("remote")]),
        CheckRow(
            kind: .delete, answer: .found(live, [.isOtherLife]),
            actions: [.ask("remote")]),
        // A deletion sends nothing, which every record has.
        CheckRow(
            kind: .delete, answer: .found(live, [.equalsSent, .isOtherLife]),
            actions: [.ask("remote")]),
        // A merge at a restored service may end at the base's version; what was sent does no harm again.
        CheckRow(
            kind: .update, answer: .found(live, [.equalsSent, .isOtherLife]),
            actions: [.send(mode: 0)]),
        CheckRow(
            kind: .delete, answer: .found(dead, [.isOtherLife]),
            actions: [.settle(.done("deleted"))]),
        // Above the base and merged: what the merge has not taken goes on top of it.
        CheckRow(
            kind: .update, answer: .found(live, [.isAboveBase, .isMerged]),
            actions: [.settle(.confirmed("remote"))]),
        // Above the base and different: the service decides.
        CheckRow(kind: .update, answer: .found(live, [.isAboveBase]), actions: [.send(mode: 0)]),
        CheckRow(kind: .delete, answer: .found(live, [.isAboveBase, .equalsSent]), actions: [.send(mode: 0)]),
        CheckRow(kind: .create, answer: .absent, actions: [.send(mode: 0)]),
        CheckRow(kind: .update, answer: .absent, actions: [.send(mode: 0)]),
        CheckRow(
            kind: .delete, answer: .found(dead, [.isAboveBase]),
            actions: [.settle(.done("deleted"))]),
        CheckRow(kind: .update, answer: .found(dead, [.isAboveBase]), actions: [.send(mode: 0)]),
        CheckRow(
            kind: .create, answer: .found(dead, [.isAboveBase]),
            actions: [.settle(.dead(.deletedRemotely, remote: "deleted"))]),
        CheckRow(kind: .create, answer: .found(live, [.isAboveBase]), actions: [.ask("remote")]),
        CheckRow(kind: .update, answer: .failed(lost), actions: [.retry(attempt: 0, lost)]),
        CheckRow(kind: .update, answer: .failed(.rejected(type: "T", message: "m")), actions: [.send(mode: 0)]),
        CheckRow(kind: .create, answer: .failed(unauthorized), actions: [.send(mode: 0)]),
        CheckRow(kind: .update, answer: .failed(unauthorized), actions: [.send(mode: 0)]),
        CheckRow(kind: .update, answer: .failed(.unauthorized(isSignedOut: true)), actions: [.signedOut]),
    ]

    @Test(arguments: checks) func anUncertainEntryIsLookedForFirst(row: CheckRow) {
        var outgoing = HoldfastSyncTests.entry(1, row.kind)
        outgoing.isUncertain = true
        var entry = Entry<String>(outgoing, roundLimit: 10)
        #expect(entry.go() == [.check(mode: 0)])
        #expect(entry.checked(row.answer) == row.actions)
    }

    /// The service may have made the record again while the mutation waited, by chance with the same version.
    @Test func whatWasNeverSentIsLookedForUnlessItIsNew() {
        for kind in [MutationKind.create, .update, .delete] {
            var entry = sent(HoldfastSyncTests.entry(1, kind))
            _ = entry.answered(.failed(.unsent))
            #expect(entry.go() == [kind == .create ? .send(mode: 0) : .check(mode: 0)])
        }
        var late = sent(HoldfastSyncTests.entry(1))
        _ = late.answered(.failed(.unsent))
        _ = late.go()
        let again = CheckAnswer<String>.found(Self.live, [.isOtherLife])
        #expect(late.checked(again) == [.ask("remote")])
    }

    /// A service need not offer to read one record of a model.
    @Test func anEntryWhoseRecordCannotBeAskedForIsSent() {
        var outgoing = HoldfastSyncTests.entry(1, .create)
        outgoing.isUncertain = true
        var entry = Entry<String>(outgoing, roundLimit: 10)
        _ = entry.go()
        #expect(entry.checked(.failed(Self.mismatch)) == [.send(mode: 0)])
        #expect(entry.answered(.failed(Self.mismatch)) == [.park(attempt: 0, Self.mismatch)])
        #expect(entry.state == .parked && entry.go() == [])
        entry.wake(asProbe: true)
        #expect(entry.go() == [.send(mode: 0)])
        #expect(entry.answered(.failed(Self.mismatch)) == [.park(attempt: 1, Self.mismatch)])
    }

    /// The service may have made the record again meanwhile, by chance with the same version.
    @Test func whatWasParkedIsLookedForUnlessItIsNew() {
        for kind in [MutationKind.create, .update, .delete] {
            var entry = sent(HoldfastSyncTests.entry(1, kind))
            _ = entry.answered(.failed(Self.mismatch))
            entry.wake(asProbe: false)
            #expect(entry.go() == [kind == .create ? .send(mode: 0) : .check(mode: 0)])
        }
    }

    @Test func theModesAreTriedInOrder() {
        var entry = sent(HoldfastSyncTests.entry(1, .create, modeCount: 3))
        #expect(entry.answered(.failed(Self.unauthorized)) == [.send(mode: 1)])
        #expect(entry.answered(.failed(Self.unauthorized)) == [.send(mode: 2)])
        #expect(entry.answered(.failed(Self.unauthorized)) == [.settle(.dead(.unauthorized, remote: nil))])
        #expect(entry.state == .dead)
    }

    @Test(arguments: [MutationKind.create, .update, .delete])
    func aModeWhoseCredentialsAreRefusedSaysNothingOfTheChange(kind: MutationKind) {
        for answers in [
            [ServiceFailure.unauthenticated, .unauthenticated], [.unauthenticated, .notOffered],
            [.notOffered, .unauthenticated],
        ] {
            var entry = sent(HoldfastSyncTests.entry(1, kind, modeCount: 2))
            #expect(entry.answered(.failed(answers[0])) == [.send(mode: 1)])
            #expect(entry.answered(.failed(answers[1])) == [.unauthorized])
            #expect(entry.state == .pending)
        }
        // The other one is enough.
        var entry = sent(HoldfastSyncTests.entry(1, kind, modeCount: 2))
        _ = entry.answered(.failed(.unauthenticated))
        #expect(entry.answered(.confirmed("r")) == [.settle(.confirmed("r"))])
    }

    /// A key that nothing but this change needs may have expired long ago.
    @Test(arguments: [
        [ServiceFailure.unauthenticated, .unauthorized(isSignedOut: false)],
        [.unauthorized(isSignedOut: false), .unauthenticated],
    ])
    func aModeWhoseCredentialsAreAcceptedDecides(answers: [ServiceFailure]) {
        var creation = sent(HoldfastSyncTests.entry(1, .create, modeCount: 3))
        #expect(creation.answered(.failed(answers[0])) == [.send(mode: 1)])
        #expect(creation.answered(.failed(answers[1])) == [.send(mode: 2)])
        #expect(creation.answered(.failed(.notOffered)) == [.settle(.dead(.unauthorized, remote: nil))])
        // A record that may not be read may be created all the same.
        var lookedUp = sent(HoldfastSyncTests.entry(1, .create, modeCount: 3))
        _ = lookedUp.answered(.failed(.unknown(retryAfter: nil)))
        #expect(lookedUp.go() == [.check(mode: 0)])
        #expect(lookedUp.checked(.failed(answers[0])) == [.check(mode: 1)])
        #expect(lookedUp.checked(.failed(answers[1])) == [.check(mode: 2)])
        #expect(lookedUp.checked(.failed(.notOffered)) == [.send(mode: 0)])
    }

    @Test func aRecordThatIsReadWithRefusedCredentialsSaysNothingOfTheChange() {
        var entry = sent(HoldfastSyncTests.entry(1))
        #expect(entry.answered(.failed(Self.unauthorized)) == [.check(mode: 0)])
        #expect(entry.checked(.failed(.unauthenticated)) == [.unauthorized])
        // What a mode said before an outage does not count afterwards.
        var other = sent(HoldfastSyncTests.entry(1, .create, modeCount: 2))
        _ = other.answered(.failed(.unauthenticated))
        _ = other.answered(.failed(.unsent))
        #expect(other.go() == [.send(mode: 0)])
        #expect(other.answered(.failed(Self.unauthorized)) == [.send(mode: 1)])
        #expect(other.answered(.failed(Self.unauthorized)) == [.settle(.dead(.unauthorized, remote: nil))])
    }

    /// Rules may allow to change in one mode and to read in another one.
    @Test func readingAndChangingHaveTheirOwnModes() {
        var entry = sent(HoldfastSyncTests.entry(1, modeCount: 2))
        #expect(entry.answered(.failed(Self.unauthorized)) == [.send(mode: 1)])
        _ = entry.answered(.failed(Self.lost))
        #expect(entry.go() == [.check(mode: 0)])
        #expect(entry.checked(.failed(Self.unauthorized)) == [.check(mode: 1)])
        #expect(entry.checked(.found(Self.live, [])) == [.send(mode: 0)])
        #expect(entry.answered(.failed(Self.unauthorized)) == [.send(mode: 1)])
        #expect(entry.answered(.confirmed("r")) == [.settle(.confirmed("r"))])
    }

    @Test func aConflictWhoseRecordMayNotBeReadEnds() {
        var entry = sent(HoldfastSyncTests.entry(1))
        #expect(entry.answered(.conflict(nil)) == [.check(mode: 0)])
        #expect(entry.checked(.failed(Self.unauthorized)) == [.settle(.dead(.unauthorized, remote: nil))])
    }

    @Test(
        arguments: [
            (.update, .found(live, [.isAboveBase]), .dead(.unauthorized, remote: "remote")),
            (.delete, .found(live, [.isAboveBase]), .dead(.unauthorized, remote: "remote")),
            (.update, .found(dead, [.isAboveBase]), .dead(.deletedRemotely, remote: "deleted")),
            (.delete, .found(dead, [.isAboveBase]), .done("deleted")),
            (.update, .absent, .gone(.deletedRemotely)), (.delete, .absent, .done(nil)),
            (.update, .failed(.rejected(type: "T", message: "m")), .dead(.unauthorized, remote: nil)),
        ] as [(MutationKind, CheckAnswer<String>, Resolution<String>)])
    func aRecordThatMayNotBeChangedIsReadSinceItMayBeGone(
        kind: MutationKind, answer: CheckAnswer<String>, resolution: Resolution<String>
    ) {
        var entry = sent(HoldfastSyncTests.entry(1, kind, modeCount: 2))
        #expect(entry.answered(.failed(Self.unauthorized)) == [.send(mode: 1)])
        #expect(entry.answered(.failed(Self.unauthorized)) == [.check(mode: 0)])
        #expect(entry.checked(answer) == [.settle(resolution)])
        #expect(entry.state != .pending)
    }

    @Test func aRecordThatMayBeNeitherChangedNorReadStaysAsItWas() {
        var entry = sent(HoldfastSyncTests.entry(1, modeCount: 2))
        _ = entry.answered(.failed(Self.unauthorized))
        _ = entry.answered(.failed(Self.unauthorized))
        #expect(entry.checked(.failed(Self.unauthorized)) == [.check(mode: 1)])
        #expect(entry.checked(.failed(Self.unauthorized)) == [.settle(.dead(.unauthorized, remote: nil))])
    }

    @Test func aFailedConditionTakesTheRemoteRecordAlong() {
        for (answer, remote) in [
            (CheckAnswer<String>.found(Self.live, [.isAboveBase]), "remote" as String?),
            (.failed(.rejected(type: "T", message: "m")), nil),
        ] {
            var entry = sent(HoldfastSyncTests.entry(1, hasCondition: true))
            _ = entry.answered(.conditionFailed)
            #expect(entry.checked(answer) == [.settle(.dead(.conditionFailed, remote: remote))])
        }
    }

    /// The service took the record out of its store: it refuses the mutation, and has nothing to show.
    @Test(arguments: [false, true]) func aRecordThatTheServiceRemovedIsDeleted(hasCondition: Bool) {
        var update = sent(HoldfastSyncTests.entry(1, hasCondition: hasCondition))
        #expect(update.answered(.conditionFailed) == [.check(mode: 0)])
        #expect(update.checked(.absent) == [.settle(.gone(hasCondition ? .conditionFailed : .deletedRemotely))])
        #expect(update.state == .dead)
        var deletion = sent(HoldfastSyncTests.entry(1, .delete, hasCondition: hasCondition))
        _ = deletion.answered(.conditionFailed)
        #expect(deletion.checked(.absent) == [.settle(.done(nil))])
    }

    @Test func theHandlerDecidesAndTheRemoteRecordWinsInTheEnd() {
        var again = HoldfastSyncTests.entry(1)
        again.attempts = 2
        var entry = sent(again, rounds: 3)
        #expect(entry.answered(.conflict(Self.live)) == [.ask("remote")])
        again.attempts = 3
        entry = sent(again, rounds: 3)
        #expect(entry.answered(.conflict(Self.live)) == [.settle(.dead(.overruled, remote: "remote"))])

        for (decision, resolution) in [
            (ConflictDecision<String>.applyRemote, Resolution<String>.dead(.overruled, remote: "remote")),
            (.retryLocal, .resend(onto: "remote", replacing: nil)),
            (.retry("merged"), .resend(onto: "remote", replacing: "merged")),
            (.giveUp(.unauthorized), .dead(.unauthorized, remote: "remote")),
        ] {
            var entry = sent(HoldfastSyncTests.entry(1))
            _ = entry.answered(.conflict(Self.live))
            #expect(entry.decided(decision) == [.settle(resolution)])
        }
    }

    @Test func aServiceThatNeverAgreesEndsTheEntry() {
        var entry = sent(HoldfastSyncTests.entry(1, .create), rounds: 3)
        for _ in 0..<3 {
            #expect(entry.answered(.conditionFailed) == [.check(mode: 0)])
            #expect(entry.checked(.absent) == [.send(mode: 0)])
        }
        #expect(entry.answered(.conditionFailed) == [.settle(.dead(.conditionFailed, remote: nil))])
        var update = sent(HoldfastSyncTests.entry(1), rounds: 1)
        _ = update.answered(.conflict(nil))
        _ = update.checked(.absent)
        #expect(update.answered(.conflict(nil)) == [.settle(.dead(.overruled, remote: nil))])
    }

    @Test func aMutationThatIsNeverAnsweredWaitsLongerEachTime() {
        var entry = sent(HoldfastSyncTests.entry(1))
        for attempt in 0..<4 {
            #expect(entry.answered(.failed(Self.lost)) == [.retry(attempt: attempt, Self.lost)])
            #expect(entry.go() == [.check(mode: 0)])
            #expect(entry.checked(.found(Self.live, [])) == [.send(mode: 0)])
        }
    }

    /// The answer to a mutation has the same record.
    @Test func aRecordThatIsTooLongToBeReadLeavesItsPlace() {
        let tooLong = ServiceFailure.tooLong(reason: "17 MiB")
        var entry = sent(HoldfastSyncTests.entry(1))
        _ = entry.answered(.failed(tooLong))
        for isStuck in [false, true] {
            #expect(entry.go() == [.check(mode: 0)])
            _ = entry.checked(.failed(tooLong))
            #expect(entry.isStuck == isStuck)
        }
        #expect(entry.go() == [.check(mode: 0)])
        _ = entry.checked(.failed(Self.lost))
        #expect(!entry.isStuck)
    }

    /// The read of the record that the service did not show with the conflict is not a decision.
    @Test func aConflictWithoutItsRecordIsDecidedAsOftenAsOthers() {
        var entry = sent(HoldfastSyncTests.entry(1), rounds: 1)
        #expect(entry.answered(.conflict(nil)) == [.check(mode: 0)])
        #expect(entry.checked(.found(Self.live, [.isAboveBase])) == [.ask("remote")])
    }

    @Test func whatComesOutOfTurnChangesNothing() {
        var entry = Entry<String>(HoldfastSyncTests.entry(1), roundLimit: 1)
        #expect(entry.answered(.confirmed("x")) == [])
        #expect(entry.checked(.absent) == [])
        #expect(entry.decided(.applyRemote) == [])
        _ = entry.go()
        #expect(entry.go() == [])
        #expect(entry.checked(.absent) == [])
        _ = entry.answered(.confirmed("x"))
        #expect(entry.answered(.confirmed("y")) == [])
        #expect(entry.go() == [])
    }
}
