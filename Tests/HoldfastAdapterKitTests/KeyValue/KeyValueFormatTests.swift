import HoldfastAdapterKit
import HoldfastConformance
import HoldfastStorage
import Testing

/// The bytes that are stored.
@Suite struct KeyValueFormatTests {
    private static let note = EntitySchema(
        "Note", fields: [FieldSchema("id", .id), FieldSchema("rank", .int), FieldSchema("text", .string)],
        indexes: [IndexSchema("byRank", on: ["rank"])])
    private static let markKey: [UInt8] = [0, 0, 0, 0, 0]
    /// `k` in the space 1.
    private static let noteKey: [UInt8] = [0, 0, 0, 1, 0x30, 0x6B, 0, 1]
    private let disk = OrderedEngine.Disk()

    private func open(_ entity: EntitySchema = note) async throws -> Store {
        try await Store.open(OrderedAdapter(disk), schema: StorageSchema(entities: [entity]))
    }

    private func put(_ row: [Value], in store: Store, _ entity: EntitySchema = note) async throws {
        _ = try await store.commit(
            CommitRequest(operations: [.put(entity: entity.name, rows: RowBuffer(rows: [row]), mode: .upsert)]))
    }

    private func rows(_ plan: QueryPlan, in store: Store) async throws -> [[Value]] {
        let snapshot = try await store.snapshot()
        var scan = try await snapshot.query(plan)
        var rows = RowBuffer()
        try await scan.next(maximumRowCount: 100, into: &rows)
        return (0..<rows.rowCount).map { Array(rows[$0]) }
    }

    /// Reads and changes what is stored without the adapter.
    private func withEngine<Result>(_ body: (OrderedEngine) throws -> Result) throws -> Result {
        let engine = try OrderedEngine(disk)
        defer { engine.close() }
        return try body(engine)
    }

    private func value(of key: [UInt8]) throws -> [UInt8]? {
        try withEngine { engine in
            var bytes: [UInt8]?
            _ = try engine.get(key) { bytes = Array($0) }
            return bytes
        }
    }

    /// Makes a store of the earlier format with one note.
    private func makeFormat1() async throws {
        let store = try await open()
        try await put([.text("k"), .integer(7), .text("t")], in: store)
        try await store.close()
        try withEngine { engine in
            var batch = KeyValueBatch()
            batch.put(Self.markKey, "holdfast-ordered 1".utf8)
            batch.put(Self.noteKey, [1, 0, 0, 0, 0, 0, 0, 0, 5, 1, 0x6B, 3, 14, 5, 1, 0x74])
            try engine.write(batch, isSynced: true)
        }
    }

    @Test func aValueLeavesTheTextOfItsKeyToTheKey() async throws {
        let store = try await open()
        try await put([.text("k"), .integer(7), .text("t")], in: store)
        try await store.close()
        #expect(try value(of: Self.noteKey) == [1, 0, 0, 0, 0, 0, 0, 0, 0x0B, 3, 14, 5, 1, 0x74])
        #expect(try value(of: Self.markKey) == Array("holdfast-ordered 2".utf8))
    }

    @Test func aStoreOfFormat1IsReadAndMarkedAsOneOf2() async throws {
        try await makeFormat1()

        let opened = try await open()
        let row: [Value] = [.text("k"), .integer(7), .text("t")]
        #expect(try await rows(QueryPlan("Note"), in: opened) == [row])
        #expect(try await rows(QueryPlan("Note", where: .compare("rank", .equal, .integer(7))), in: opened) == [row])
        #expect(try await Array(opened.get([GetRequest("Note", keys: [RecordKey([.text("k")])])])[0][0]) == row)
        try await put([.text("k"), .integer(8), .text("u")], in: opened)
        #expect(try await rows(QueryPlan("Note", where: .compare("rank", .equal, .integer(7))), in: opened) == [])
        try await opened.close()
        #expect(try value(of: Self.markKey) == Array("holdfast-ordered 2".utf8))
        #expect(try value(of: Self.noteKey) == [2, 0, 0, 0, 0, 0, 0, 0, 0x0B, 3, 16, 5, 1, 0x75])
    }

    @Test(arguments: [false, true])
    func aStoreOfFormat1ThatIsRefusedOrReadKeepsItsMark(hasTransactions: Bool) async throws {
        try await makeFormat1()

        let disk = disk
        let other = EntitySchema("Note", fields: [FieldSchema("id", .id)])
        await #expect(throws: StorageError(.schemaMismatch, "")) {
            try await Store.open(
                OrderedAdapter(disk, hasTransactions: hasTransactions), schema: StorageSchema(entities: [other]))
        }
        #expect(try value(of: Self.markKey) == Array("holdfast-ordered 1".utf8))
        let stored = try await Store.openAsStored { OrderedAdapter(disk, hasTransactions: hasTransactions) }
        #expect(try await rows(QueryPlan("Note"), in: stored).count == 1)
        try await stored.close()
        #expect(try value(of: Self.markKey) == Array("holdfast-ordered 1".utf8))

        let migrated = try await Store.open(
            OrderedAdapter(disk, hasTransactions: hasTransactions), schema: StorageSchema(entities: [other])
        ) { _ in
            SchemaMigration(steps: [SchemaMigration.Step(from: Self.note, to: other) { [$0[0]] }])
        }
        try await migrated.close()
        #expect(try value(of: Self.markKey) == Array("holdfast-ordered 2".utf8))
    }

    @Test(arguments: ["", "a", "\u{1}", "\u{FF}\u{1}", "e\u{301}", "👩🏽‍🚀", String(repeating: "long ", count: 20)])
    func textsOfKeysAreReadBack(text: String) async throws {
        let date = CalendarDate(daysSinceEpoch: 0, tail: WrittenForm(offset: nil))
        let time = ClockTime(nanosecondsSinceMidnight: 1_000_000_000, tail: WrittenForm(offset: nil))
        let instant = Timestamp(secondsSinceEpoch: 1, nanoseconds: 0, tail: WrittenForm(offset: 0))
        let keys: [(FieldType, Value)] = [
            (.int, .integer(0)), (.float, .double(1)), (.string, .text(text)), (.date, .date(date)),
            (.boolean, .boolean(true)), (.bytes, .bytes([0, 1, 0xFF])), (.time, .time(time)),
            (.dateTime, .timestamp(instant)), (.id, .text("b" + text)),
        ]
        let fields = keys.indices.map { FieldSchema("f\($0)", keys[$0].0) }
        // Not in the order of the fields.
        let entity = EntitySchema(
            "Part", fields: [FieldSchema("rank", .int)] + fields, primaryKey: fields.map(\.name).sorted(by: >),
            indexes: [IndexSchema("byRank", on: ["rank", "f2"])])
        let row = [.integer(1)] + keys.map(\.1)
        let store = try await open(entity)
        try await put(row, in: store, entity)
        #expect(try await rows(QueryPlan("Part"), in: store) == [row])
        #expect(
            try await rows(QueryPlan("Part", sort: [SortKey("rank", .descending)]), in: store) == [row])
        let key = RecordKey(row.dropFirst().reversed())
        #expect(try await Array(store.get([GetRequest(entity.name, keys: [key])])[0][0]) == row)
        #expect(try await store.verify().isEmpty)
        // The old index entry has the text, which only the key has.
        try await put([.integer(2)] + row.dropFirst(), in: store, entity)
        #expect(try await store.verify().isEmpty)
        try await store.close()
    }
}
