import HoldfastEngine
import HoldfastStorage
import HoldfastSync
import Testing

@testable import HoldfastSimulation

/// What the oracle must find, played to it without a system.
@Suite struct OracleTests {
    private let schema: StorageSchema
    private let history = ServiceHistory()
    private let record = ServiceHistory.Record(model: "Folder", key: RecordKey("r"))

    init() throws {
        schema = try StorageSchema(entities: [
            EntitySchema(
                "Folder",
                fields: [
                    FieldSchema("id", .id), FieldSchema("title", .string), FieldSchema("_version", .int),
                    FieldSchema("_deleted", .boolean), FieldSchema("_lastChangedAt", .int),
                ],
                primaryKey: ["id"])
        ])
    }

    private func put(
        _ title: String?, version: Int64, isDeleted: Bool = false, at time: Int64, in history: ServiceHistory? = nil
    ) -> [String] {
        let history = history ?? self.history
        let row: [Value] = [
            .text("r"), title.map { .text($0) } ?? .null, .integer(version), isDeleted ? .boolean(true) : .null,
            .integer(time),
        ]
        let put = WriteOperation.put(entity: "Folder", rows: RowBuffer(row: row), mode: .upsert)
        return history.add(
            CommitRequest(operations: [put]), CommitReceipt(sequence: UInt64(history.count + 1) * 100), schema)
    }

    @Test func versionsOfTheServiceRiseByOne() {
        #expect(put("a", version: 1, at: 10) == [])
        #expect(put("b", version: 2, at: 11) == [])
        #expect(put("c", version: 4, at: 12) == ["Folder r has version 4 after 2"])
    }

    @Test func timesOfTheServiceRise() {
        _ = put("a", version: 1, at: 10)
        #expect(put("b", version: 2, at: 10) == ["Folder r changed at 10, after 10"])
    }

    @Test func onlyTombstonesArePurged() {
        _ = put("a", version: 1, at: 10)
        let delete = CommitRequest(operations: [.delete(entity: "Folder", keys: [record.key])])
        #expect(history.add(delete, CommitReceipt(sequence: 150), schema) == ["Folder r was purged alive"])
        #expect(put("b", version: 1, at: 5) == [])
    }

    @Test func aRestoredServiceGoesOnFromItsBackup() throws {
        _ = put("a", version: 1, at: 10)
        let entity = try schema.entity(named: "Folder")
        let backup = RowBuffer(row: [.text("r"), .text("a"), .integer(1), .null, .integer(10)])
        _ = put("b", version: 2, at: 11)
        history.restore([(entity, backup)])
        #expect(history.content(of: "Folder")[record.key]?.fields["title"] == .text("a"))
        // Devices may still have what was lost, and it counts as arrived.
        #expect(history.state(of: record, version: 2, lastChangedAt: 11)?.fields["title"] == .text("b"))
        #expect(problems { edit($0, 1, "b") } == [])
        history.isRenewing = true
        #expect(put("a", version: 2, at: 12) == ["Folder r has version 2 after 2"])
        #expect(put("c", version: 101, at: 13) == ["Folder r was renewed and is another one"])
        #expect(put("c", version: 201, at: 14) == [])
        history.isRenewing = false
        #expect(put("d", version: 202, at: 15) == [])
        // A backup that lacks the record.
        history.restore([(entity, RowBuffer(columnCount: 5))])
        #expect(history.content(of: "Folder").isEmpty)
        #expect(history.hasForgotten(record))
        #expect(put("e", version: 1, at: 16) == [])
    }

    /// A creation whose answer was lost, and which is sent again after the record was deleted and purged.
    @Test func aRecordThatWasPurgedMayBeMadeAgain() {
        _ = put("a", version: 1, at: 10)
        _ = put("b", version: 2, at: 11)
        let delete = CommitRequest(operations: [.delete(entity: "Folder", keys: [record.key])])
        _ = history.add(delete, CommitReceipt(sequence: 150), schema)
        _ = put("a", version: 1, at: 12)
        #expect(problems { edit($0, 1, "a") } == [])
        _ = put("b", version: 2, at: 13)
        _ = put("a", version: 3, at: 14)
        #expect(problems { edit($0, 1, "a") } == ["step 1: the service gave title of Folder r its value 2 times"])
    }

    /// An update whose answer was lost, and which a service that merges takes for the record that was made again.
    @Test(arguments: [(Scenario.Strategy.automerge, 1), (.optimistic, 2)])
    func anUpdateMayBeMergedIntoARecordThatWasMadeAgain(_ strategy: Scenario.Strategy, _ count: Int) {
        let history = ServiceHistory(strategy: { _ in strategy })
        _ = put("a", version: 1, at: 10, in: history)
        _ = put("b", version: 2, at: 11, in: history)
        let delete = CommitRequest(operations: [.delete(entity: "Folder", keys: [record.key])])
        _ = history.add(delete, CommitReceipt(sequence: 250), schema)
        _ = put("c", version: 1, at: 12, in: history)
        _ = put("b", version: 2, at: 13, in: history)
        #expect(history.count(of: .text("b"), in: "title", of: record) == count)
        _ = put("c", version: 3, at: 14, in: history)
        _ = put("b", version: 4, at: 15, in: history)
        #expect(history.count(of: .text("b"), in: "title", of: record) == count + 1)
    }

    private func problems(_ fill: (EditLedger) -> Void, letters: [Int: [DeadLetterText]] = [:]) -> [String] {
        let ledger = EditLedger()
        fill(ledger)
        return ledger.problems(history, letters: letters)
    }

    private func edit(_ ledger: EditLedger, _ step: Int, _ title: String, isAcknowledged: Bool = true) {
        ledger.add(
            step: step, client: 0, record, [("title", .text(title))], isAcknowledged: isAcknowledged)
    }

    @Test func anUnaccountedChangeIsLost() {
        _ = put("other", version: 1, at: 10)
        let lost = "step 1: the change of title of Folder r by client 0 is lost"
        #expect(problems { edit($0, 1, "mine") } == [lost])
        #expect(problems { edit($0, 1, "mine", isAcknowledged: false) } == [])
        #expect(problems { edit($0, 1, "other") } == [])
        // A later change of the same field may have been folded in, and is then the one that is lost.
        #expect(
            problems {
                edit($0, 1, "mine")
                edit($0, 2, "mine too")
            } == ["step 2: the change of title of Folder r by client 0 is lost"])
        #expect(
            problems {
                edit($0, 1, "mine")
                $0.clear(client: 0)
            } == [])
        // A save that was acknowledged after the store was emptied, and may have been made before.
        #expect(
            problems { ledger in
                let begun = ledger.last
                ledger.clear(client: 0)
                ledger.add(
                    step: 1, client: 0, record, [("title", .text("mine"))], isAcknowledged: true, begun: begun)
            } == [])
        #expect(
            problems {
                $0.clear(client: 0)
                edit($0, 1, "mine")
            } == [lost])
        let letter = DeadLetterText(model: "Folder", key: "r", isDeletion: false, payload: #"{"title":"mine"}"#)
        #expect(problems({ edit($0, 1, "mine") }, letters: [0: [letter]]) == [])
        #expect(problems({ edit($0, 1, "mine") }, letters: [1: [letter]]) == [lost])
    }

    /// What goes with a refused deletion is taken back.
    @Test func aDeletionGoesTheWayOfTheOneWithWhichItWent() {
        _ = put("child", version: 1, at: 10)
        let parent = ServiceHistory.Record(model: "Folder", key: RecordKey("parent"))
        func problems(_ letters: [DeadLetterText]) -> [String] {
            self.problems(
                {
                    $0.delete(client: 0, record, stateCount: 1, isRecorded: true, cascade: parent)
                    $0.delete(client: 0, parent, stateCount: 1, isRecorded: true)
                }, letters: [0: letters])
        }
        #expect(problems([]) == ["the deletion of Folder r by client 0 is lost"])
        #expect(problems([DeadLetterText(model: "Folder", key: "parent", isDeletion: true, payload: "")]) == [])
    }

    /// Which of two processes of a client was the last is not known if both saved at the same time.
    @Test func aChangeMayBeReplacedByOneOfTheSameTime() {
        _ = put("other", version: 1, at: 10)
        let ledger = EditLedger()
        let begun = ledger.last
        edit(ledger, 1, "other")
        ledger.add(
            step: 2, client: 0, record, [("title", .text("mine"))], isAcknowledged: true, begun: begun)
        #expect(ledger.problems(history, letters: [:]) == [])
        // Another field is replaced by a whole record only.
        ledger.add(
            step: 3, client: 0, record, [("text", .text("mine"))], isAcknowledged: true, begun: begun)
        #expect(ledger.problems(history, letters: [:]).count == 1)
        ledger.add(
            step: 4, client: 0, record, [("title", .text("other"))], isAcknowledged: true, begun: begun,
            isWholeRecord: true)
        #expect(ledger.problems(history, letters: [:]) == [])
    }

    @Test func aChangeThatWasMadeTwiceIsFound() {
        for (version, title) in ["mine", "other", "mine"].enumerated() {
            _ = put(title, version: Int64(version + 1), at: Int64(version))
        }
        #expect(
            problems { edit($0, 1, "mine") } == ["step 1: the service gave title of Folder r its value 2 times"])
    }

    /// A merge fills a field that another client has emptied, also with what it was once given.
    @Test(arguments: [(nil, 1), (nil, 0), ("other", 1)])
    func aChangeMayBeMergedAgainAfterAnotherClientHasEmptiedTheField(_ title: String?, _ emptying: Int) {
        for (version, title) in ["mine", title, "mine"].enumerated() {
            _ = put(title, version: Int64(version + 1), at: Int64(version))
        }
        let ledger = EditLedger()
        edit(ledger, 1, "mine")
        #expect(ledger.problems(history, letters: [:]).count == 1)
        ledger.add(step: 2, client: emptying, record, [("title", .null)], isAcknowledged: true)
        #expect(ledger.problems(history, letters: [:]).isEmpty == (title == nil && emptying == 1))
    }

    /// A client that retries its changes may put a field back to what it was, and the answer to the first change may
    /// be lost.
    @Test(arguments: [("before", 1), ("other", 2), (nil, 1)])
    func aChangeMayBeMadeAgainAfterARetryingClientUndidIt(_ title: String?, _ count: Int) {
        for (version, title) in ["before", "mine", title, "mine"].enumerated() {
            _ = put(title, version: Int64(version + 1), at: Int64(version))
        }
        let ledger = EditLedger()
        edit(ledger, 1, "mine")
        #expect(ledger.problems(history, letters: [:]).count == 1)
        #expect(ledger.problems(history, letters: [:], retryingClients: [1]).count == count - 1)
    }

    @Test func aServiceThatIgnoresVersionsIsFound() {
        func problems(_ strategy: Scenario.Strategy, base: Int, became: Int) -> [String] {
            MutationLog(strategy: { _ in strategy }).add(
                Array(#"{"query":"mutation M","variables":{"input":{"id":"r","_version":\#(base)}}}"#.utf8),
                Array(#"{"data":{"updateFolder":{"id":"r","_version":\#(became)}}}"#.utf8))
        }
        #expect(problems(.optimistic, base: 3, became: 4) == [])
        #expect(problems(.optimistic, base: 3, became: 5) == ["a change based on version 3 became version 5"])
        #expect(problems(.automerge, base: 3, became: 5) == [])
    }

    @Test func aServiceThatMergesADeletionIsFound() {
        let problems = MutationLog(strategy: { _ in .automerge }).add(
            Array(#"{"query":"mutation M","variables":{"input":{"id":"r","_version":3}}}"#.utf8),
            Array(#"{"data":{"deleteFolder":{"id":"r","_version":5}}}"#.utf8))
        #expect(problems == ["a change based on version 3 became version 5"])
    }

    @Test func aRecordThatComesBackIsFoundWhereVersionsAreChecked() {
        let history = ServiceHistory(strategy: { _ in .optimistic })
        func add(_ version: Int64, isDeleted: Bool) -> [String] {
            let row: [Value] = [
                .text("r"), .text("a"), .integer(version), isDeleted ? .boolean(true) : .null, .integer(version),
            ]
            let put = WriteOperation.put(entity: "Folder", rows: RowBuffer(row: row), mode: .upsert)
            return history.add(
                CommitRequest(operations: [put]), CommitReceipt(sequence: UInt64(version)), schema)
        }
        #expect(add(1, isDeleted: false) == [])
        #expect(add(2, isDeleted: true) == [])
        #expect(add(3, isDeleted: false) == ["Folder r came back from its tombstone"])
    }

    /// What a service answers to a change of a title that is based on the first of two versions.
    private func merge(_ title: String, over old: String?, gives new: String?, isDeleted: Bool = false) -> [String] {
        _ = put("first", version: 1, at: 10)
        _ = put(old, version: 2, isDeleted: isDeleted, at: 11)
        _ = put(new, version: 3, at: 12)
        let mutationLog = MutationLog(.standard, nil, history, strategy: { _ in .automerge })
        return mutationLog.add(
            Array(
                #"{"query":"mutation M","variables":{"input":{"id":"r","title":"\#(title)","_version":1}}}"#.utf8),
            Array(#"{"data":{"updateFolder":{"id":"r","_version":3,"_lastChangedAt":12}}}"#.utf8))
    }

    @Test(arguments: [("other", "other"), (nil, "mine")] as [(String?, String?)])
    func aMergeKeepsWhatIsNewer(_ old: String?, _ new: String?) {
        #expect(merge("mine", over: old, gives: new) == [])
    }

    @Test(arguments: [("other", "mine"), ("other", nil), (nil, nil)] as [(String?, String?)])
    func aMergeThatMakesAnotherValueIsFound(_ old: String?, _ new: String?) {
        #expect(merge("mine", over: old, gives: new) == ["a change was not merged into title of Folder r"])
    }

    @Test func aMergeThatBringsARecordBackIsFound() {
        #expect(
            merge("mine", over: "other", gives: "other", isDeleted: true)
                == ["a merge brought Folder r back from its tombstone"])
    }

    /// Lists are appended, and objects joined member by member.
    @Test func theReferenceOfMergesJoinsBothValues() {
        func merged(_ stored: Value, _ sent: Value, of type: FieldType) -> Value {
            ReferenceMerge.merged(stored, sent, of: type)
        }
        let list = FieldType.list(of: .int, elementsAreRequired: false)
        let (old, new) = (Value.list([.integer(1), .integer(2)]), Value.list([.integer(2), .integer(3)]))
        let both = Value.list([.integer(1), .integer(2), .integer(2), .integer(3)])
        #expect(merged(old, new, of: list) == both)
        #expect(merged(old, .null, of: list) == old)
        #expect(merged(.null, new, of: list) == new)
        let stored = Value.text(#"{"a":1,"b":null,"c":[1],"d":{"e":1}}"#)
        let sent = Value.text(#"{"a":2,"b":3,"c":[2],"d":{"f":null}}"#)
        let joined = merged(stored, sent, of: .json)
        #expect(joined == .text(#"{"a":1,"b":3,"c":[1,2],"d":{"e":1,"f":null}}"#))
        let same = Value.text(#"{"b":3.0,"a":1,"c":[1,2],"d":{"e":1}}"#)
        #expect(ReferenceMerge.isSame(joined, same, of: .embedded("Spot")))
        #expect(!ReferenceMerge.isSame(joined, stored, of: .embedded("Spot")))
        #expect(merged(.text("a"), .text("b"), of: .string) == .text("a"))
    }

    /// What a service makes of a change of the current version.
    @Test(arguments: [
        ("title", "mine", nil), ("title", "first", "a change did not replace title of Folder r"),
        ("body", "first", nil), ("body", "mine", "a change did not leave title of Folder r"),
    ])
    func aChangeOfTheCurrentVersionIsTakenAsItIs(_ sent: String, _ title: String, _ problem: String?) {
        _ = put("first", version: 1, at: 10)
        _ = put(title, version: 2, at: 11)
        let mutationLog = MutationLog(.standard, nil, history, strategy: { _ in .automerge })
        // No state has a body, so that one is sent as null.
        let value = sent == "title" ? #""mine""# : "null"
        let found = mutationLog.add(
            Array(
                #"{"query":"mutation M","variables":{"input":{"id":"r","\#(sent)":\#(value),"_version":1}}}"#.utf8),
            Array(#"{"data":{"updateFolder":{"id":"r","_version":2,"_lastChangedAt":11}}}"#.utf8))
        #expect(found == [problem].compactMap(\.self))
    }

    /// What an update with a version finds at the service, which made the version after it for a client.
    private func conflict(with author: Int, whoseTitleBecame title: String = "b") -> [String] {
        _ = put("a", version: 1, at: 10)
        _ = put("b", version: 2, at: 11)
        let mutationLog = MutationLog(.standard, nil, history, strategy: { _ in .optimistic })
        let update = Array(
            #"{"query":"mutation UpdateFolder","variables":{"input":{"id":"r","title":"b","_version":1}}}"#.utf8)
        _ = mutationLog.add(
            update,
            Array(
                #"{"data":{"updateFolder":{"id":"r","title":"\#(title)","_version":2,"_lastChangedAt":11}}}"#.utf8),
            of: author)
        return mutationLog.add(
            update,
            Array(#"{"data":null,"errors":[{"errorType":"ConflictUnhandled","data":{"_version":2}}]}"#.utf8), of: 0)
    }

    @Test func aClientInConflictWithItselfIsFound() {
        #expect(conflict(with: 0) == ["client 0 is in conflict with itself over Folder r"])
    }

    @Test func aClientMayBeInConflictWithAnother() { #expect(conflict(with: 1) == []) }

    @Test func aClientMayBeInConflictWithWhatTheServiceMadeOfItsChange() {
        #expect(conflict(with: 0, whoseTitleBecame: "c") == [])
    }

    @Test func aChildBeforeItsParentIsFound() throws {
        let schema = try StorageSchema(entities: [
            EntitySchema(
                "Paper", fields: [FieldSchema("id", .id), FieldSchema("folderId", .id), FieldSchema("_version", .int)],
                primaryKey: ["id"])
        ])
        let put = WriteOperation.put(
            entity: "Paper", rows: RowBuffer(row: [.text("p"), .text("r"), .integer(1)]), mode: .upsert)
        let request = CommitRequest(operations: [put])
        #expect(
            ServiceHistory(expectsParents: true).add(request, CommitReceipt(sequence: 1), schema)
                == ["Paper p came before Folder r, to which it belongs"])
        #expect(ServiceHistory().add(request, CommitReceipt(sequence: 1), schema) == [])
        // Also if it belonged to none before.
        let history = ServiceHistory(expectsParents: true)
        func add(_ parent: Value, version: Int64) -> [String] {
            let row: [Value] = [.text("p"), parent, .integer(version)]
            let put = WriteOperation.put(entity: "Paper", rows: RowBuffer(row: row), mode: .upsert)
            let receipt = CommitReceipt(sequence: UInt64(version))
            return history.add(CommitRequest(operations: [put]), receipt, schema).filter { $0.contains("belongs") }
        }
        #expect(add(.null, version: 1) == [])
        #expect(add(.text("r"), version: 2) == ["Paper p came before Folder r, to which it belongs"])
        #expect(add(.text("r"), version: 3) == [])
    }

    @Test func whatWasNotChangedIsNotSent() {
        let mutationLog = MutationLog(.standard, nil, history, strategy: { _ in .optimistic })
        mutationLog.noteChange(of: ["title"], in: record, by: 0)
        func update(_ field: String) -> [String] {
            mutationLog.add(
                Array(
                    #"{"query":"mutation M","variables":{"input":{"id":"r","\#(field)":"x","_version":1}}}"#.utf8),
                Array(#"{"data":{"updateFolder":{"id":"r","_version":2,"_lastChangedAt":11}}}"#.utf8))
        }
        #expect(update("title") == [])
        #expect(update("body") == ["client 0 sent body of Folder r, which it had not changed"])
    }

    @Test func aChangeThatAnotherUserSendsIsFound() {
        let mutationLog = MutationLog(.standard, nil, history, strategy: { _ in .optimistic })
        mutationLog.noteChange(of: ["title"], in: record, by: 0, user: "ann")
        func update(by user: String?) -> [String] {
            mutationLog.add(
                Array(
                    #"{"query":"mutation UpdateFolder","variables":{"input":{"id":"r","title":"x","_version":1}}}"#.utf8
                ),
                Array(#"{"data":{"updateFolder":{"id":"r","_version":2,"_lastChangedAt":11}}}"#.utf8), user: user)
        }
        #expect(update(by: "ann") == [])
        #expect(update(by: nil) == [])
        #expect(update(by: "bob") == ["bob sent a change of Folder r that another user of client 0 made"])
    }

    /// What is wrong with events of the hub, and with the last ones of them.
    private func hub(_ events: [HubEvent<String>], hasSockets: Bool = true) -> [String] {
        var order = HubOrder()
        return events.compactMap { order.note($0, hasSockets: hasSockets) } + order.problems
    }

    @Test func eventsOfASessionAreDispatchedInOrder() {
        let synced = HubEvent<String>.modelSynced(model: "Folder", isFull: true, added: 0, updated: 0, deleted: 0)
        let session: [HubEvent<String>] = [
            .outboxStatus(isEmpty: true), .networkStatus(isActive: true), .subscriptionsEstablished,
            .syncQueriesStarted(models: ["Folder"]), synced, .syncQueriesReady, .syncStarted, .ready,
        ]
        #expect(hub(session) == [])
        #expect(hub(session + [.outboxStatus(isEmpty: false)]) == ["the hub last heard that the outbox is not empty"])
        #expect(hub(session + [synced]) == ["the hub heard twice that model Folder was read"])
        let early = Array(session[..<4] + [.ready])
        #expect(hub(early).first == "the hub heard of readiness at the wrong time")
        #expect(hub(Array(session[..<2] + session[3...])) == ["the hub heard of queries before the subscriptions"])
        #expect(
            hub(session.filter { $0 != synced }) == ["the hub did not hear that model Folder was read"])
        var order = HubOrder()
        for event in session where event != synced { _ = order.note(event) }
        order.note(SyncReport.model("Folder", .unauthorized(isSignedOut: false), retry: nil))
        #expect(order.problems == [])
        let late = session[..<2] + session[3...] + [.subscriptionsEstablished]
        #expect(hub(Array(late), hasSockets: false) == [])
        #expect(hub(Array(late + session[2...]), hasSockets: false) == [])
    }

    /// A model counts as synchronized from the end of its reading to the end of the session.
    @Test func recordsThatCountAsSynchronizedTooSoonAreFound() {
        let early = "the hub heard that model Folder was read before its last page was stored"
        let unread = "the live query of Folder calls its records synchronized, which were not read in this session"
        let started = HubEvent<String>.syncQueriesStarted(models: ["Folder"])
        let synced = HubEvent<String>.modelSynced(model: "Folder", isFull: true, added: 0, updated: 0, deleted: 0)
        var order = ReadingOrder()
        #expect(order.problem(ofSynced: "Folder", at: 0) == unread)
        var found = [order.note(started, readings: ["Folder": 1]), order.note(synced, readings: ["Folder": 1])]
        #expect(found == [nil, early])
        found = [order.note(started, readings: ["Folder": 1]), order.note(synced, readings: ["Folder": 2])]
        #expect(found == [nil, nil])
        #expect(order.problem(ofSynced: "Folder", at: 0) == nil)
        // A query that began before the end may answer after it.
        order.noteEnd(at: 1)
        #expect(order.problem(ofSynced: "Folder", at: 2) == nil)
        #expect(order.problem(ofSynced: "Folder", at: 60_000_001) == unread)
    }

    /// What was given up may be made again, over a later edit of the same client and for a second time.
    @Test func aChangeThatIsRetriedReplacesOthers() {
        for (version, title) in ["mine", "other", "mine"].enumerated() {
            _ = put(title, version: Int64(version + 1), at: Int64(version))
        }
        func fill(_ ledger: EditLedger) {
            edit(ledger, 1, "mine")
            edit(ledger, 2, "later")
        }
        #expect(problems(fill).count == 2)
        #expect(
            problems {
                fill($0)
                $0.retry(step: 3, client: 0, record, ["title"], begun: $0.last)
            } == [])
        // An edit after it must be found again.
        #expect(
            problems {
                $0.retry(step: 3, client: 0, record, ["title"], begun: $0.last)
                edit($0, 4, "last")
            } == ["step 4: the change of title of Folder r by client 0 is lost"])
    }

    @Test func aChangeAgainstItsConditionIsFound() {
        _ = put("a", version: 1, at: 10)
        _ = put("b", version: 2, at: 11)
        func problems(if title: String) -> [String] {
            self.problems {
                $0.add(
                    step: 1, client: 0, record, [("title", .text("b"))], isAcknowledged: true,
                    condition: ("title", .text(title)))
            }
        }
        #expect(problems(if: "a") == [])
        #expect(
            problems(if: "c")
                == ["step 1: the service changed title of Folder r although its condition did not hold"])
    }

    @Test func anEditThatIsAcknowledgedAndNotCommittedIsFound() {
        var committed = CommittedEdits()
        let row: [Value] = [.text("r"), .text("a"), .null, .null, .null]
        let put = WriteOperation.put(entity: "Folder", rows: RowBuffer(row: row), mode: .update)
        committed.note(CommitRequest(operations: [put]), of: schema)
        #expect(committed.problems(step: 1, record, [("title", .text("a"))]) == [])
        #expect(
            committed.problems(step: 2, record, [("title", .text("b"))])
                == ["step 2: the change of title of Folder r was acknowledged, and never committed"])
        #expect(committed.deletionCount(of: record) == 0)
        let delete = WriteOperation.delete(entity: "Folder", keys: [record.key])
        committed.note(CommitRequest(operations: [delete]), of: schema)
        #expect(committed.deletionCount(of: record) == 1)
    }

    /// A remark must belong to its paper, and a paper may belong to a folder.
    @Test(arguments: [("Remark", "Paper", "paperId"), ("Paper", "Folder", "folderId")])
    func whatNeedNotBelongToARefusedRecordIsNotGivenUpWithIt(_ child: String, _ parent: String, _ field: String) {
        func letter(_ model: String, _ payload: String?, _ message: String) -> DeadLetter {
            DeadLetter(
                position: 1, model: model, key: "r", operation: payload == nil ? .delete : .create, payload: payload,
                message: message, failedAt: 1)
        }
        let refused = letter(parent, #"{"id":"r"}"#, "no")
        let children = [
            letter(child, #"{"id":"r","\#(field)":"r"}"#, SyncedRecord.refusedParent),
            letter(child, nil, SyncedRecord.refusedParent),
        ]
        let unfounded = ["a change of \(child) r was given up with a record that it need not belong to"]
        #expect(
            ClientWatch.unfounded([refused] + children, of: .standard) == (child == "Remark" ? [] : unfounded))
        #expect(ClientWatch.unfounded(children, of: .standard) == unfounded)
        #expect(ClientWatch.unfounded([refused], of: .standard) == [])
    }

    /// Observers report at once, since their application may die before the end of the run.
    @Test func whatObserversFindWrongIsReportedAtOnce() {
        let reported = Mutex<[String]>([])
        let observers = SimulatedObservers(history: history, .standard) { problem in
            reported.withLock { $0.append(problem) }
        }
        observers.note(.subscriptionsEstablished, hasSockets: true)
        #expect(reported.withLock { $0 } == [])
        observers.note(.ready, hasSockets: true)
        #expect(reported.withLock { $0 } == ["the hub heard of readiness at the wrong time"])
    }

    @Test func anUnaccountedDeletionIsLost() {
        _ = put("a", version: 1, at: 10)
        let lost = "the deletion of Folder r by client 0 is lost"
        #expect(problems { $0.delete(client: 0, record, stateCount: 1, isRecorded: true) } == [lost])
        #expect(problems { $0.delete(client: 0, record, stateCount: 1, isRecorded: false) } == [])
        _ = put("a", version: 2, isDeleted: true, at: 11)
        #expect(problems { $0.delete(client: 0, record, stateCount: 1, isRecorded: true) } == [])
        _ = put("b", version: 3, at: 12)
        #expect(problems { $0.delete(client: 0, record, stateCount: 3, isRecorded: true) } == [lost])
    }
}
