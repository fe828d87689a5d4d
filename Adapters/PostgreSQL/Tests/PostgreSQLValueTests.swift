#if PostgreSQL
import HoldfastPostgreSQL
import HoldfastStorage
import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastTestSupport
import Testing

extension PostgreSQLSuite {
    @Suite struct ValueTests {
        static let types =
            StorageType.scalars + StorageType.scalars.map { .list($0) } + [
                .list(.list(.timestamp)), .list(.list(.text)),
            ]

        private static func values(_ type: StorageType) -> [Value] {
            guard case .list(let element) = type else { return ValuePool.values(of: type.representativeFieldType) }
            let elements = values(element)
            return [.list([]), .list([.null]), .list(elements), .list(elements.reversed() + [.null] + elements)]
        }

        /// Every value of every type, null included, comes back as it went in: put one by one, in bulk, and loaded.
        @Test(arguments: types)
        func valuesComeBackAsTheyWent(type: StorageType) async throws {
            let entity = EntitySchema(
                "Value", fields: [FieldSchema("id", .int), FieldSchema("value", type.representativeFieldType)])
            let store = try await TestSchema().open(entity)
            let values = Self.values(type) + [.null]
            for value in values {
                try await store.put("Value", [[.integer(0), value]])
                #expect(try await store.records([RecordKey([.integer(0)])], of: "Value")[0].cells[1] == value)
            }
            let few = values.enumerated().map { [.integer(Int64($0 + 1)), $1] as [Value] }
            try await store.put("Value", few)
            let many = (0..<600).map { [.integer(Int64($0 + 1_000)), values[$0 % values.count]] as [Value] }
            try await store.put("Value", many, mode: .insert)
            let read = try await store.cells(
                QueryPlan("Value", where: .compare("id", .greater, .integer(0)), sort: [SortKey("id")]))
            #expect(read == few + many)
            try await store.close()
        }

        @Test func namesBeyondTheServersLimitAreKeptApart() async throws {
            let long = String(repeating: "é", count: 100)
            let names = [long + "a", long + "b", "xmin", "ctid", "tableoid", "a\"b", "Ä"]
            let fields = [FieldSchema("id", .id)] + names.map { FieldSchema($0, .dateTime) }
            let entities = [long + "a", long + "b", "holdfast_store", "Note"].map {
                EntitySchema(
                    $0, fields: fields, indexes: names.map { IndexSchema($0, on: [$0], isUnique: true) })
            }
            let schema = TestSchema()
            let storageSchema = try StorageSchema(entities: entities)
            var store = try await Store.open(PostgreSQLAdapter(schema.configuration()), schema: storageSchema)
            let stamp = try FieldType.dateTime.canonical(.text("2024-05-06T01:02:03.450+02:00"))
            let row = [.text("1")] + names.map { _ in stamp }
            for entity in entities { try await store.put(entity.name, [row]) }
            #expect(try await store.verify() == [])
            try await store.close()
            store = try await Store.open(PostgreSQLAdapter(schema.configuration()), schema: storageSchema)
            for entity in entities {
                #expect(try await store.cells(QueryPlan(entity.name)) == [row])
                let other = try FieldType.dateTime.canonical(.text("2025-01-01T00:00:00Z"))
                for (index, name) in names.enumerated() {
                    var cells = [.text("2")] + names.map { _ in other }
                    cells[index + 1] = stamp
                    let error = await storageError { try await store.put(entity.name, [cells]) }
                    #expect(error?.kind == .uniqueViolation)
                    #expect(error?.message.contains("'\(name)'") == true)
                }
            }
            try await store.close()
        }

        @Test func keysOfTheDeclaredLimitFitAndLongerValuesOfAnIndexAreATypedError() async throws {
            let entity = EntitySchema(
                "Long", fields: [FieldSchema("id", .id), FieldSchema("text", .string)],
                indexes: [IndexSchema("byText", on: ["text"])])
            let store = try await TestSchema().open(entity)
            var random = SplitMix64(seed: 7)
            func text(_ count: Int) -> String {
                String(decoding: (0..<count).map { _ in UInt8(33 + random.next() % 90) }, as: UTF8.self)
            }
            let key = text(store.capabilities.limits.keyByteCount)
            try await store.put("Long", [[.text(key), .text(text(2_000))]])
            #expect(try await store.records([RecordKey(key)], of: "Long")[0].version > 0)
            let error = await storageError { try await store.put("Long", [[.text("a"), .text(text(9_000))]]) }
            #expect(error?.kind == .limitExceeded)
            #expect(error?.transaction == .rolledBack)
            #expect(error?.position == .operation(0))
            try await store.close()
        }

        @Test(arguments: [("a", "b"), ("a\u{D7FF}", "a\u{E000}"), ("a\u{10FFFF}", "b"), ("\u{10FFFF}", nil)])
        func aPrefixEndsWhereTheNextTextBegins(prefix: String, end: String?) async throws {
            let store = try await TestSchema().open(note)
            let texts = [prefix, prefix + "\u{10FFFF}", prefix + "x"] + (end.map { [$0] } ?? [])
            try await store.put("Note", texts.enumerated().map { noteRow("\($0)", $1) })
            let found = try await store.cells(QueryPlan("Note", where: .beginsWith("text", prefix)))
            #expect(found.count == 3)
            let others = try await store.cells(QueryPlan("Note", where: .not(.beginsWith("text", prefix))))
            #expect(others.count == (end == nil ? 0 : 1))
            try await store.close()
        }
    }
}
#endif
