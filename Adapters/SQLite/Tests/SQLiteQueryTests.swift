#if SQLite
import HoldfastAdapterTestSupport
import HoldfastSQLite
import HoldfastStorage
import Testing

@Suite struct SQLiteQueryTests {
    private let entity = EntitySchema(
        "T",
        fields: [
            FieldSchema("id", .int), FieldSchema("text", .string), FieldSchema("int", .int),
            FieldSchema("double", .float),
            FieldSchema("bytes", .bytes), FieldSchema("flag", .boolean), FieldSchema("at", .dateTime),
            FieldSchema("list", .list(of: .int, elementsAreRequired: false)),
        ],
        indexes: [
            IndexSchema("byText", on: ["text"]), IndexSchema("byInt", on: ["int", "double"]),
            IndexSchema("byAt", on: ["at"]),
        ])

    private func row(_ number: Int) -> [Value] {
        let seconds = TypeSamples.stamp("2024-01-01T00:00:\(10 + number % 50).\(number % 7)Z")
        return number % 11 == 0
            ? [.integer(Int64(number))] + Array(repeating: .null, count: 7)
            : [
                .integer(Int64(number)), .text("t\(number % 37)"), .integer(Int64(number % 23) - 11),
                .double(Double(number % 13) / 7), .bytes([UInt8(number % 5), 0xFF]), .boolean(number % 2 == 0),
                seconds,
                .list([.integer(Int64(number % 3)), .null]),
            ]
    }

    private func make(_ count: Int = 300) async throws -> (Store, ReferenceStore) {
        let schema = try StorageSchema(entities: [entity])
        let store = try await Store.open(SQLiteAdapter(.temporary), schema: schema)
        var reference = ReferenceStore(schema: schema)
        let request = CommitRequest(
            operations: [.put(entity: "T", rows: RowBuffer((0..<count).map(row)), mode: .insert)])
        _ = try await store.commit(request)
        _ = try reference.commit(request)
        return (store, reference)
    }

    private func leaf(_ number: Int) -> Predicate {
        switch number % 6 {
        case 0: .compare("int", .equal, .integer(Int64(number % 30)))
        case 1: .compare("text", .less, .text("t\(number % 20)"))
        case 2: .not(.contains("list", .integer(Int64(number % 4))))
        case 3: .beginsWith("text", "t\(number % 4)")
        case 4: .isIn("double", [.double(Double(number % 9) / 7), .null])
        default: .not(.between("int", .integer(-3), .integer(Int64(number % 7))))
        }
    }

    @Test(arguments: [64, 65, 200])
    func longTextsAreFoundInOthers(count: Int) async throws {
        var (store, reference) = try await make(30)
        let long = String(repeating: "é", count: count / 2) + String(repeating: "a", count: count % 2)
        let texts = [long, "x\(long)\r\n", String(long.dropLast()), long.uppercased()]
        let rows = texts.enumerated().map { [.integer(Int64(100 + $0)), .text($1)] + row(0)[2...] }
        let request = CommitRequest(operations: [.put(entity: "T", rows: RowBuffer(rows), mode: .insert)])
        _ = try await store.commit(request)
        _ = try reference.commit(request)
        let predicate = Predicate.contains("text", .text(long))
        for predicate in [predicate, .not(predicate)] {
            try await expectAgreement(QueryPlan("T", where: predicate), store, reference)
        }
        #expect(try await store.rows(QueryPlan("T", where: predicate)).count == 2)
        try await store.close()
    }

    @Test(arguments: [2, 40, 41, 1_600, 1_601, 5_000])
    func longGroupsAgreeWithTheReference(count: Int) async throws {
        let (store, reference) = try await make()
        let leaves = (0..<count).map(leaf)
        for predicate in [Predicate.or(leaves), .and(leaves), .not(.or(leaves)), .not(.and(leaves.reversed()))] {
            try await expectAgreement(QueryPlan("T", where: predicate), store, reference, batch: 100)
        }
        try await store.close()
    }

    @Test(arguments: [1, 10, 18, 21, 25, 60, 120])
    func deeplyNestedPredicatesAgreeWithTheReference(depth: Int) async throws {
        let (store, reference) = try await make()
        var predicate = leaf(0)
        for level in 1..<depth {
            predicate =
                switch level % 3 {
                case 0: .not(predicate)
                case 1: .or([leaf(level), predicate, .and([leaf(level + 1), leaf(level + 2)])])
                default: .and([predicate, leaf(level), .or([leaf(level + 3), .constant(true)])])
                }
        }
        try await expectAgreement(QueryPlan("T", where: predicate), store, reference, batch: 100)
        let sort = [SortKey("at", .descending), SortKey("int")]
        try await expectAgreement(
            QueryPlan("T", where: .not(predicate), sort: sort, limit: 7, offset: 3), store, reference)
        let plan = AggregatePlan("T", where: predicate, [.sum("int"), .average("double"), .maximum("at"), .count])
        let aggregates = try await store.withSnapshot { try await $0.aggregate(plan) }
        #expect(try aggregates.dropFirst(2) == reference.aggregate(reference.schema.bind(plan)).dropFirst(2))
        try await store.close()
    }

    @Test(arguments: [0, 1, 24, 25, 1_000, 30_000])
    func listsOfAnyLengthAgreeWithTheReference(count: Int) async throws {
        let (store, reference) = try await make()
        let numbers = 0..<count
        let lists: [(String, [Value])] = [
            ("id", numbers.map { .integer(Int64($0) * 3) }),
            ("int", numbers.map { .integer(Int64($0) - 5) } + [.integer(.min), .integer(.max)]),
            ("text", numbers.map { .text("t\($0 * 2)") } + [.text("\"\\\n\u{1}")]),
            ("double", numbers.map { .double(Double($0) / 7) } + [.double(.leastNonzeroMagnitude)]),
            ("bytes", numbers.map { .bytes([UInt8($0 % 250), UInt8($0 / 250 % 200 + 55)]) } + [.bytes([])]),
            ("flag", numbers.map { .boolean($0 % 2 == 1) }.prefix(1) + []),
            ("at", numbers.map { TypeSamples.stamp("2024-01-01T01:00:\(10 + $0 % 50).\($0 % 7)00+01:00") }),
            ("list", numbers.map { .list([.integer(Int64($0)), .null]) }),
        ]
        for (field, values) in lists {
            for values in [values, values + [.null]] {
                let predicate = Predicate.isIn(field, values)
                try await expectAgreement(QueryPlan("T", where: predicate), store, reference, batch: 100)
                try await expectAgreement(QueryPlan("T", where: .not(predicate)), store, reference, batch: 100)
            }
        }
        try await store.close()
    }

    @Test func pagesByCursorAreTheWholeInEveryDirection() async throws {
        let (store, reference) = try await make(120)
        let names = ["text", "int", "double", "bytes", "flag", "at"]
        for first in names {
            for second in names where second != first {
                for directions in 0..<4 {
                    let sort = [
                        SortKey(first, directions & 1 == 0 ? .ascending : .descending),
                        SortKey(second, directions & 2 == 0 ? .ascending : .descending),
                    ]
                    var plan = QueryPlan("T", sort: sort, limit: 17)
                    var rows: [[Value]] = []
                    repeat {
                        let page = try await store.rows(plan, batch: 10)
                        rows += page
                        plan.after = page.last.map { Cursor(after: $0, of: entity, sortedBy: sort) }
                    } while plan.after != nil
                    plan.limit = nil
                    let whole = reference.query(try reference.schema.bind(plan)).map(\.row)
                    #expect(rows == whole, "\(sort)")
                }
            }
        }
        try await store.close()
    }

    @Test func sumsComeBackFromBeyond64Bits() async throws {
        let store = try await Store.temporary(note)
        func sum() async throws -> [Value] {
            try await store.withSnapshot { try await $0.aggregate(AggregatePlan("Note", [.sum("rank"), .count])) }
        }
        #expect(try await sum() == [.integer(0), .integer(0)])
        try await store.put("Note", [noteRow("a", nil, .max), noteRow("b", nil, 5), noteRow("c", nil, -6)])
        #expect(try await sum() == [.integer(.max - 1), .integer(3)])
        try await store.put("Note", [noteRow("d", nil, .min), noteRow("e", nil, .min + 2)])
        #expect(try await sum() == [.integer(.min), .integer(5)])
        try await store.put("Note", [noteRow("f", nil, -2)])
        await expectFailure(.unrepresentable) { _ = try await sum() }
        try await store.put("Note", [noteRow("f", nil, 0)])
        #expect(try await sum() == [.integer(.min), .integer(6)])
        try await store.close()
    }

    @Test func aConsumerMayAskForLessThanWasReadAhead() async throws {
        let (store, reference) = try await make(300)
        let snapshot = try await store.snapshot()
        var scan = try await snapshot.query(QueryPlan("T"))
        var rows = RowBuffer()
        var result: [[Value]] = []
        for size in [50, 50, 50, 7, 1, 30, 100, 3, 3] + Array(repeating: 20, count: 20) {
            try await scan.next(maximumRowCount: size, into: &rows)
            #expect(rows.rowCount <= size)
            for row in 0..<rows.rowCount { result.append(Array(rows[row])) }
        }
        #expect(result == reference.allRecords(of: "T").map(\.row))
        try await store.close()
    }

    @Test func aFullDiskIsReportedAndTheStoreGoesOn() async throws {
        let directory = TemporaryDirectory()
        var configuration = SQLiteConfiguration(.file(directory.file()))
        configuration.maximumPageCount = 100
        let schema = try StorageSchema(entities: [note])
        let store = try await Store.open(SQLiteAdapter(configuration), schema: schema)
        let small = (0..<20).map { noteRow("k\($0)") }
        let large = (0..<200).map { noteRow("l\($0)", String(repeating: "x", count: 4_000)) }
        try await store.put("Note", small)
        let error = await storageError { try await store.put("Note", large) }
        #expect(error == StorageError(.full, "", transaction: .rolledBack, position: .operation(0)))
        #expect(error?.nativeCode == "SQLITE_FULL (13)")
        #expect(try await store.rows(QueryPlan("Note"), batch: 50).count == 20)
        let outcomes = await withTaskGroup(of: (Int, StorageError?).self) { group in
            for number in 0..<30 {
                group.addTask {
                    let rows = number % 10 == 0 ? large : [noteRow("s\(number)")]
                    return (number, await storageError { try await store.put("Note", rows) })
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for (number, error) in outcomes { #expect(error?.kind == (number % 10 == 0 ? .full : nil)) }
        #expect(try await store.rows(QueryPlan("Note"), batch: 50).count == 47)
        #expect(try await store.verify() == [])
        try await store.close()
        let again = try await Store.open(directory.file(), note)
        try await again.put("Note", large)
        #expect(try await again.rows(QueryPlan("Note"), batch: 50).count == 247)
        try await again.close()
    }
}
#endif
