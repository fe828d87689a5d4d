import HoldfastConformance
import HoldfastStorage
import HoldfastTestSupport
import Testing

struct ReferenceStoreTests {
    private func reference(_ rows: [[Value]] = []) throws -> ReferenceStore {
        let schema = try StorageSchema(entities: [
            EntitySchema(
                "E", fields: [FieldSchema("id", .id), FieldSchema("n", .int), FieldSchema("t", .string)],
                indexes: [IndexSchema("byN", on: ["n", "t"], isUnique: true)]),
            EntitySchema("F", fields: [FieldSchema("id", .int)]),
        ])
        var reference = ReferenceStore(schema: schema)
        if !rows.isEmpty { _ = try reference.commit(CommitRequest(operations: [put(rows)])) }
        return reference
    }

    private func put(_ rows: [[Value]], _ mode: WriteOperation.PutMode = .upsert) -> WriteOperation {
        .put(entity: "E", rows: RowBuffer(rows: rows), mode: mode)
    }

    private func row(_ id: String, _ n: Int64? = nil, _ t: String? = nil) -> [Value] {
        [.text(id), n.map(Value.integer) ?? .null, t.map(Value.text) ?? .null]
    }

    private func delete(_ ids: String...) -> WriteOperation { .delete(entity: "E", keys: ids.map { RecordKey($0) }) }

    /// Commits what must fail and shows that nothing changed.
    private func expectRefusal(
        _ request: CommitRequest, of reference: ReferenceStore, _ kind: StorageError.Kind,
        _ position: StorageError.Position
    ) {
        var changed = reference
        #expect(throws: StorageError(kind, "", position: position)) { try changed.commit(request) }
        #expect(changed.sequence == reference.sequence)
        for entity in ["E", "F"] { #expect(changed.allRecords(of: entity) == reference.allRecords(of: entity)) }
    }

    @Test func everyPutTakesTheVersionOfItsCommit() throws {
        var reference = try reference([row("a"), row("b")])
        let receipt = try reference.commit(
            CommitRequest(operations: [put([row("b", 1), row("c")]), delete("a", "x")]))
        #expect(receipt == CommitReceipt(sequence: 2, putCount: 2, deletedCount: 1))
        #expect(reference.record("E", RecordKey("a")) == nil)
        #expect(reference.allRecords(of: "E").map(\.version) == [2, 2])
    }

    @Test func identicalWriteIsAWrite() throws {
        var reference = try reference([row("a", 1)])
        _ = try reference.commit(CommitRequest(operations: [put([row("a", 1)])]))
        #expect(reference.record("E", RecordKey("a"))?.version == 2)
    }

    @Test func commitWithoutOperationsChangesNothing() throws {
        var reference = try reference()
        #expect(try reference.commit(CommitRequest()) == CommitReceipt(sequence: 0))
        _ = try reference.commit(CommitRequest(operations: [put([row("a")])]))
        let present = Precondition.present(entity: "E", key: RecordKey("a"))
        #expect(try reference.commit(CommitRequest(preconditions: [present])) == CommitReceipt(sequence: 1))
    }

    @Test func operationsSeeEarlierOnes() throws {
        var reference = try reference([row("a")])
        let receipt = try reference.commit(
            CommitRequest(operations: [
                .clear(entity: "E"), put([row("a", 1)], .insert), put([row("a", 2)], .update), delete("a"),
                put([row("a", 3), row("a", 4)]),
            ]))
        #expect(receipt == CommitReceipt(sequence: 2, putCount: 4, deletedCount: 2))
        #expect(reference.allRecords(of: "E").map(\.row) == [row("a", 4)])
    }

    @Test func failedOperationUndoesEarlierOnes() throws {
        let reference = try reference([row("a"), row("b")])
        expectRefusal(
            CommitRequest(operations: [.clear(entity: "E"), put([row("c")]), put([row("c")], .insert)]), of: reference,
            .preconditionFailed, .operation(2))
        expectRefusal(
            CommitRequest(operations: [put([row("a")]), put([row("a"), row("z")], .update), delete("a")]),
            of: reference,
            .preconditionFailed, .operation(1))
        expectRefusal(
            CommitRequest(operations: [put([row("c", 1, "t"), row("d", 1, "t")])]), of: reference, .uniqueViolation,
            .operation(0))
    }

    @Test func preconditionsAreJudgedBeforeTheFirstOperation() throws {
        let reference = try reference([row("a")])
        let absent = Precondition.absent(entity: "E", key: RecordKey("b"))
        expectRefusal(
            CommitRequest(
                preconditions: [absent, .version(entity: "E", key: RecordKey("a"), 2)], operations: [delete("a")]),
            of: reference, .preconditionFailed, .precondition(1))
        var changed = reference
        _ = try changed.commit(CommitRequest(preconditions: [absent, absent], operations: [put([row("b")])]))
    }

    @Test(arguments: [
        (Precondition.absent(entity: "E", key: RecordKey("x")), true),
        (.absent(entity: "E", key: RecordKey("a")), false),
        (.present(entity: "E", key: RecordKey("a")), true),
        (.present(entity: "E", key: RecordKey("x")), false),
        (.present(entity: "F", key: RecordKey("a")), false),
        (.version(entity: "E", key: RecordKey("a"), 1), true),
        (.version(entity: "E", key: RecordKey("a"), 2), false),
        (.version(entity: "E", key: RecordKey("x"), 0), false),
        (.unchanged(KeyRange("E"), since: 3), true),
        (.unchanged(KeyRange("E"), since: 2), false),
        (.unchanged(KeyRange("F"), since: 0), true),
        (.unchanged(KeyRange("E", to: .excluded([.text("b")])), since: 1), true),
        (.unchanged(KeyRange("E", from: .included([.text("b")]), to: .included([.text("b")])), since: 2), false),
        (.unchanged(KeyRange("E", from: .included([.text("c")]), to: .included([.text("c")])), since: 1), false),
        (.unchanged(KeyRange("E", from: .included([.text("c")]), to: .included([.text("c")])), since: 2), true),
    ])
    func preconditionHoldsOrNot(_ precondition: Precondition, _ expected: Bool) throws {
        var reference = try reference([row("a"), row("b")])
        _ = try reference.commit(CommitRequest(operations: [put([row("c")])]))
        _ = try reference.commit(CommitRequest(operations: [delete("b")]))
        let request = CommitRequest(preconditions: [precondition])
        if expected {
            _ = try reference.commit(request)
        } else {
            expectRefusal(request, of: reference, .preconditionFailed, .precondition(0))
        }
    }

    @Test func uniqueIndexLetsNullsAndTheRecordItselfPass() throws {
        var reference = try reference([row("a", 1, "t"), row("b", 1), row("c", nil, "t")])
        let request = CommitRequest(operations: [put([row("d", 1), row("e", nil, "t"), row("a", 1, "t")])])
        #expect(try reference.commit(request).putCount == 3)
        expectRefusal(
            CommitRequest(operations: [put([row("f", 1, "t")])]), of: reference, .uniqueViolation, .operation(0))
        _ = try reference.commit(CommitRequest(operations: [delete("a"), put([row("f", 1, "t")])]))
    }

    @Test func uniqueIndexIsJudgedRowByRow() throws {
        let reference = try reference([row("a", 1, "t"), row("b", 2, "t")])
        expectRefusal(
            CommitRequest(operations: [put([row("a", 2, "t"), row("b", 1, "t")])]), of: reference, .uniqueViolation,
            .operation(0))
    }

    @Test func keyOfAnotherWritingReplacesTheRecordWhole() throws {
        let entity = EntitySchema("E", fields: [FieldSchema("id", .dateTime)])
        var reference = ReferenceStore(schema: try StorageSchema(entities: [entity]))
        let keys = try ["2024-01-01T00:00:00Z", "2024-01-01T01:00:00.0+01:00"].map {
            try FieldType.dateTime.canonical(.text($0))
        }
        for key in keys {
            _ = try reference.commit(
                CommitRequest(operations: [.put(entity: "E", rows: RowBuffer(rows: [[key]]), mode: .upsert)]))
        }
        #expect(reference.allRecords(of: "E").map(\.row) == [[keys[1]]])
    }

    @Test func copyIsASnapshot() throws {
        var reference = try reference([row("a")])
        let copy = reference
        _ = try reference.commit(CommitRequest(operations: [.clear(entity: "E")]))
        #expect(copy.allRecords(of: "E").count == 1)
        #expect(reference.allRecords(of: "E").isEmpty)
    }
}
