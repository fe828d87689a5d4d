import HoldfastStorage
import Testing

@testable import HoldfastServer

@Suite struct RecordLookupTests {
    /// Records that are asked for while two reads wait for the store share one for each model; a wrong key fails alone.
    @Test(arguments: [false, true]) func whatWaitsIsReadTogether(hasWrongKey: Bool) async throws {
        let adapter = HoldingAdapter()
        let schema = try ServerSchema.plainModels()
        let store = try await Store.open(adapter, schema: schema.storage)
        let (a, b) = (try #require(schema.model("A")), try #require(schema.model("B")))
        let put = WriteOperation.put(entity: "A", rows: RowBuffer(row: a.row("3")), mode: .insert)
        let sequence = try await store.commit(CommitRequest(operations: [put])).sequence
        let lookup = RecordLookup(store: store)
        let read = { @Sendable (key: RecordKey, model: ServerModel) in try await lookup.record(key, of: model)?.version
        }

        adapter.hold()
        // At once they would share one read.
        var first: [Task<UInt64?, any Error>] = []
        for number in 0..<2 {
            first.append(Task { try await read(RecordKey("first \(number)"), a) })
            while adapter.reads.count <= number { await Task.yield() }
        }
        let others = (0..<9).map { number in Task { try await read(RecordKey("\(number)"), a) } }
        let same = Task { try await read(RecordKey("3"), a) }
        let foreign = Task { try await read(RecordKey("3"), b) }
        let wrong = hasWrongKey ? Task { try await read(RecordKey([.text("3"), .text("4")]), a) } : nil
        while lookup.waitingCount < (hasWrongKey ? 12 : 11) { await Task.yield() }
        adapter.letGo()

        for task in first { #expect(try await task.value == nil) }
        for (number, task) in others.enumerated() { #expect(try await task.value == (number == 3 ? sequence : nil)) }
        #expect(try await same.value == sequence)
        #expect(try await foreign.value == nil)
        if let wrong { await #expect(throws: StorageError.self) { try await wrong.value } }
        // The wrong key does not reach the adapter, and each of the others is read for itself.
        let rest = adapter.reads.dropFirst(2).sorted()
        #expect(rest == (hasWrongKey ? [Int](repeating: 1, count: 11) : [1, 10]))
        try await store.close()
    }

    /// Each try may wait for a server that is away, so it is asked once for all.
    @Test func aReadThatFailsIsNotRepeatedForEachRecord() async throws {
        let adapter = HoldingAdapter()
        let schema = try ServerSchema.plainModels()
        let store = try await Store.open(adapter, schema: schema.storage)
        let model = try #require(schema.model("A"))
        let lookup = RecordLookup(store: store)
        let read = { @Sendable (key: String) in try await lookup.record(RecordKey(key), of: model)?.version }

        adapter.hold()
        adapter.failReads(with: StorageError(.connectionLost, "The server is away."))
        var first: [Task<UInt64?, any Error>] = []
        for number in 0..<2 {
            first.append(Task { try await read("first \(number)") })
            while adapter.reads.count <= number { await Task.yield() }
        }
        let others = (0..<9).map { number in Task { try await read("\(number)") } }
        while lookup.waitingCount < 9 { await Task.yield() }
        adapter.letGo()

        for task in first + others {
            let error = await #expect(throws: StorageError.self) { try await task.value }
            #expect(error?.kind == .connectionLost)
        }
        #expect(adapter.reads == [1, 1, 9])
        try await store.close()
    }
}
