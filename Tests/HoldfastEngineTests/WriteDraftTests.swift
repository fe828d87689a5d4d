import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

@Suite struct WriteDraftTests {
    static let entity = EntitySchema(
        "E", fields: [FieldSchema("value", .int), FieldSchema("id", .string), FieldSchema("note", .string)])
    static let outbox = OutboxEntry.entity.name

    func rows(_ values: [(String, Int64, UInt64)]) -> RowBuffer {
        var rows = RowBuffer(columnCount: 3)
        for (id, value, version) in values {
            if version == 0 && value < 0 {
                rows.appendAbsentRow()
            } else {
                rows.append([.integer(value), .text(id), .null], version: version)
            }
        }
        return rows
    }

    func pending(_ entries: [(OutboxEntry, UInt64)]) -> PendingEntries {
        var rows = RowBuffer(columnCount: OutboxEntry.entity.fields.count)
        for (entry, version) in entries {
            var row = RowBuffer(columnCount: OutboxEntry.entity.fields.count)
            entry.append(to: &row)
            rows.append(row[0], version: version)
        }
        var pending = PendingEntries()
        pending.insert(rows)
        return pending
    }

    func entry(
        _ key: String, _ operation: OutboxEntry.Operation, _ fields: [String] = [], over before: String? = nil
    ) -> OutboxEntry {
        var entry = OutboxEntry(model: "E", key: key, position: 5, operation: operation, changedFields: fields)
        entry.before = before
        return entry
    }

    func keys(_ ids: String...) -> [RecordKey] { ids.map { RecordKey($0) } }

    func saving(
        _ rows: RowBuffer, keys: [RecordKey], existing: RowBuffer, pending: PendingEntries = PendingEntries(),
        at position: Int64? = 100
    ) -> WriteDraft {
        var draft = WriteDraft(pending: pending, at: position)
        draft.save(rows, keys: keys, of: Self.entity, over: existing)
        return draft.finish()
    }

    func deleting(_ existing: RowBuffer, pending: PendingEntries = PendingEntries()) -> WriteDraft {
        var draft = WriteDraft(pending: pending, at: 100)
        draft.delete(existing, of: Self.entity)
        return draft.finish()
    }

    /// The operations in short: what is put, how, or deleted.
    func summary(_ request: CommitRequest) -> [String] {
        request.operations.map { operation in
            switch operation {
            case .put(Self.outbox, let rows, let mode):
                let entries = (0..<rows.rowCount).compactMap { OutboxEntry(rows[$0]) }
                return "\(mode) outbox "
                    + entries.map { "\($0.key):\($0.operation)@\($0.position)\($0.changedFields)" }.joined(
                        separator: " ")
            case .put(let name, let rows, let mode):
                return "\(mode) \(name) "
                    + (0..<rows.rowCount).map { "\(Self.entity.key(of: rows[$0]).outboxText)" }
                    .joined(separator: " ")
            case .delete(let name, let keys):
                return "delete \(name == Self.outbox ? "outbox" : name) "
                    + keys.map { $0.components.count == 1 ? $0.outboxText : "\($0.components[1].outboxKey)" }
                    .joined(separator: " ")
            case .clear(let name): return "clear \(name)"
            }
        }
    }

    @Test func newRecordsAreInsertedWithoutPreconditions() {
        let draft = saving(
            rows([("a", 1, 0), ("b", 2, 0)]), keys: keys("a", "b"), existing: rows([("", -1, 0), ("", -1, 0)]))
        #expect(draft.changes.map(\.kinds) == [[.created, .created]])
        #expect(draft.request.preconditions.isEmpty)
        #expect(summary(draft.request) == ["insert E a b", "insert outbox a:create@100[] b:create@101[]"])
    }

    @Test func mixedRecordsAreInsertedAndUpdatedUnderTheirVersions() {
        let draft = saving(
            rows([("a", 1, 0), ("b", 2, 0), ("c", 3, 0)]), keys: keys("a", "b", "c"),
            existing: rows([("a", 9, 7), ("", -1, 0), ("c", 3, 8)]))
        #expect(draft.changes.map(\.kinds) == [[.updated, .created, .updated]])
        #expect(
            draft.request.preconditions == [
                .version(entity: "E", key: RecordKey("a"), 7), .version(entity: "E", key: RecordKey("c"), 8),
            ])
        #expect(
            summary(draft.request) == [
                "insert E b", "update E a c", "insert outbox a:update@100[\"value\"] b:create@101[]",
            ])
    }

    @Test func pendingEntriesAreFoldedUnderTheirVersions() {
        let draft = saving(
            rows([("a", 1, 0), ("b", 2, 0)]), keys: keys("a", "b"), existing: rows([("a", 9, 7), ("", -1, 0)]),
            pending: pending([(entry("a", .update, ["note"]), 17), (entry("b", .delete), 18)]))
        #expect(
            summary(draft.request) == [
                "insert E b", "update E a",
                "update outbox a:update@5[\"value\", \"note\"] b:update@5[\"value\", \"id\", \"note\"]",
            ])
        #expect(
            Set(draft.request.preconditions) == [
                .version(entity: "E", key: RecordKey("a"), 7),
                .version(entity: Self.outbox, key: OutboxEntry.newestKey("E", "a"), 17),
                .version(entity: Self.outbox, key: OutboxEntry.newestKey("E", "b"), 18),
            ])
    }

    /// Saves record "a" with a note that only the service sets: null over "t".
    func savingServiceField(
        _ value: Int64, pending: PendingEntries, isStored: Bool = true
    ) -> (operations: [String], note: Value?) {
        var existing = rows([("", -1, 0)])
        if isStored {
            existing = RowBuffer(columnCount: 3)
            existing.append([.integer(9), .text("a"), .text("t")], version: 7)
        }
        var draft = WriteDraft(pending: pending, at: 100) { RecordShape($0, readOnlyColumns: [2]) }
        draft.save(rows([("a", value, 0)]), keys: keys("a"), of: Self.entity, over: existing)
        let finished = draft.finish()
        guard case .put("E", let stored, _)? = finished.request.operations.first else { return ([], nil) }
        #expect(finished.changes.map { $0.rows[0, 2] } == [stored[0, 2]])
        return (summary(finished.request), stored[0, 2])
    }

    @Test func whatOnlyTheServiceSetsStaysInARecordThatItKnows() {
        var known = PendingEntries()
        known.insert(serviceVersion: 3, of: "E", "a")
        let changed = savingServiceField(1, pending: known)
        #expect(changed.operations == ["update E a", "insert outbox a:update@100[\"value\"]"])
        #expect(changed.note == .text("t"))
        let unchanged = savingServiceField(9, pending: known)
        #expect(unchanged.operations == ["update E a"] && unchanged.note == .text("t"))
        let folded = savingServiceField(1, pending: pending([(entry("a", .update, ["value"]), 17)]))
        #expect(folded.operations == ["update E a", "update outbox a:update@5[\"value\"]"])
        #expect(folded.note == .text("t"))
    }

    @Test func whatOnlyTheServiceSetsIsStoredInARecordThatItDoesNotKnow() {
        #expect(savingServiceField(1, pending: pending([(entry("a", .create), 17)])).note == .null)
        #expect(savingServiceField(1, pending: PendingEntries()).note == .null)
    }

    @Test(
        arguments: [
            ("{\"value\":9,\"id\":\"a\",\"note\":\"t\"}", Value.text("t")), (FieldValues.noRecord, .null), (nil, .null),
        ] as [(String?, Value)])
    func aRecordThatIsSavedOverItsDeletionKeepsWhatOnlyTheServiceSets(before: String?, note: Value) {
        let deletion = entry("a", .delete, over: before)
        let saved = savingServiceField(1, pending: pending([(deletion, 17)]), isStored: false)
        #expect(saved.operations == ["insert E a", "update outbox a:update@5[\"value\", \"id\"]"])
        #expect(saved.note == note)
    }

    @Test func deletionsAreUnderTheVersionsReadAndPublishTheRecordsAsTheyWere() {
        let draft = deleting(rows([("a", 1, 7)]))
        #expect(draft.changes.map(\.kinds) == [[.deleted]])
        #expect(draft.changes.first?.rows[0, 0] == .integer(1))
        #expect(draft.request.preconditions == [.version(entity: "E", key: RecordKey("a"), 7)])
        #expect(summary(draft.request) == ["delete E a", "insert outbox a:delete@100[]"])
    }

    @Test func aDeletionTakesBackAPendingCreation() {
        let draft = deleting(
            rows([("a", 1, 7), ("b", 2, 8)]),
            pending: pending([(entry("a", .create), 17), (entry("b", .update, ["value"]), 18)]))
        #expect(summary(draft.request) == ["delete E a b", "update outbox b:delete@5[]", "delete outbox a"])
    }

    @Test func nothingToSaveOrDeleteIsAnEmptyRequest() {
        for draft in [deleting(rows([])), saving(rows([]), keys: [], existing: rows([]))] {
            #expect(draft.changes.isEmpty && draft.request.operations.isEmpty && draft.request.preconditions.isEmpty)
        }
    }

    @Test func withoutAPositionNothingGoesToTheOutbox() {
        let draft = saving(
            rows([("a", 1, 0), ("b", 2, 0)]), keys: keys("a", "b"), existing: rows([("a", 9, 7), ("", -1, 0)]), at: nil)
        #expect(summary(draft.request) == ["insert E b", "update E a"])
    }

    @Test func severalPartsShareOneRequestAndTheirPlacesInTheOutboxFollowEachOther() {
        var draft = WriteDraft(pending: PendingEntries(), at: 100)
        draft.require([.present(entity: "F", key: RecordKey("parent"))])
        draft.save(rows([("a", 1, 0)]), keys: keys("a"), of: Self.entity, over: rows([("", -1, 0)]))
        draft.delete(rows([("b", 1, 7)]), of: Self.entity)
        let finished = draft.finish()
        #expect(finished.changes.map(\.kinds) == [[.created], [.deleted]])
        #expect(
            finished.request.preconditions == [
                .present(entity: "F", key: RecordKey("parent")), .version(entity: "E", key: RecordKey("b"), 7),
            ])
        #expect(
            summary(finished.request) == [
                "insert E a", "delete E b", "insert outbox a:create@100[] b:delete@101[]",
            ])
    }
}

extension Value {
    fileprivate var outboxKey: String { if case .text(let text) = self { text } else { "?" } }
}
