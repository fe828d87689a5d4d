import HoldfastConformance
import HoldfastStorage
import Testing

@testable import HoldfastEngine

/// The rules by which what a service says is merged with a record, one by one and in all combinations of a small scope.
@Suite struct ReconcileTests {
    static let entity = EntitySchema(
        "E", fields: [FieldSchema("id", .string), FieldSchema("a", .int), FieldSchema("b", .json)])

    static func row(_ a: Int64, _ b: Int64) -> [Value] { [.text("k"), .integer(a), .text("{\"n\":\(b)}")] }

    static func remote(
        _ version: Int64, _ row: [Value]?, at time: Int64? = nil, isInScope: Bool = true
    ) -> RemoteRecord {
        RemoteRecord(
            key: RecordKey("k"), row: row, version: version, lastChangedAt: time ?? version, isInScope: isInScope)
    }

    /// A record that both sides held alike at version 1, with changes on top.
    static func record(_ changes: [(OutboxEntry.Operation, [Value]?)] = [], inFlight: Int = 0) -> SyncedRecord {
        var record = SyncedRecord(entity: entity, key: RecordKey("k"))
        record.accept(remote(1, row(0, 0)), generation: 0)
        for (index, change) in changes.enumerated() {
            var entry = OutboxEntry(model: "E", key: "k", position: Int64(10 + index), operation: change.0)
            if change.0 == .create {
                (record.metadata, record.row) = (nil, nil)
            } else if change.0 == .delete {
                entry.before = record.row.map { FieldValues.text($0, of: entity) }
            } else if let old = record.row, let new = change.1 {
                let changed = [1, 2].filter { old[$0] != new[$0] }
                entry.changedFields = changed.map { entity.fields[$0].name }
                entry.before = FieldValues.text(old, changed, of: entity)
            } else if change.1 != nil {
                (entry.changedFields, entry.before) = (entity.fields.map(\.name), FieldValues.noRecord)
            }
            record.row = change.1
            if index < inFlight { entry.payload = record.payload(of: entry) ?? "{}" }
            record.entries.append(entry)
        }
        return record
    }

    // MARK: - One by one

    @Test func olderAndEqualVersionsAreDropped() {
        var record = Self.record()
        let before = record
        let verdict1 = record.reconcile(Self.remote(1, Self.row(5, 5)))
        #expect(verdict1 == .dropped)
        let verdict2 = record.reconcile(Self.remote(0, Self.row(5, 5)))
        #expect(verdict2 == .dropped)
        #expect(record == before)
    }

    @Test func anEqualVersionCountsInANewerGenerationAndWhereTheRowIsAbsent() {
        var record = Self.record()
        let verdict3 = record.reconcile(Self.remote(1, Self.row(5, 5)), generation: 1)
        #expect(verdict3 == .applied)
        #expect(record.row == Self.row(5, 5) && record.metadata?.generation == 1)
        record.row = nil
        let verdict4 = record.reconcile(Self.remote(1, Self.row(5, 5)), generation: 1)
        #expect(verdict4 == .applied)
        #expect(record.row == Self.row(5, 5))
    }

    /// A full sync after fields were added to the model brings the same version with more values.
    @Test func theSameVersionOnceMoreTakesThePlaceOfWhatWaits() {
        var record = Self.record([(.update, Self.row(1, 0))], inFlight: 1)
        let waiting = record.reconcile(Self.remote(2, [.text("k"), .integer(0), .null]))
        let again = record.reconcile(Self.remote(2, Self.row(0, 2)), generation: 1)
        #expect(waiting == .shelved && again == .shelved)
        _ = record.settle(.accepted(.init(model: "E", key: "k", position: 10), Self.remote(1, Self.row(1, 0))))
        #expect(record.row == Self.row(0, 2) && record.metadata?.version == 2)
    }

    /// An event lacks what the sender of the mutation did not ask for.
    @Test(arguments: [0, 1], [false, true])
    func aQueryCompletesWhatAnEventSaid(inFlight: Int, isEventLast: Bool) {
        var event = Self.remote(2, [.text("k"), .integer(2), .null])
        event.isEvent = true
        let page = Self.remote(2, Self.row(2, 1))
        var record = inFlight == 0 ? Self.record() : Self.record([(.update, Self.row(1, 0))], inFlight: 1)
        for said in isEventLast ? [page, event] : [event, page] { _ = record.reconcile(said) }
        if inFlight == 1 {
            _ = record.settle(
                .refused(.init(model: "E", key: "k", position: 10), errorType: nil, message: nil, remote: nil))
        }
        #expect(record.row == Self.row(2, 1) && record.shelf == nil)
        #expect(record.metadata?.isFromEvent == false)
        let again = record.reconcile(page)
        #expect(again == .dropped)
    }

    @Test func whatAnEventLackedComesBelowUnsentChanges() {
        var record = Self.record([(.update, Self.row(9, 0))])
        var event = Self.remote(2, [.text("k"), .integer(0), .null])
        event.isEvent = true
        let verdicts = [record.reconcile(event), record.reconcile(Self.remote(2, Self.row(0, 1)))]
        #expect(verdicts == [.rebased, .rebased])
        #expect(record.row == Self.row(9, 1) && record.entries.count == 1)
    }

    /// A restored service gives out versions for a second time.
    @Test func aLowerVersionOfAFullSyncTakesThePlaceOfWhatWaits() {
        var record = Self.record([(.update, Self.row(1, 0))], inFlight: 1)
        let lost = record.reconcile(Self.remote(5, nil, at: 100))
        let read = record.reconcile(Self.remote(2, Self.row(0, 2), at: 200), generation: 1)
        #expect(lost == .shelved && read == .shelved)
        #expect(record.shelf?.version == 2)
        let answer = Self.remote(3, Self.row(1, 2), at: 300)
        _ = record.settle(.accepted(.init(model: "E", key: "k", position: 10), answer), generation: 1)
        #expect(record.row == Self.row(1, 2) && record.metadata?.version == 3 && record.letters.isEmpty)

        record = Self.record([(.update, Self.row(1, 0))])
        let conflict = record.reconcile(Self.remote(5, Self.row(9, 0), at: 100))
        let merged = record.reconcile(Self.remote(2, Self.row(0, 2), at: 200), generation: 1)
        #expect(conflict == .shelved && merged == .rebased)
        #expect(record.row == Self.row(1, 2) && record.shelf == nil)
    }

    @Test func whatAFullSyncBroughtMeanwhileIsAppliedAfterARefusal() {
        var record = Self.record([(.update, Self.row(1, 0))], inFlight: 1)
        let verdict = record.reconcile(Self.remote(1, Self.row(0, 2)), generation: 1)
        #expect(verdict == .shelved)
        _ = record.settle(
            .refused(.init(model: "E", key: "k", position: 10), errorType: nil, message: nil, remote: nil))
        #expect(record.row == Self.row(0, 2) && record.shelf == nil)
    }

    @Test func aDroppedRecordIsSeenAllTheSame() {
        var record = Self.record()
        let verdict5 = record.reconcile(Self.remote(3, Self.row(3, 3)))
        #expect(verdict5 == .applied)
        let verdict6 = record.reconcile(Self.remote(2, Self.row(2, 2)), generation: 4)
        #expect(verdict6 == .dropped)
        #expect(record.row == Self.row(3, 3) && record.metadata?.generation == 4)
        record.forget(before: 4)
        #expect(record.row != nil)
        record.forget(before: 5)
        #expect(record.row == nil && record.metadata == nil)
    }

    @Test func aRecordMayBeCreatedAgainOnceItsTombstoneIsRemoved() {
        var record = Self.record()
        let verdict7 = record.reconcile(Self.remote(7, nil, at: 100_000))
        #expect(verdict7 == .applied)
        let verdict8 = record.reconcile(Self.remote(1, Self.row(1, 1), at: 50_000))
        #expect(verdict8 == .dropped)
        let verdict9 = record.reconcile(Self.remote(1, Self.row(1, 1), at: 500_000))
        #expect(verdict9 == .applied)
        let verdict10 = record.reconcile(Self.remote(7, nil, at: 100_000))
        #expect(verdict10 == .dropped)
        #expect(record.row == Self.row(1, 1))
    }

    /// A device that was away while a record was deleted, forgotten, and made again finds it in a full sync, with a
    /// lower version.
    @Test func aFullSyncFindsARecordThatHasBegunAgain() {
        var record = Self.record()
        let verdict1 = record.reconcile(Self.remote(7, Self.row(7, 7), at: 100_000))
        #expect(verdict1 == .applied)
        let verdict2 = record.reconcile(Self.remote(1, Self.row(1, 1), at: 50_000), generation: 2)
        #expect(verdict2 == .dropped)
        record.metadata?.generation = 0
        let verdict3 = record.reconcile(Self.remote(1, Self.row(1, 1), at: 500_000), generation: 2)
        #expect(verdict3 == .applied)
        #expect(record.row == Self.row(1, 1) && record.metadata?.version == 1)
    }

    /// It may also have been deleted again meanwhile, at a version that the device had in the earlier life.
    @Test func aFullSyncFindsTheDeletionOfARecordThatHadBegunAgain() {
        var record = Self.record()
        let verdict1 = record.reconcile(Self.remote(7, Self.row(7, 7), at: 100_000), generation: 1)
        #expect(verdict1 == .applied)
        // An event with a lower version changes nothing, whatever its time.
        let verdict2 = record.reconcile(Self.remote(2, nil, at: 500_000), generation: 1)
        #expect(verdict2 == .dropped)
        let verdict3 = record.reconcile(Self.remote(2, nil, at: 500_000), generation: 2)
        #expect(verdict3 == .applied)
        #expect(record.row == nil && record.metadata?.version == 2 && record.metadata?.isDeleted == true)
    }

    /// A service may say any number.
    @Test func extremeNumbersOfAServiceAreOrdinaryOnes() {
        var record = Self.record([(.update, Self.row(9, 0))], inFlight: 1)
        record.metadata?.version = .max
        record.metadata?.lastChangedAt = .min
        let id = OutgoingMutation.ID(model: "E", key: "k", position: 10)
        let isSettled = record.settle(.accepted(id, Self.remote(1, Self.row(9, 0))))
        #expect(isSettled && record.metadata?.version == 1)
        record.metadata?.lastChangedAt = .min
        let verdict = record.reconcile(Self.remote(.max, Self.row(3, 3), at: .min))
        #expect(verdict == .applied)
    }

    @Test func recordsThatLeaveTheScopeAreDeletedAndRecorded() {
        var record = Self.record()
        let verdict11 = record.reconcile(Self.remote(2, Self.row(1, 1), isInScope: false))
        #expect(verdict11 == .applied)
        #expect(record.row == nil && record.metadata?.isOutside == true)
        let verdict12 = record.reconcile(Self.remote(2, Self.row(1, 1), isInScope: false))
        #expect(verdict12 == .dropped)
        let verdict13 = record.reconcile(Self.remote(3, Self.row(1, 1)))
        #expect(verdict13 == .applied)
        #expect(record.row == Self.row(1, 1) && record.metadata?.isOutside == false)
    }

    /// A record leaves the sync expression while a change of it is in flight.
    @Test func whatWaitedOutsideOfTheScopeIsDeletedWhenItIsJudged() {
        var record = Self.record([(.update, Self.row(9, 0))], inFlight: 1)
        let verdict = record.reconcile(Self.remote(3, Self.row(9, 1), isInScope: false))
        #expect(verdict == .shelved && record.row == Self.row(9, 0))
        let id = OutgoingMutation.ID(model: "E", key: "k", position: 10)
        let isSettled = record.settle(.accepted(id, Self.remote(2, Self.row(9, 0))))
        #expect(isSettled && record.row == nil && record.shelf == nil)
        #expect(record.metadata?.isOutside == true && record.metadata?.version == 3)
    }

    /// The record leaves the sync expression, and stays for a change of another field that is refused later.
    @Test func whatIsOutsideOfTheScopeGoesWithItsLastChange() {
        func afterRefusal(of position: Int64, _ record: SyncedRecord) -> SyncedRecord {
            var record = record
            record.entries[0].payload = record.payload(of: record.entries[0])
            let id = OutgoingMutation.ID(model: "E", key: "k", position: position)
            let isSettled = record.settle(.refused(id, errorType: nil, message: nil, remote: nil))
            #expect(isSettled && record.entries.isEmpty)
            return record
        }
        let id = OutgoingMutation.ID(model: "E", key: "k", position: 10)
        let outside = Self.remote(2, Self.row(0, 1), isInScope: false)
        var rebased = Self.record([(.update, Self.row(9, 0))])
        let verdict = rebased.reconcile(outside)
        #expect(verdict == .rebased && rebased.row == Self.row(9, 1) && rebased.metadata?.isOutside == true)
        #expect(afterRefusal(of: 10, rebased).row == nil)

        var retried = Self.record([(.update, Self.row(9, 0))], inFlight: 1)
        let isRetried = retried.settle(.retried(id, on: outside, row: nil))
        #expect(isRetried && retried.row == Self.row(9, 1) && afterRefusal(of: 10, retried).row == nil)

        var later = Self.record([(.update, Self.row(9, 0)), (.update, Self.row(9, 5))], inFlight: 1)
        let isSettled = later.settle(.accepted(id, Self.remote(2, Self.row(9, 0), isInScope: false)))
        #expect(isSettled && later.row == Self.row(9, 5) && afterRefusal(of: 11, later).row == nil)
    }

    @Test func editsOfDifferentFieldsAreBothKept() {
        var record = Self.record([(.update, Self.row(9, 0))])
        let verdict14 = record.reconcile(Self.remote(2, Self.row(0, 4)))
        #expect(verdict14 == .rebased)
        #expect(record.row == Self.row(9, 4) && record.metadata?.version == 2)
        #expect(record.base == Self.row(0, 4))
        var strict = Self.record([(.update, Self.row(9, 0))])
        let verdict15 = strict.reconcile(Self.remote(2, Self.row(0, 4)), rebases: false)
        #expect(verdict15 == .shelved)
        #expect(strict.row == Self.row(9, 0) && strict.metadata?.version == 1 && strict.shelf?.version == 2)
    }

    @Test func trap3EditsOfOneFieldWaitForTheServicesDecision() {
        var record = Self.record([(.update, Self.row(9, 0))])
        let verdict16 = record.reconcile(Self.remote(2, Self.row(4, 0)))
        #expect(verdict16 == .shelved)
        #expect(record.row == Self.row(9, 0) && record.metadata?.version == 1)
        #expect(record.shelf?.reason == .conflict)
    }

    @Test func trap13TheSameJSONInOtherSpellingIsNotAnEdit() {
        var record = Self.record([(.update, Self.row(0, 9))])
        let respelled: [Value] = [.text("k"), .integer(3), .text(" { \"n\" : 0.0 }")]
        let verdict17 = record.reconcile(Self.remote(2, respelled))
        #expect(verdict17 == .rebased)
        #expect(record.row == Self.row(3, 9))
    }

    @Test func anUnknownBaseCountsAsOverlap() {
        var record = Self.record([(.update, Self.row(9, 0))])
        record.entries[0].before = nil
        let verdict18 = record.reconcile(Self.remote(2, Self.row(0, 4)))
        #expect(verdict18 == .shelved)
    }

    @Test func aDeletionAtTheServiceEndsLocalEditsInDeadLetters() {
        var record = Self.record([(.update, Self.row(9, 0))])
        let verdict19 = record.reconcile(Self.remote(2, nil), at: 77)
        #expect(verdict19 == .buried)
        #expect(record.row == nil && record.entries.isEmpty && record.metadata?.isDeleted == true)
        #expect(record.letters.map(\.payload) == ["{\"a\":9}"] && record.letters.first?.failedAt == 77)
    }

    @Test func aFullSyncShowsTheDeletionOverWhichARecordWasSaved() {
        var record = Self.record([(.delete, nil), (.update, Self.row(9, 0))], inFlight: 1)
        let id = OutgoingMutation.ID(model: "E", key: "k", position: 10)
        _ = record.settle(.accepted(id, Self.remote(2, nil)))
        let verdict = record.reconcile(Self.remote(2, nil), generation: 1)
        #expect(verdict == .rebased)
        #expect(record.row == Self.row(9, 0) && record.entries.map(\.operation) == [.update])
        #expect(record.letters.isEmpty && record.metadata?.generation == 1)
        let verdictOfAnother = record.reconcile(Self.remote(4, nil), generation: 2)
        #expect(verdictOfAnother == .buried)
    }

    /// A record that was saved while its deletion was sent comes back with what the service sets.
    @Test func whatOnlyTheServiceSetsIsNotOverruled() {
        var record = SyncedRecord(RecordShape(Self.entity, readOnlyColumns: [1]), key: RecordKey("k"))
        record.accept(Self.remote(1, Self.row(5, 0)), generation: 0)
        var deletion = OutboxEntry(model: "E", key: "k", position: 10, operation: .delete)
        (deletion.before, deletion.payload) = (FieldValues.text(Self.row(5, 0), of: Self.entity), "{}")
        var update = OutboxEntry(model: "E", key: "k", position: 11, operation: .update, changedFields: ["id", "b"])
        update.before = FieldValues.noRecord
        (record.entries, record.row) = ([deletion, update], [.text("k"), .null, Self.row(0, 9)[2]])
        _ = record.settle(.accepted(OutgoingMutation.ID(model: "E", key: "k", position: 10), Self.remote(2, nil)))
        #expect(record.entries.map(\.changedFields) == [["id", "b"]])
        record.entries[0].payload = record.payload(of: record.entries[0])
        let id = OutgoingMutation.ID(model: "E", key: "k", position: 11)
        let isSettled = record.settle(.accepted(id, Self.remote(3, Self.row(7, 9))))
        #expect(isSettled && record.row == Self.row(7, 9) && record.entries.isEmpty && record.letters.isEmpty)
    }

    @Test func bothSidesMayDelete() {
        var record = Self.record([(.delete, nil)])
        let verdict20 = record.reconcile(Self.remote(2, Self.row(4, 4)))
        #expect(verdict20 == .shelved)
        let verdict21 = record.reconcile(Self.remote(3, nil))
        #expect(verdict21 == .applied)
        #expect(record.entries.isEmpty && record.shelf == nil && record.letters.isEmpty && record.row == nil)
    }

    @Test func creationsWaitForTheirAnswer() {
        var record = Self.record([(.create, Self.row(9, 9))])
        let verdict22 = record.reconcile(Self.remote(1, Self.row(4, 4)))
        #expect(verdict22 == .shelved)
        #expect(record.row == Self.row(9, 9) && record.metadata == nil)
    }

    @Test func whatIsInFlightIsJudgedByItsAnswer() {
        var record = Self.record([(.update, Self.row(9, 0))], inFlight: 1)
        let id = OutgoingMutation.ID(model: "E", key: "k", position: 10)
        let verdict23 = record.reconcile(Self.remote(3, Self.row(9, 6)))
        #expect(verdict23 == .shelved)
        let verdict24 = record.reconcile(Self.remote(2, Self.row(9, 0)))
        #expect(verdict24 == .shelved)
        #expect(record.shelf?.version == 3)
        let isSettled = record.settle(.accepted(id, Self.remote(2, Self.row(9, 0))))
        #expect(isSettled && record.row == Self.row(9, 6) && record.metadata?.version == 3)
        #expect(record.entries.isEmpty && record.shelf == nil)
        let isSettledAgain = record.settle(.accepted(id, Self.remote(2, Self.row(9, 0))))
        #expect(!isSettledAgain)
    }

    // MARK: - Answers

    @Test(arguments: [(row(1, 0), row(1, 5), 2, false), (row(0, 1), row(0, 5), 1, true)])
    func whatIsLeftAfterAConflictIsJudged(remote: [Value], row: [Value], version: Int64, waits: Bool) {
        var record = Self.record([(.update, Self.row(9, 0)), (.update, Self.row(9, 5))], inFlight: 1)
        let id = OutgoingMutation.ID(model: "E", key: "k", position: 10)
        let isSettled = record.settle(
            .refused(id, errorType: "ConflictUnhandled", message: "no", remote: Self.remote(2, remote)))
        #expect(isSettled && record.row == row && record.entries.map(\.position) == [11])
        #expect(record.metadata?.version == version && (record.shelf?.version == 2) == waits)
        #expect(record.letters.map(\.payload) == ["{\"a\":9}"])
    }

    /// A restore has lost the record that both changes were made on, and another device has made it again.
    @Test func whatIsLeftAfterAConflictWithALaterLifeWaits() {
        var record = Self.record([(.update, Self.row(9, 0)), (.update, Self.row(9, 5))], inFlight: 1)
        let id = OutgoingMutation.ID(model: "E", key: "k", position: 10)
        let again = Self.remote(1, Self.row(0, 1), at: 500_000)
        let isSettled = record.settle(.refused(id, errorType: "ConflictUnhandled", message: "no", remote: again))
        #expect(isSettled && record.row == Self.row(0, 5) && record.entries.map(\.position) == [11])
        #expect(record.metadata?.version == 0 && record.metadata?.lastChangedAt == 1)
        #expect(record.shelf?.lastChangedAt == 500_000)
    }

    /// A record that waits with a change of what the service has made again, by chance with the same version.
    private static func forgotten(_ changes: [(OutboxEntry.Operation, [Value]?)]) -> SyncedRecord {
        var record = record(changes)
        let verdict = record.reconcile(remote(1, row(5, 0), at: 500_000), generation: 1)
        #expect(verdict == .shelved)
        record.leaveForgottenVersion()
        record.entries[0].payload = record.payload(of: record.entries[0]) ?? "{}"
        return record
    }

    @Test func aChangeOfWhatWasMadeAgainIsSentAsOneOfNoVersion() {
        let id = OutgoingMutation.ID(model: "E", key: "k", position: 10)
        for (operation, row) in [(.update, Self.row(9, 0)), (.delete, nil)] as [(OutboxEntry.Operation, [Value]?)] {
            var record = Self.forgotten([(operation, row)])
            #expect(record.metadata?.version == 0)
            let late = record.reconcile(Self.remote(1, Self.row(0, 0)))
            #expect(late == .dropped && record.shelf?.lastChangedAt == 500_000)

            // The service may say so, or a refusal has another reason.
            for remote in [Self.remote(1, Self.row(5, 0), at: 500_000), nil] {
                var refused = record
                let isSettled = refused.settle(.refused(id, errorType: nil, message: nil, remote: remote))
                #expect(isSettled && refused.row == Self.row(5, 0) && refused.shelf == nil)
                #expect(refused.metadata?.version == 1 && refused.metadata?.lastChangedAt == 500_000)
            }
            var gone = record
            let isGone = gone.settle(.gone(id, errorType: nil, message: nil), generation: 1)
            #expect(isGone && gone.row == Self.row(5, 0) && gone.metadata?.isDeleted == false)
        }
    }

    /// The answer is lost, and the record that is read has what the first change sets.
    @Test(arguments: [(2, row(5, 0)), (1, row(9, 0))] as [(Int64, [Value])])
    func aMergeWithWhatWasMadeAgainIsNotTakenForTheChange(version: Int64, answer: [Value]) {
        var record = Self.forgotten([(.update, Self.row(9, 0)), (.update, Self.row(8, 0))])
        let id = OutgoingMutation.ID(model: "E", key: "k", position: 10)
        let isSettled = record.settle(.accepted(id, Self.remote(version, answer, at: 500_001)))
        #expect(isSettled && record.shelf == nil && record.metadata?.version == version)
        #expect(record.row == (version == 2 ? answer : Self.row(8, 0)))
        #expect(record.letters.map(\.payload) == (version == 2 ? ["{\"a\":8}"] : []))
    }

    /// On top of the record, the change that waits would replace what others have made of another field.
    @Test func aChangeBehindOneOfWhatWasMadeAgainIsADeadLetter() {
        let entity = EntitySchema(
            "E", fields: [FieldSchema("id", .string), FieldSchema("a", .int), FieldSchema("b", .int)])
        var record = SyncedRecord(entity: entity, key: RecordKey("k"))
        record.accept(Self.remote(1, [.text("k"), .integer(0), .integer(0)]), generation: 0)
        for (position, field, value) in [(10, 1, 9), (11, 2, 5)] as [(Int64, Int, Int64)] {
            var entry = OutboxEntry(model: "E", key: "k", position: position, operation: .update)
            entry.changedFields = [entity.fields[field].name]
            entry.before = FieldValues.text(record.row ?? [], [field], of: entity)
            record.row?[field] = .integer(value)
            record.entries.append(entry)
        }
        let again = Self.remote(1, [.text("k"), .integer(9), .integer(4)], at: 500_000)
        let verdict = record.reconcile(again, generation: 1)
        record.leaveForgottenVersion()
        record.entries[0].payload = record.payload(of: record.entries[0])
        let isSettled = record.settle(.accepted(.init(model: "E", key: "k", position: 10), again))
        #expect(verdict == .shelved && isSettled && record.row == again.row && record.entries.isEmpty)
        #expect(record.letters.map(\.payload) == ["{\"b\":5}"])
    }

    /// The record that was made again may reach the version that is known before the change arrives.
    @Test func aLowerVersionOfWhatWasMadeAgainIsLeft() {
        let again = Self.remote(1, Self.row(5, 0), at: 500_000)
        func known(inFlight: Int) -> SyncedRecord {
            var record = Self.record([(.update, Self.row(9, 0)), (.update, Self.row(8, 0))], inFlight: inFlight)
            record.metadata?.version = 2
            return record
        }
        var waiting = known(inFlight: 0)
        let verdict = waiting.reconcile(again, generation: 1)
        waiting.leaveForgottenVersion()
        #expect(verdict == .shelved && waiting.metadata?.version == 0)

        var refused = known(inFlight: 1)
        let isSettled = refused.settle(
            .refused(.init(model: "E", key: "k", position: 10), errorType: nil, message: nil, remote: again))
        #expect(isSettled && refused.metadata?.version == 0 && refused.shelf?.lastChangedAt == 500_000)
        // What is late of the record that is forgotten is not news.
        let late = refused.reconcile(Self.remote(2, Self.row(0, 0), at: 0))
        #expect(late == .dropped && refused.shelf?.lastChangedAt == 500_000)
    }

    /// Another version of the application has put something into the record that these models cannot hold.
    @Test func aChangeWhoseAnswerCannotBeARecordStaysAsItIs() {
        var record = Self.record([(.update, Self.row(9, 0)), (.update, Self.row(9, 5))], inFlight: 1)
        var item = ShelfItem(model: "E", key: "k", version: 4, lastChangedAt: 40, item: "{}", reason: .notStorable)
        let id = OutgoingMutation.ID(model: "E", key: "k", position: 10)
        let isSettled = record.settle(.acceptedUnreadable(id, item), generation: 2)
        #expect(isSettled && record.row == Self.row(9, 5) && record.base == Self.row(9, 0))
        #expect(record.entries.map(\.position) == [11] && record.letters.isEmpty)
        // As what a full sync saw, so that its sweep leaves it.
        item.generation = 2
        #expect(record.metadata?.version == 4 && record.metadata?.generation == 2 && record.shelf == item)
        // Models that can hold it read it again.
        record.entries = []
        let verdict = record.reconcile(Self.remote(4, Self.row(9, 1), at: 40), generation: 3)
        #expect(verdict == .applied && record.row == Self.row(9, 1) && record.shelf == nil)
    }

    @Test func aRefusedUpdateIsUndoneAndKept() {
        var record = Self.record([(.update, Self.row(9, 0)), (.update, Self.row(9, 5))], inFlight: 1)
        let id = OutgoingMutation.ID(model: "E", key: "k", position: 10)
        let isSettled26 = record.settle(.refused(id, errorType: "Unauthorized", message: "no", remote: nil), at: 5)
        #expect(isSettled26)
        #expect(record.row == Self.row(0, 5) && record.base == Self.row(0, 0))
        #expect(record.letters.map(\.payload) == ["{\"a\":9}"] && record.letters.map(\.errorType) == ["Unauthorized"])
    }

    /// A function of the service has decided that the record stays.
    @Test func aDeletionThatIsAnsweredByALivingRecordIsADeadLetter() {
        var record = Self.record([(.delete, nil)], inFlight: 1)
        let id = OutgoingMutation.ID(model: "E", key: "k", position: 10)
        let isSettled = record.settle(.accepted(id, Self.remote(3, Self.row(4, 4))), at: 77)
        #expect(isSettled && record.row == Self.row(4, 4) && record.metadata?.version == 3)
        #expect(record.letters.map(\.operation) == [.delete] && record.letters.map(\.failedAt) == [77])
        #expect(record.entries.isEmpty)
    }

    @Test func aRefusedDeletionRestoresTheRecord() {
        var record = Self.record([(.delete, nil)], inFlight: 1)
        let id = OutgoingMutation.ID(model: "E", key: "k", position: 10)
        let isSettled27 = record.settle(.refused(id, errorType: nil, message: nil, remote: nil))
        #expect(isSettled27)
        #expect(record.row == Self.row(0, 0) && record.entries.isEmpty)
    }

    @Test func aRefusedCreationTakesEverythingAlong() {
        var record = Self.record([(.create, Self.row(9, 9)), (.update, Self.row(8, 9))], inFlight: 1)
        let id = OutgoingMutation.ID(model: "E", key: "k", position: 10)
        let isSettled28 = record.settle(.refused(id, errorType: nil, message: nil, remote: nil))
        #expect(isSettled28)
        #expect(record.row == nil && record.entries.isEmpty && record.metadata == nil)
        #expect(record.letters.map(\.operation) == [.create, .update])
    }

    @Test func aRetryGoesOnTopOfTheServicesRecord() {
        let id = OutgoingMutation.ID(model: "E", key: "k", position: 10)
        var same = Self.record([(.update, Self.row(9, 0))], inFlight: 1)
        let isSettled29 = same.settle(.retried(id, on: Self.remote(3, Self.row(4, 4)), row: nil))
        #expect(isSettled29)
        #expect(same.row == Self.row(9, 4) && same.base == Self.row(4, 4) && same.metadata?.version == 3)
        #expect(same.entries.map(\.stage) == [.pending] && same.entries.map(\.attempts) == [1])
        var merged = Self.record([(.update, Self.row(9, 0))], inFlight: 1)
        let isSettled30 = merged.settle(.retried(id, on: Self.remote(3, Self.row(4, 4)), row: Self.row(4, 7)))
        #expect(isSettled30)
        #expect(merged.row == Self.row(4, 7) && merged.base == Self.row(4, 4))
        #expect(merged.entries.map(\.changedFields) == [["b"]])
    }

    @Test func aCreationOfWhatIsThereGoesOnAsAnUpdate() {
        var record = Self.record([(.create, Self.row(9, 9)), (.update, Self.row(8, 9))], inFlight: 1)
        let id = OutgoingMutation.ID(model: "E", key: "k", position: 10)
        let isSettled = record.settle(.retried(id, on: Self.remote(3, Self.row(9, 4)), row: nil))
        #expect(isSettled && record.row == Self.row(8, 9) && record.base == Self.row(9, 4))
        #expect(record.entries.map(\.operation) == [.update, .update])
        #expect(record.entries.map(\.changedFields) == [["b"], ["a"]])
    }

    /// A creation sends no nulls, so they do not replace what the service has.
    @Test(arguments: [([], 4, ["a"]), ([[1, 2]], nil, ["a", "b"])] as [([[Int]], Int64?, [String])])
    func aCreationKeepsWhatTheServiceHasFilledIn(jointColumns: [[Int]], filled: Int64?, changed: [String]) {
        var record = SyncedRecord(entity: Self.entity, key: RecordKey("k"), jointColumns: jointColumns)
        record.row = [.text("k"), .integer(8), .null]
        var entry = OutboxEntry(model: "E", key: "k", position: 10, operation: .create)
        entry.payload = record.payload(of: entry)
        record.entries = [entry]
        let id = OutgoingMutation.ID(model: "E", key: "k", position: 10)
        let isSettled = record.settle(.retried(id, on: Self.remote(3, Self.row(9, 4)), row: nil))
        #expect(isSettled && record.row == (filled.map { Self.row(8, $0) } ?? [.text("k"), .integer(8), .null]))
        #expect(record.entries.map(\.changedFields) == [changed])
    }

    @Test(arguments: [nil, 5])
    func aDeletionOfWhatIsDeletedIsDone(version: Int64?) {
        var record = Self.record([(.delete, nil)], inFlight: 1)
        let id = OutgoingMutation.ID(model: "E", key: "k", position: 10)
        let isSettled = record.settle(.alreadyDeleted(id, version.map { Self.remote($0, nil) }))
        #expect(isSettled && record.row == nil && record.entries.isEmpty && record.letters.isEmpty)
        #expect(record.metadata?.isDeleted == true && record.metadata?.version == version ?? 1)
    }

    @Test func recordsThatTheServiceRemovedAreDeletedWithTheirChanges() {
        var record = Self.record([(.update, Self.row(9, 0)), (.update, Self.row(9, 5))], inFlight: 1)
        let id = OutgoingMutation.ID(model: "E", key: "k", position: 10)
        let known = record.metadata
        let isSettled = record.settle(.gone(id, errorType: "ConflictUnhandled", message: "gone"), at: 5)
        #expect(isSettled && record.row == nil && record.entries.isEmpty)
        #expect(record.letters.map(\.position) == [10, 11])
        #expect(record.metadata?.isDeleted == true && record.metadata?.version == known?.version)
        // Versions begin again if someone creates it later.
        let later = (known?.lastChangedAt ?? 0) + 100_000
        let verdict = record.reconcile(
            RemoteRecord(key: record.key, row: Self.row(1, 1), version: 1, lastChangedAt: later))
        #expect(verdict == .applied && record.row == Self.row(1, 1))
    }

    @Test func waitingChangesOfARemovedRecordAreDeletedWithIt() {
        var record = Self.record([(.update, Self.row(9, 0))], inFlight: 1)
        #expect(record.reconcile(Self.remote(2, Self.row(1, 1))) == .shelved)
        let id = OutgoingMutation.ID(model: "E", key: "k", position: 10)
        let isSettled = record.settle(.gone(id, errorType: "ConflictUnhandled", message: "gone"), at: 5)
        #expect(isSettled && record.row == nil && record.shelf == nil)
    }

    /// The first version of a record that began again must not make a later one look old.
    @Test func allVersionsOfARecordThatBeganAgainAreNews() {
        for inFlight in 0...1 {
            var record = Self.record([(.update, Self.row(9, 0))], inFlight: inFlight)
            record.metadata?.version = 4
            let first = record.reconcile(Self.remote(1, Self.row(1, 1), at: 1_000), generation: 1)
            let second = record.reconcile(Self.remote(2, Self.row(2, 1), at: 1_100), generation: 1)
            #expect(first == .shelved && second == .shelved)
            #expect(record.shelf?.version == 2)
            // The full sync ends, and saw the record.
            record.forget(before: 1)
            #expect(record.shelf?.version == 2 && record.metadata?.isOutside == false)
            record.entries[0].payload = "{}"
            let isSettled = record.settle(
                .gone(.init(model: "E", key: "k", position: 10), errorType: nil, message: ""), generation: 1)
            #expect(isSettled && record.row == Self.row(2, 1) && record.metadata?.version == 2)
        }
    }

    /// Someone makes the record again while the answer that there is none is on its way.
    @Test(arguments: [(4, true), (3, false)] as [(Int64, Bool)])
    func whatIsMadeAgainOutlivesTheAnswerThatThereIsNone(shelvedIn generation: Int64, isKept: Bool) {
        var record = Self.record([(.update, Self.row(9, 0))], inFlight: 1)
        let later = (record.metadata?.lastChangedAt ?? 0) + 100_000
        let again = RemoteRecord(key: record.key, row: Self.row(1, 1), version: 1, lastChangedAt: later)
        // The event of the deletion no longer comes.
        record.shelve(again, .inFlight, generation: generation)
        let id = OutgoingMutation.ID(model: "E", key: "k", position: 10)
        let isSettled = record.settle(
            .gone(id, errorType: "ConflictUnhandled", message: "gone"), generation: 4, at: 5)
        #expect(isSettled && record.shelf == nil && record.letters.map(\.position) == [10])
        #expect(record.row == (isKept ? Self.row(1, 1) : nil))
        #expect(record.metadata?.isDeleted == !isKept)
    }

    @Test func whatWasDeletedAndSavedAgainOutlivesARefusedChange() {
        var record = Self.record([(.update, Self.row(9, 0)), (.delete, nil), (.create, Self.row(5, 5))], inFlight: 1)
        let id = OutgoingMutation.ID(model: "E", key: "k", position: 10)
        let isSettled = record.settle(
            .refused(id, errorType: "ConflictUnhandled", message: "deleted", remote: Self.remote(2, nil)), at: 5)
        #expect(isSettled && record.row == Self.row(5, 5) && record.letters.map(\.position) == [10])
        #expect(record.entries.map(\.operation) == [.create] && record.entries.map(\.position) == [12])
        #expect(record.metadata?.version == 2 && record.metadata?.isDeleted == true)
    }

    // MARK: - All combinations

    /// What a service may say after version 1; only deletions come after a deletion.
    static let sayings: [[Value]?] = [row(0, 0), row(1, 0), row(0, 1), row(1, 1), nil]

    static let lives: [SyncedRecord] = [
        record(), record([(.update, row(9, 0))]), record([(.update, row(0, 9))]), record([(.update, row(9, 9))]),
        record([(.delete, nil)]), record([(.create, row(9, 9))]), record([(.update, row(9, 0))], inFlight: 1),
        record([(.delete, nil)], inFlight: 1), record([(.update, row(9, 0)), (.update, row(9, 9))], inFlight: 1),
        SyncedRecord(entity: entity, key: RecordKey("k")),
    ]

    @Test(arguments: [true, false])
    func theOrderOfArrivalDoesNotMatter(rebases: Bool) {
        var count = 0
        for life in Self.lives {
            for second in Self.sayings {
                for third in Self.sayings {
                    for fourth in Self.sayings {
                        let rows = [second, third, fourth]
                        // A device that sees the deletion in between gives up; one that does not cannot know of it.
                        if zip(rows, rows.dropFirst()).contains(where: { $0 == nil && $1 != nil }) { continue }
                        let said = rows.enumerated().map { Self.remote(Int64($0 + 2), $1) }
                        var results: Set<SyncedRecord> = []
                        for order in Self.orders {
                            var record = life
                            for index in order { _ = record.reconcile(said[index], rebases: rebases) }
                            results.insert(record)
                            // The record is still the service's with the changes on top.
                            if let version = record.metadata?.version {
                                let expected = version == 1 ? Self.row(0, 0) : said[Int(version) - 2].row
                                #expect(record.base == .some(expected))
                            }
                            // Nothing newer is forgotten.
                            #expect(max(record.metadata?.version ?? 0, record.shelf?.version ?? 0) == 4)
                        }
                        count += 1
                        #expect(results.count == 1, "\(life.entries.map(\.operation)): \(said.map(\.row))")
                    }
                }
            }
        }
        #expect(count == Self.lives.count * (64 + 16 + 4 + 1))
    }

    /// All orders of three, some with repetitions.
    static let orders = [
        [0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0], [0, 0, 1, 1, 2, 2], [2, 1, 0, 2, 1, 0],
        [1, 0, 1, 2, 0],
    ]
}
