import HoldfastStorage
import Testing

@testable import HoldfastAdapterKit

/// What members of a group receive when the engine fails.
@Suite struct KeyValueCommitterTests {
    private let schema: StorageSchema
    private let engine: OrderedEngine
    private let disk = OrderedEngine.Disk()
    private static let note = EntitySchema("Note", fields: [FieldSchema("id", .id), FieldSchema("text", .string)])

    init() throws {
        schema = try StorageSchema(entities: [Self.note])
        engine = try OrderedEngine(disk)
    }

    private func committer(_ engine: OrderedEngine) throws -> KeyValueCommitter {
        let options = KeyValueStore.Options(
            mark: "test", changeLogCommitCount: 0, hasIndexes: true, isShared: false)
        let opened = try KeyValueOpening(
            engine: engine, options: options, log: nil, request: OpenRequest(schema: schema)
        ).run()
        return KeyValueCommitter(
            KeyValueDatabase(engine), tables: opened.tables, catalog: nil, sequence: opened.sequence,
            storeMark: opened.mark, log: nil, signal: ChangeSignal())
    }

    private func put(_ id: String, _ text: String = "") -> CommitRequest {
        CommitRequest(operations: [.put(entity: "Note", rows: RowBuffer(row: [.text(id), .text(text)]), mode: .upsert)])
    }

    private func count(_ engine: OrderedEngine) throws -> Int {
        var count = 0
        try engine.forEach(KeyValueCatalog.prefix(of: 1)) { (_, _) in count += 1 }
        return count
    }

    private let large = String(repeating: "x", count: 1_000)

    /// A write that is too large fails, and all that come later, as with a log of which the end is unknown.
    private func failLargeWritesAndAllAfter(_ engine: OrderedEngine) {
        let hasFailed = Latch()
        engine.failWrites { batch, _ in
            if hasFailed.isSet { return StorageError(.io, "A write failed before.", transaction: .untouched) }
            if batch.byteCount < 1_000 { return nil }
            hasFailed.set()
            return StorageError(.full, "No space.", transaction: .outcomeUnknown)
        }
    }

    @Test func aMemberThatWasWrittenIsUnknownIfTheSyncFails() throws {
        let committer = try committer(engine)
        failLargeWritesAndAllAfter(engine)
        try committer.begin(.powerLoss)
        let outcomes = committer.commit([put("a"), put("b", large)], .powerLoss)
        #expect(throws: StorageError.self) { try outcomes[0].get() }
        for outcome in outcomes {
            guard case .failure(let error) = outcome else { continue }
            #expect(error.transaction == .outcomeUnknown)
        }
        #expect(try count(engine) == 1)
    }

    @Test func aFailedSyncLeavesAllMembersUnknownButThoseThatFailedBefore() throws {
        let committer = try committer(engine)
        try committer.begin(.powerLoss)
        _ = committer.commit([put("a")], .powerLoss)
        engine.failWrites { batch, isSynced in
            isSynced && batch.isEmpty ? StorageError(.io, "The sync failed.", transaction: .untouched) : nil
        }
        var refused = put("c")
        refused.preconditions = [.absent(entity: "Note", key: RecordKey("a"))]
        try committer.begin(.powerLoss)
        let outcomes = committer.commit([put("b"), refused], .powerLoss)
        guard case .failure(let first) = outcomes[0], case .failure(let second) = outcomes[1] else {
            Issue.record("A commit succeeded that is not durable.")
            return
        }
        #expect(first.transaction == .outcomeUnknown)
        #expect(second.kind == .preconditionFailed)
        #expect(second.transaction == .untouched)
    }

    @Test func afterAnUnknownOutcomeTheSequenceIsReadAgain() throws {
        let committer = try committer(engine)
        let hasFailed = Latch()
        let engine = engine
        engine.failWrites { batch, isSynced in
            if hasFailed.isSet || !isSynced || !batch.isEmpty { return nil }
            hasFailed.set()
            return StorageError(.io, "The sync failed.")
        }
        try committer.begin(.powerLoss)
        _ = committer.commit([put("a"), put("b")], .powerLoss)
        try committer.begin(.powerLoss)
        let outcomes = committer.commit([put("c")], .powerLoss)
        #expect(try outcomes[0].get().sequence == 3)
    }

    /// Otherwise it would get the sequence of the member that may have been written.
    @Test func aMemberAfterOneOfUnknownOutcomeIsNotWritten() throws {
        let committer = try committer(engine)
        let hasFailed = Latch()
        engine.failAfterWrites { _, _ in
            if hasFailed.isSet { return nil }
            hasFailed.set()
            return StorageError(.io, "There was no answer.", transaction: .outcomeUnknown)
        }
        try committer.begin(.powerLoss)
        let outcomes = committer.commit([put("a"), put("b")], .powerLoss)
        #expect(throws: StorageError(.io, "", transaction: .outcomeUnknown)) { try outcomes[0].get() }
        #expect(throws: StorageError(.busy, "")) { try outcomes[1].get() }
        #expect(try count(engine) == 1)
        try committer.begin(.powerLoss)
        let later = committer.commit([put("b")], .powerLoss)
        #expect(try later[0].get().sequence == 2)
    }

    @Test func aMemberThatDoesNotFitTakesNoOtherWithIt() throws {
        let disk = OrderedEngine.Disk()
        let engine = try OrderedEngine(disk, hasTransactions: true)
        let committer = try committer(engine)
        engine.failWrites { batch, _ in
            batch.byteCount < 1_000 ? nil : StorageError(.full, "No space.", transaction: .rolledBack)
        }
        try committer.begin(.powerLoss)
        let outcomes = committer.commit([put("a"), put("b", large), put("c")], .powerLoss)
        #expect(try outcomes[0].get().sequence == 1)
        #expect(throws: StorageError(.full, "", transaction: .rolledBack)) { try outcomes[1].get() }
        #expect(try outcomes[2].get().sequence == 2)
        #expect(try count(engine) == 2)
    }
}
