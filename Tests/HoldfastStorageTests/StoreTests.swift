import HoldfastConformance
import HoldfastStorage
import HoldfastTestSupport
import Testing

struct StoreTests {
    static let schema: Result<StorageSchema, any Error> = Result {
        try StorageSchema(entities: [
            EntitySchema(
                "Post",
                fields: [
                    FieldSchema("id", .id), FieldSchema("title", .string, isRequired: true),
                    FieldSchema("rating", .float),
                    FieldSchema("data", .bytes), FieldSchema("tags", .list(of: .string, elementsAreRequired: true)),
                    FieldSchema("created", .dateTime), FieldSchema("body", .json),
                ])
        ])
    }

    private func store(
        _ adapter: any StorageAdapter = ReferenceAdapter()
    ) async throws -> Store {
        try await Store.open(adapter, schema: Self.schema.get())
    }

    private func row(_ changes: [Int: Value] = [:]) -> [Value] {
        var row: [Value] = [.text("1"), .text("t"), .null, .null, .null, .null, .null]
        for (column, value) in changes { row[column] = value }
        return row
    }

    private func put(_ rows: [Value]..., mode: WriteOperation.PutMode = .upsert) -> CommitRequest {
        CommitRequest(operations: [.put(entity: "Post", rows: RowBuffer(rows: rows), mode: mode)])
    }

    @Test func negativeZeroIsStoredAsZero() async throws {
        let store = try await store()
        _ = try await store.commit(put(row([2: .double(-0.0)])))
        let stored = try await store.records([RecordKey("1")], of: "Post")[0].cells[2]
        guard case .double(let double) = stored else {
            Issue.record("not a double")
            return
        }
        #expect(double.sign == .plus)
    }

    /// Sends what the store must refuse and shows that the adapter was not reached.
    private func expectRefusal(
        _ request: CommitRequest, _ kind: StorageError.Kind, _ position: StorageError.Position? = .operation(0),
        limits: Capabilities.Limits = Capabilities.Limits()
    ) async throws {
        let store = try await store(ReferenceAdapter(limits: limits))
        await #expect(throws: StorageError(kind, "", position: position)) { try await store.commit(request) }
        #expect(try await store.withSnapshot { $0.sequence } == 0)
        try await store.close()
    }

    @Test(arguments: [
        (1, Value.integer(1)), (2, .integer(1)), (2, .text("1")), (4, .text("a")), (4, .list([.integer(1)])),
        (4, .list([.null])), (5, .text("yesterday")), (6, .text("{")), (1, .text("a\u{0}b")), (2, .double(.nan)),
        (2, .double(.infinity)), (2, .double(-.infinity)), (1, .null), (0, .null), (0, .integer(1)),
    ])
    func cellThatTheFieldCannotHoldIsRefused(_ column: Int, _ value: Value) async throws {
        try await expectRefusal(put(row(), row([column: value])), .unrepresentable)
    }

    @Test func refusalNamesTheFieldAndNotTheValue() async throws {
        let store = try await store()
        do {
            _ = try await store.commit(put(row([1: .text("secret\u{0}")])))
            Issue.record("was not refused")
        } catch {
            #expect(error.message.contains("Post.title"))
            #expect(!error.debugDescription.contains("secret"))
        }
    }

    @Test func requestForWhatIsNotThereIsRefused() async throws {
        try await expectRefusal(CommitRequest(operations: [.clear(entity: "Nope")]), .schemaMismatch)
        try await expectRefusal(put([.text("1")]), .schemaMismatch)
        try await expectRefusal(
            CommitRequest(operations: [
                .clear(entity: "Post"), .delete(entity: "Post", keys: [RecordKey([.text("1"), .text("2")])]),
            ]), .schemaMismatch, .operation(1))
        try await expectRefusal(
            CommitRequest(operations: [.delete(entity: "Post", keys: [RecordKey([.null])])]), .unrepresentable)
        try await expectRefusal(
            CommitRequest(preconditions: [.present(entity: "Post", key: RecordKey([.integer(1)]))]), .unrepresentable,
            .precondition(0))
        try await expectRefusal(
            CommitRequest(preconditions: [
                .unchanged(KeyRange("Post"), since: 0),
                .unchanged(KeyRange("Post", from: .included([.text("1"), .text("2")])), since: 0),
            ]), .schemaMismatch, .precondition(1))
    }

    @Test func indexPrefixIsCheckedAndBroughtToCanonicalForm() async throws {
        let note = EntitySchema(
            "Note", fields: [FieldSchema("id", .id), FieldSchema("day", .date), FieldSchema("rank", .int)],
            indexes: [IndexSchema("byDay", on: ["day", "rank"])])
        let store = try await Store.open(ReferenceAdapter(), schema: StorageSchema(entities: [note]))
        let day = CalendarDate(daysSinceEpoch: 1)
        let since = try await store.commit(
            CommitRequest(operations: [
                .put(entity: "Note", rows: RowBuffer(row: [.text("a"), .date(day), .null]), mode: .upsert)
            ])
        ).sequence
        func ask(_ range: KeyRange) async throws -> StorageError? {
            do throws(StorageError) {
                _ = try await store.commit(CommitRequest(preconditions: [.unchanged(range, since: since)]))
                return nil
            } catch {
                return error
            }
        }
        func ask(_ index: String, _ values: [Value], keys: [RecordKey] = []) async throws -> StorageError? {
            try await ask(KeyRange("Note", under: IndexPrefix(index, values, keys: keys)))
        }
        #expect(try await ask("byDay", [.date(day)], keys: [RecordKey("a")]) == nil)
        #expect(try await ask("byDay", [.date(day), .null], keys: [RecordKey("a")]) == nil)
        #expect(try await ask("byDay", [.date(day), .integer(1)]) == nil)
        #expect(try await ask("byDay", [.date(day)])?.kind == .preconditionFailed)
        let refused: [(StorageError?, StorageError.Kind)] = [
            (try await ask("byRank", [.integer(1)]), .schemaMismatch), (try await ask("byDay", []), .schemaMismatch),
            (try await ask("byDay", [.date(day), .null, .null]), .schemaMismatch),
            (try await ask("byDay", [.text("soon")]), .unrepresentable),
            (try await ask("byDay", [.null], keys: [RecordKey([.null])]), .unrepresentable),
            (try await ask("byDay", [.null], keys: [RecordKey([.text("a"), .text("b")])]), .schemaMismatch),
        ]
        for (error, kind) in refused {
            #expect(error?.kind == kind)
            #expect(error?.position == .precondition(0))
        }
        var range = KeyRange("Note", from: .included([.text("a")]))
        range.indexPrefix = IndexPrefix("byDay", [.null])
        #expect(try await ask(range)?.kind == .misuse)
    }

    /// The beginning of an address is not an address.
    @Test func preconditionsTakeTheRangesThatQueriesRead() async throws {
        let user = EntitySchema(
            "User", fields: [FieldSchema("email", .email), FieldSchema("other", .email)], primaryKey: ["email"],
            indexes: [IndexSchema("byOther", on: ["other"])])
        let store = try await Store.open(ReferenceAdapter(), schema: StorageSchema(entities: [user]))
        let since = try await store.commit(
            CommitRequest(operations: [
                .put(
                    entity: "User", rows: RowBuffer(row: [.text("a@b.example"), .text("c@d.example")]), mode: .upsert)
            ])
        ).sequence
        let read = try store.schema.bind(QueryPlan("User", where: .beginsWith("email", "a"))).keyRange
        #expect(read.lower == .included([.text("a")]))
        for range in [read, KeyRange("User", under: IndexPrefix("byOther", [.text("c")]))] {
            _ = try await store.commit(CommitRequest(preconditions: [.unchanged(range, since: since)]))
        }
    }

    @Test(arguments: [-1, 0, 1])
    func keyIsLimitedExactly(_ excess: Int) async throws {
        let limits = Capabilities.Limits(keyByteCount: 10)
        let id = String(repeating: "é", count: 4) + String(repeating: "e", count: 2 + excess)
        let requests = [
            put(row([0: .text(id)])), CommitRequest(operations: [.delete(entity: "Post", keys: [RecordKey(id)])]),
        ]
        let guarded = CommitRequest(preconditions: [.absent(entity: "Post", key: RecordKey(id))])
        if excess > 0 {
            for request in requests { try await expectRefusal(request, .limitExceeded, limits: limits) }
            try await expectRefusal(guarded, .limitExceeded, .precondition(0), limits: limits)
        } else {
            let store = try await store(ReferenceAdapter(limits: limits))
            for request in requests + [guarded] { _ = try await store.commit(request) }
        }
        let store = try await store(ReferenceAdapter(limits: limits))
        if excess > 0 {
            await #expect(throws: StorageError(.limitExceeded, "")) {
                try await store.records([RecordKey(id)], of: "Post")
            }
        } else {
            #expect(try await store.records([RecordKey(id)], of: "Post").map(\.version) == [0])
        }
    }

    @Test(arguments: [1, 3, 4, 6], [-1, 0, 1])
    func cellIsLimitedExactly(_ column: Int, excess: Int) async throws {
        let limits = Capabilities.Limits(cellByteCount: 40)
        let count = 40 + excess
        let value: Value =
            switch column {
            case 3: .bytes(Array(repeating: 7, count: count))
            case 4: .list([.text("a"), .text(String(repeating: "b", count: count - 16))])
            case 6: .text(String(repeating: "1", count: count))
            default: .text(String(repeating: "é", count: 10) + String(repeating: "e", count: count - 20))
            }
        if excess > 0 {
            try await expectRefusal(put(row([column: value])), .limitExceeded, limits: limits)
        } else {
            let store = try await store(ReferenceAdapter(limits: limits))
            _ = try await store.commit(put(row([column: value])))
        }
    }

    @Test(arguments: [-1, 0, 1])
    func rowsOfACommitAreLimitedExactly(_ excess: Int) async throws {
        let limits = Capabilities.Limits(commitRowCount: 5)
        let keys = (0..<3 + excess).map { RecordKey("\($0)") }
        var request = put(row(), row())
        request.operations.append(.delete(entity: "Post", keys: keys))
        if excess > 0 {
            try await expectRefusal(request, .limitExceeded, .operation(1), limits: limits)
        } else {
            let store = try await store(ReferenceAdapter(limits: limits))
            #expect(try await store.commit(request).sequence == 1)
        }
    }

    @Test func durabilityBeyondTheDeclaredIsUnsupported() async throws {
        var request = put(row())
        request.durability = .processCrash
        try await expectRefusal(request, .unsupported, nil)
        let store = try await store(ReferenceAdapter(durability: .powerLoss))
        #expect(try await store.commit(request).sequence == 1)
    }

    @Test func uniqueIndexNeedsAnAdapterThatHasThem() async throws {
        let schema = try StorageSchema(entities: [
            EntitySchema(
                "E", fields: [FieldSchema("id", .id)], indexes: [IndexSchema("i", on: ["id"], isUnique: true)])
        ])
        let adapter = MinimalAdapter()
        await #expect(throws: StorageError(.unsupported, "")) { try await Store.open(adapter, schema: schema) }
        await #expect(throws: StorageError(.closed, "")) { try await adapter.snapshot() }
        _ = try await Store.open(ReferenceAdapter(), schema: schema)
    }

    @Test func absentRefinementsAreUnsupported() async throws {
        let store = try await store(MinimalAdapter())
        await #expect(throws: StorageError(.unsupported, "")) { try await store.verify() }
        await #expect(throws: StorageError(.unsupported, "")) { try await store.backUp(to: "copy") }
    }

    @Test func cancelledTaskChangesNothing() async throws {
        let store = try await store()
        let request = put(row())
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await #expect(throws: StorageError(.cancelled, "")) { try await store.commit(request) }
            await #expect(throws: StorageError(.cancelled, "")) { try await store.snapshot() }
        }
        await task.value
        #expect(try await store.withSnapshot { try await $0.count("Post") } == 0)
    }

    @Test func cancelledScanEndsBetweenBatches() async throws {
        let store = try await store()
        _ = try await store.commit(put(row([0: .text("1")]), row([0: .text("2")])))
        let task = Task {
            let snapshot = try await store.snapshot()
            var scan = try await snapshot.query(QueryPlan("Post"))
            var rows = RowBuffer()
            try await scan.next(maximumRowCount: 1, into: &rows)
            #expect(rows.rowCount == 1)
            withUnsafeCurrentTask { $0?.cancel() }
            do {
                try await scan.next(maximumRowCount: 1, into: &rows)
                Issue.record("was not cancelled")
            } catch {
                #expect(error as? StorageError == StorageError(.cancelled, ""))
            }
            await #expect(throws: StorageError(.cancelled, "")) { try await snapshot.query(QueryPlan("Post")) }
        }
        try await task.value
    }

    @Test(arguments: [true, false])
    func closedStoreAndItsSnapshotsRefuse(_ isMinimal: Bool) async throws {
        let store = try await store(isMinimal ? MinimalAdapter() : ReferenceAdapter())
        let request = put(row())
        _ = try await store.commit(request)
        let snapshot = try await store.snapshot()
        let other = try await store.snapshot()
        await other.close()
        await other.close()
        await #expect(throws: StorageError(.closed, "")) { try await other.rows(QueryPlan("Post")) }
        #expect(try await snapshot.rows(QueryPlan("Post")).count == 1)
        try await store.close()
        try await store.close()
        await #expect(throws: StorageError(.closed, "")) { try await store.commit(request) }
        await #expect(throws: StorageError(.closed, "")) { try await store.snapshot() }
        await #expect(throws: StorageError(.closed, "")) { try await snapshot.rows(QueryPlan("Post")) }
        await #expect(throws: StorageError(.closed, "")) { try await store.records([RecordKey("1")], of: "Post") }
    }

    @Test func valuesAreStoredInCanonicalForm() async throws {
        let store = try await store()
        _ = try await store.commit(put(row([5: .text("2024-01-01T01:00+01:00")])))
        let cell = try await store.records([RecordKey("1")], of: "Post")[0].cells[5]
        #expect(cell == (try FieldType.dateTime.canonical(.text("2024-01-01T01:00+01:00"))))
        guard case .timestamp = cell else {
            Issue.record("not a timestamp")
            return
        }
    }

    @Test func keysOfAReadMayBeAbsentOrRepeated() async throws {
        let store = try await store()
        _ = try await store.commit(put(row()))
        let keys = [RecordKey("2"), RecordKey("1"), RecordKey("1")]
        let records = try await store.records(keys, of: "Post")
        #expect(records.map(\.version) == [0, 1, 1])
        #expect(records[0].cells == Array(repeating: .null, count: 7))
        #expect(try await store.records([], of: "Post").isEmpty)
    }

    @Test func closureErrorComesThroughASnapshotUnchanged() async throws {
        struct Other: Error {}
        let store = try await store()
        await #expect(throws: Other.self) { try await store.withSnapshot { _ in throw Other() } }
    }
}
