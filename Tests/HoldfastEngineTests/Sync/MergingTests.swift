import HoldfastStorage
import Testing

@testable import HoldfastEngine

/// What a device makes of the answers of a service that merges: nothing of a change is lost.
@Suite struct MergingTests {
    static func row(_ a: Int64, _ b: Int64) -> [Value] { ReconcileTests.row(a, b) }

    static func remote(_ version: Int64, _ row: [Value]?, at time: Int64? = nil) -> RemoteRecord {
        ReconcileTests.remote(version, row, at: time)
    }

    /// Settles the first change with what the service made of it by merging.
    private static func merged(_ changes: [[Value]], into answer: RemoteRecord) -> SyncedRecord {
        var record = ReconcileTests.record(changes.map { (.update, $0) }, inFlight: 1)
        let isSettled = record.settle(
            .accepted(OutgoingMutation.ID(model: "E", key: "k", position: 10), answer), generation: 0, at: 77)
        #expect(isSettled)
        return record
    }

    /// Settles an update of version 1 with the row that the service made of it by merging.
    private static func answered(
        _ merged: [Value], to wanted: [Value], over before: [Value], changing positions: [Int], of entity: EntitySchema
    ) -> SyncedRecord {
        var record = SyncedRecord(entity: entity, key: RecordKey("k"))
        record.accept(remote(1, before), generation: 0)
        var entry = OutboxEntry(model: "E", key: "k", position: 10, operation: .update)
        entry.changedFields = positions.map { entity.fields[$0].name }
        entry.before = FieldValues.text(before, positions, of: entity)
        record.row = wanted
        entry.payload = record.payload(of: entry) ?? "{}"
        record.entries.append(entry)
        let isSettled = record.settle(.accepted(.init(model: "E", key: "k", position: 10), remote(3, merged)))
        #expect(isSettled)
        return record
    }

    @Test func anEditThatAMergeHasDroppedIsSentAgain() {
        let record = Self.merged([Self.row(9, 0)], into: Self.remote(3, Self.row(0, 4)))
        #expect(record.row == Self.row(9, 4) && record.base == Self.row(0, 4))
        #expect(record.metadata?.version == 3 && record.letters.isEmpty)
        #expect(record.entries.map(\.changedFields) == [["a"]] && record.entries.first?.stage == .pending)
    }

    /// The commit was made, and the store did not say so.
    @Test func anAnswerThatComesTwiceDoesNotEndWhatIsSentAgain() {
        let answer = Self.remote(3, Self.row(0, 4))
        var record = Self.merged([Self.row(9, 0)], into: answer)
        let before = record
        let isSettledAgain = record.settle(.accepted(.init(model: "E", key: "k", position: 10), answer))
        #expect(!isSettledAgain && record == before)
    }

    @Test func anEditThatHasLostAgainstAnotherOneInAMergeIsADeadLetter() {
        let record = Self.merged([Self.row(9, 0)], into: Self.remote(3, Self.row(5, 0)))
        #expect(record.row == Self.row(5, 0) && record.entries.isEmpty)
        #expect(record.letters.map(\.payload) == ["{\"a\":9}"] && record.letters.map(\.before) == ["{\"a\":0}"])
        #expect(record.letters.map(\.errorType) == ["ConflictUnhandled"] && record.letters.map(\.failedAt) == [77])
    }

    /// The record was deleted, forgotten, and made again while the change was unsent.
    @Test func anEditThatHasLostAgainstALaterLifeOfTheRecordIsADeadLetter() {
        let record = Self.merged(
            [Self.row(9, 0)], into: Self.remote(1, Self.row(5, 0), at: 500_000))
        #expect(record.row == Self.row(5, 0) && record.entries.isEmpty)
        #expect(record.letters.map(\.payload) == ["{\"a\":9}"])
    }

    /// Nothing was sent, since the service sets such fields itself; sent again, the change would never end.
    @Test func anEditOfWhatOnlyTheServiceSetsIsNotSentAgain() {
        let record = Self.merged([Self.row(9, 0)], into: Self.remote(1, Self.row(0, 0)))
        #expect(record.row == Self.row(0, 0) && record.entries.isEmpty && record.letters.isEmpty)
    }

    /// The columns are a key of another record: half of one and half of another lead nowhere.
    @Test func columnsOfOneKeyAreSentAgainAndGivenUpTogether() {
        let id = OutgoingMutation.ID(model: "E", key: "k", position: 10)
        func record(_ wanted: [Value]) -> SyncedRecord {
            let plain = ReconcileTests.record([(.update, wanted)], inFlight: 1)
            var record = SyncedRecord(entity: ReconcileTests.entity, key: plain.key, jointColumns: [[1, 2]])
            (record.row, record.metadata, record.entries) = (plain.row, plain.metadata, plain.entries)
            return record
        }
        var again = record(Self.row(9, 7))
        let isRetried = again.settle(
            .retried(id, on: Self.remote(3, Self.row(9, 4)), row: Self.row(9, 7)))
        #expect(isRetried && again.entries.map(\.changedFields) == [["a", "b"]])
        var lost = record(Self.row(9, 7))
        let isLost = lost.settle(.accepted(id, Self.remote(3, Self.row(5, 0))))
        #expect(isLost && lost.row == Self.row(5, 0) && lost.entries.isEmpty)
        let payloads = lost.letters.compactMap(\.payload).map { FieldValues.row($0, of: ReconcileTests.entity) }
        #expect(payloads == [[.null] + Self.row(9, 7)[1...]])
    }

    @Test func aMergeMayDropOneFieldAndOverruleAnother() {
        let record = Self.merged([Self.row(9, 7)], into: Self.remote(3, Self.row(5, 0)))
        #expect(record.row == Self.row(5, 7) && record.base == Self.row(5, 0))
        #expect(record.letters.map(\.payload) == ["{\"a\":9}"])
        #expect(record.entries.map(\.changedFields) == [["b"]])
    }

    /// What is sent again of a change may lose, too; its one letter has both parts.
    @Test func aChangeThatIsGivenUpInTwoPartsKeepsBoth() {
        var record = Self.merged([Self.row(9, 7)], into: Self.remote(3, Self.row(5, 0)))
        record.entries[0].payload = record.payload(of: record.entries[0])
        let id = OutgoingMutation.ID(model: "E", key: "k", position: 10)
        let remote = Self.remote(4, Self.row(5, 1))
        let isSettled = record.settle(
            .refused(id, errorType: "ConflictUnhandled", message: "no", remote: remote), at: 78)
        #expect(isSettled && record.row == Self.row(5, 1))
        let payloads = record.letters.compactMap(\.payload).map { FieldValues.row($0, of: ReconcileTests.entity) }
        #expect(payloads == [[.null] + Self.row(9, 7)[1...]])
        #expect(record.letters.map(\.message) == ["no"])
    }

    @Test func whatTheServiceMadeOfTheVersionItHadIsAccepted() {
        let record = Self.merged([Self.row(9, 0)], into: Self.remote(2, Self.row(5, 0)))
        #expect(record.row == Self.row(5, 0) && record.entries.isEmpty && record.letters.isEmpty)
    }

    /// A function of the service that decides conflicts is also asked about an update of a deleted record.
    @Test func aFieldThatTheServiceKeptOfADeletedRecordIsADeadLetter() {
        var record = ReconcileTests.record([(.update, Self.row(9, 7))], inFlight: 1)
        record.metadata?.isDeleted = true
        let id = OutgoingMutation.ID(model: "E", key: "k", position: 10)
        let isSettled = record.settle(.accepted(id, Self.remote(2, Self.row(5, 7))))
        #expect(isSettled && record.row == Self.row(5, 7) && record.entries.isEmpty)
        #expect(record.letters.map(\.payload) == ["{\"a\":9}"])
    }

    @Test func aLaterEditOfTheSameFieldReplacesWhatAMergeHasDropped() {
        let record = Self.merged(
            [Self.row(9, 0), Self.row(10, 0)],
            into: Self.remote(3, Self.row(0, 4)))
        #expect(record.base == Self.row(0, 4) && record.letters.isEmpty)
        #expect(record.row == Self.row(10, 4) && record.entries.map(\.position) == [11])
    }

    @Test func aLaterEditOfAFieldThatOthersHaveChangedIsADeadLetter() {
        let record = Self.merged(
            [Self.row(9, 0), Self.row(10, 0)],
            into: Self.remote(3, Self.row(5, 0)))
        #expect(record.row == Self.row(5, 0) && record.entries.isEmpty)
        #expect(record.letters.map(\.payload) == ["{\"a\":10}"])
    }

    /// A deletion with the parent is not folded into what comes before it.
    @Test func aLaterEditBeforeADeletionIsADeadLetterAsWell() {
        var record = ReconcileTests.record(
            [(.update, Self.row(0, 5)), (.update, Self.row(9, 5)), (.delete, nil)], inFlight: 1)
        _ = record.settle(
            .accepted(OutgoingMutation.ID(model: "E", key: "k", position: 10), Self.remote(3, Self.row(3, 5))))
        #expect(record.row == nil && record.base == Self.row(3, 5))
        #expect(record.entries.map(\.operation) == [.delete])
        #expect(record.letters.map(\.payload) == ["{\"a\":9}"])
    }

    @Test func aLaterEditThatOthersHaveMadeAsWellIsDone() {
        let record = Self.merged(
            [Self.row(0, 5), Self.row(9, 5)],
            into: Self.remote(4, Self.row(9, 5)))
        #expect(record.row == Self.row(9, 5) && record.entries.isEmpty && record.letters.isEmpty)
    }

    @Test(arguments: [
        (#"{"n":4,"m":1}"#, 0), (#"{"n":4,"m":2}"#, 1), (#"{"n":4}"#, 1), (#"{"n":0,"m":1,"o":2}"#, 0),
    ])
    func objectsAreMergedMemberByMember(_ merged: String, _ letterCount: Int) {
        let changed: [Value] = [.text("k"), .integer(0), .text(#"{"n":0,"m":1}"#)]
        let answer: [Value] = [.text("k"), .integer(0), .text(merged)]
        let record = Self.merged([changed], into: Self.remote(3, answer))
        #expect(record.row == answer && record.entries.isEmpty && record.letters.count == letterCount)
    }

    /// A service that merges appends lists or unites them, so that what was taken out of one stays in it.
    @Test(
        arguments: [
            (["a", "b"], ["a", "b", "c"], ["a", "b", "x", "c"], false, 0),
            (["a", "b"], ["a", "b", "c"], ["a", "b", "a", "b", "c"], true, 0),
            (["a", "b"], ["b", "a"], ["a", "b"], true, 0),
            (["a", "b"], ["a"], ["a", "b", "x", "a"], false, 1), (["a", "b"], ["a"], ["a", "b"], true, 0),
            (["a", "b"], [], ["a", "b"], true, 0), (["a", "b"], nil, ["a", "b"], true, 0),
            (["a"], ["a", "b"], ["a"], true, 0), ([], ["b"], ["x"], false, 1), (nil, ["b"], ["x", "b"], false, 0),
            // Both devices took it out.
            (["a", "b"], ["a"], ["a", "x", "a"], false, 0),
            // The service has appended the whole list, which no one else has changed.
            (["a", "b"], ["a"], ["a", "b", "a"], true, 0), (["a", "b"], ["b"], ["a", "b", "b"], true, 0),
            // The service has united it with one that no one else has changed.
            (["a", "b"], ["b", "c"], ["a", "b", "c"], true, 0), (["a", "a"], ["c", "c"], ["a", "a", "c"], true, 0),
            (["a", "b"], ["c", "a", "b"], ["a", "b", "c"], true, 0),
            // Another device has added something to it.
            (["a", "b"], ["b", "c"], ["a", "b", "x", "c"], false, 1),
        ] as [([String]?, [String]?, [String], Bool, Int)])
    func whatAMergedListLacksIsNotLost(
        _ before: [String]?, _ wanted: [String]?, _ merged: [String], _ isSentAgain: Bool, _ letterCount: Int
    ) {
        let entity = EntitySchema(
            "E",
            fields: [
                FieldSchema("id", .string), FieldSchema("tags", .list(of: .string, elementsAreRequired: true)),
                FieldSchema("body", .list(of: .json, elementsAreRequired: true)),
            ])
        func list(_ elements: [String]?) -> Value { elements.map { .list($0.map(Value.text)) } ?? .null }
        func row(_ elements: [String]?) -> [Value] {
            [.text("k"), list(elements), list(elements?.map { #"{"n":"\#($0)"}"# })]
        }
        let record = Self.answered(row(merged), to: row(wanted), over: row(before), changing: [1, 2], of: entity)
        #expect(record.letters.count == letterCount)
        #expect(record.row == row(isSentAgain ? wanted : merged) && record.entries.isEmpty == !isSentAgain)
    }

    /// Models have an `AWSJSON` as text, of which the service joins the members; other text it keeps or takes.
    @Test(arguments: [
        (#"{"n":9}"#, #"{"n":0,"o":5,"p":1}"#, false, 1), (#"{"n":0,"m":9}"#, #"{"n":0,"m":9,"o":5}"#, false, 0),
        (#"{"n":0,"m":9}"#, #"{"n":0,"m":9}"#, false, 0), (#"{"m":9}"#, #"{"n":0,"m":9}"#, true, 0),
        ("[1]", "[2,1]", false, 0), ("mine", "theirs", false, 1), ("mine", #"{"n":0}"#, true, 0),
        ("1", "1.0", false, 1),
    ])
    func whatAMergeMakesOfJSONInTextIsNotLost(
        _ wanted: String, _ merged: String, _ isSentAgain: Bool, _ letterCount: Int
    ) {
        let entity = EntitySchema("E", fields: [FieldSchema("id", .string), FieldSchema("json", .string)])
        func row(_ text: String) -> [Value] { [.text("k"), .text(text)] }
        let record = Self.answered(row(merged), to: row(wanted), over: row(#"{"n":0}"#), changing: [1], of: entity)
        #expect(record.letters.count == letterCount)
        #expect(record.row == row(isSentAgain ? wanted : merged) && record.entries.isEmpty == !isSentAgain)
    }

    /// A service that merges keeps members that were taken out, and appends lists in objects, too.
    @Test(
        arguments: [
            (#""m":[1,2]"#, #""n":0,"m":[1,2,1,2],"p":null"#, true, 0),
            (#""m":[1,2]"#, #""n":0,"m":[1,2],"p":null"#, true, 0),
            (#""m":[1,2],"p":null,"o":3"#, #""n":0,"m":[1,2,1,2],"p":null,"o":3"#, true, 0),
            (#""n":4,"m":[1],"p":null"#, #""n":0,"m":[1,2,1],"p":null"#, true, 0),
            (#""n":0"#, #""n":0,"m":[1,2],"p":null"#, true, 0),
            (#""n":0,"m":[1,2,3],"p":5"#, #""n":0,"m":[1,2,1,2,3],"p":5"#, true, 0),
            // Another device has changed something, too.
            (#""n":0,"m":[1,2,3]"#, #""n":0,"m":[1,2,5,1,2,3]"#, false, 0),
            (#""m":[1,2]"#, #""n":4,"m":[1,2,1,2]"#, false, 1), (#""m":[1,2]"#, #""m":[1,2,1,2],"q":1"#, false, 0),
            (#""n":0,"m":[1]"#, #""n":0,"m":[1,2,5,1]"#, false, 1), (#""n":0"#, #""n":0"#, false, 0),
        ])
    func whatAMergedObjectLacksIsNotLost(
        _ wanted: String, _ merged: String, _ isSentAgain: Bool, _ letterCount: Int
    ) {
        func row(_ members: String) -> [Value] { [.text("k"), .integer(0), .text("{\(members)}")] }
        let before = row(#""n":0,"m":[1,2],"p":null"#)
        let record = Self.answered(row(merged), to: row(wanted), over: before, changing: [2], of: ReconcileTests.entity)
        #expect(record.letters.count == letterCount)
        #expect(record.row == row(isSentAgain ? wanted : merged) && record.entries.isEmpty == !isSentAgain)
    }

    @Test func laterChangesGoOnTopOfAnAnswer() {
        // The service has merged something of another client.
        let record = Self.merged(
            [Self.row(9, 0), Self.row(9, 5)],
            into: Self.remote(4, Self.row(8, 0)))
        #expect(record.row == Self.row(8, 5) && record.base == Self.row(8, 0))
        #expect(record.entries.map(\.position) == [11] && record.metadata?.version == 4)
    }

    /// On top of the answer, it would replace what another client has made of the same field.
    @Test(arguments: [
        [row(0, 5), row(9, 5)],
        [row(0, 5), row(8, 5), row(9, 6)],
    ])
    func aLaterChangeOfWhatOthersChangedIsADeadLetter(changes: [[Value]]) {
        let record = Self.merged(changes, into: Self.remote(4, Self.row(3, 5)))
        #expect(record.base == Self.row(3, 5) && record.metadata?.version == 4)
        #expect(record.row == Self.row(3, changes.count == 2 ? 5 : 6))
        #expect(record.entries.map(\.changedFields) == (changes.count == 2 ? [] : [["b"]]))
        #expect(record.letters.map(\.payload) == (changes.count == 2 ? ["{\"a\":9}"] : ["{\"a\":8}", "{\"a\":9}"]))
    }

    /// What is sent again of the change before it makes no difference.
    @Test func aLaterChangeOfWhatOthersChangedIsADeadLetterAlsoBehindAnother() {
        let record = Self.merged(
            [Self.row(0, 5), Self.row(9, 5)],
            into: Self.remote(4, Self.row(3, 0)))
        #expect(record.row == Self.row(3, 5) && record.base == Self.row(3, 0))
        #expect(record.entries.map(\.changedFields) == [["b"]] && record.letters.map(\.payload) == ["{\"a\":9}"])
    }
}
