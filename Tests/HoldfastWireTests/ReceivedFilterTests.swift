import HoldfastStorage
import HoldfastWire
import Testing

@Suite struct ReceivedFilterTests {
    private let types: [String: FieldType] = [
        "id": .id, "t": .string, "n": .int, "f": .float, "b": .boolean, "d": .date, "w": .dateTime,
        "l": .list(of: .string, elementsAreRequired: false), "e": .enumeration("E"),
    ]

    private func read(_ json: String, _ dialect: FilterDialect = .query) throws -> ReceivedFilter {
        try ReceivedFilter(try JSONValue(parsing: bytes(json)), in: dialect) { types[$0] }
    }

    @Test(
        arguments: [
            ("null", .all), ("{}", .all), (#"{"t":null,"and":null}"#, .all),
            (#"{"t":{"eq":"a"}}"#, .compare("t", .equal, .text("a"))),
            (
                #"{"t":{"ge":"a","lt":"b"}}"#,
                .and([.compare("t", .greaterOrEqual, .text("a")), .compare("t", .less, .text("b"))])
            ),
            (
                #"{"n":{"eq":"42"},"f":{"gt":1}}"#,
                .and([.compare("n", .equal, .integer(42)), .compare("f", .greater, .double(1))])
            ),
            (#"{"id":{"eq":7}}"#, .compare("id", .equal, .text("7"))),
            (#"{"id":{"eq":null}}"#, .compare("id", .equal, .null)), (#"{"n":{"lt":null}}"#, .constant(false)),
            (#"{"n":{"between":[1,2]}}"#, .between("n", .integer(1), .integer(2))),
            (#"{"l":{"contains":"a"}}"#, .contains("l", .text("a"))),
            (#"{"t":{"notContains":"a"}}"#, .and([.not(.contains("t", .text("a"))), .compare("t", .notEqual, .null)])),
            (#"{"t":{"attributeExists":false}}"#, .compare("t", .equal, .null)),
            (
                #"{"or":[{"b":{"eq":true}},{"not":{"e":{"ne":"A"}}}]}"#,
                .or([.compare("b", .equal, .boolean(true)), .compare("e", .equal, .text("A"))])
            ),
            (#"{"and":{"t":{"eq":"a"}}}"#, .compare("t", .equal, .text("a"))),
            (#"{"d":{"beginsWith":"2024-02-29"}}"#, .compare("d", .equal, .date(CalendarDate(daysSinceEpoch: 19_782)))),
        ] as [(String, Predicate)])
    func filterIsReadAsPredicate(json: String, predicate: Predicate) throws {
        let filter = try read(json)
        #expect(filter.predicate == predicate)
        #expect(filter.residual == nil)
    }

    @Test func workedExampleOfTheGuide() throws {
        let filter = try ReceivedFilter(
            try JSONValue(
                parsing: bytes(
                    #"{"a":{"le":50,"ge":20},"and":[{"t":{"ne":"x"}},{"d":{"gt":2000}}],"or":[{"u":{"eq":"A"}},{"p":{"eq":false}}]}"#
                )),
            in: .subscription
        ) { ["a": .int, "t": .string, "d": .int, "u": .string, "p": .boolean][$0] }
        #expect(
            filter.predicate
                == .and([
                    .or([.compare("a", .lessOrEqual, .integer(50)), .compare("a", .greaterOrEqual, .integer(20))]),
                    .compare("t", .notEqual, .text("x")), .compare("d", .greater, .integer(2000)),
                    .or([.compare("u", .equal, .text("A")), .compare("p", .equal, .boolean(false))]),
                ]))
    }

    @Test(
        arguments: [
            (#"{"t":{"size":{"ge":2},"beginsWith":"a"}}"#, .text("ab"), true),
            (#"{"t":{"size":{"ge":2}}}"#, .text("a"), false),
            (#"{"t":{"size":{"between":[1,2]}}}"#, .text("\u{E9}"), true), (#"{"t":{"size":{"ge":0}}}"#, .null, false),
            (#"{"t":{"attributeType":"_null"}}"#, .null, true), (#"{"t":{"attributeType":"string"}}"#, .text(""), true),
            (#"{"not":{"t":{"size":{"ge":2}}}}"#, .text("a"), true),
            (#"{"or":[{"t":{"size":{"ge":9}}},{"t":{"eq":"a"}}]}"#, .text("a"), true),
            (#"{"or":[{"t":{"size":{"ge":9}}},{"t":{"eq":"b"}}]}"#, .text("a"), false),
        ] as [(String, Value, Bool)])
    func whatNoPredicateSaysIsDecidedByRow(json: String, value: Value, isTrue: Bool) throws {
        let filter = try read(json)
        let schema = try StorageSchema(entities: [
            EntitySchema("E", fields: [FieldSchema("id", .id), FieldSchema("t", .string)])
        ])
        func matches(_ predicate: Predicate) -> Bool {
            guard let bound = try? schema.bind(QueryPlan("E", where: predicate)).predicate else { return false }
            return bound.matches([.text("k"), value])
        }
        let residual = try #require(filter.residual)
        #expect(residual.matches(value: { _ in value }, predicate: matches) == isTrue)
        // The store never leaves out what the filter wants.
        if isTrue { #expect(matches(filter.predicate)) }
    }

    @Test(arguments: [
        (#"{"w":{"ge":"2024-03"}}"#, "2024-03-01T00:00:00Z", true),
        (#"{"w":{"lt":"2024-03"}}"#, "2024-03-01T00:00:00Z", false),
        (#"{"w":{"beginsWith":"2024"}}"#, "2024-03-01T00:00:00Z", true),
        (#"{"w":{"contains":"T12"}}"#, "2024-03-01T00:00:00Z", false),
    ])
    func partsOfDatesAreComparedAsText(json: String, date: String, isTrue: Bool) throws {
        let residual = try #require(try read(json).residual)
        let value = Value.timestamp(try Timestamp(parsing: date))
        #expect(residual.matches(value: { _ in value }, predicate: { _ in true }) == isTrue)
    }

    @Test(arguments: [
        ("[]", "a value other than a filter object"), (#"{"x":{"eq":1}}"#, "x: a field that the model does not have"),
        (#"{"and":[{"t":{}},{"t":{"like":"a"}}]}"#, "and[1].t.like: an operator that is not known"),
        (#"{"n":{"eq":"secret"}}"#, "n.eq: text that is not a number"),
        (#"{"n":[]}"#, "n: a value other than an object of operators"),
        (#"{"n":{"between":[1]}}"#, "n.between: other than two bounds"),
        (
            #"{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{}}}}}}}}}}}}}}}}}}"#,
            "not.not.not.not.not.not.not.not.not.not.not.not.not.not.not.not: a filter that is nested too deep"
        ),
    ])
    func brokenFilterNamesItsPlace(json: String, message: String) {
        let error = #expect(throws: WireError.self) { try read(json) }
        #expect(error?.description == message)
    }

    /// What the client sends is what the server reads.
    @Test(
        arguments: [
            .compare("reader", .equal, .text("a")), .not(.contains("id", .text("x"))),
            .between("score", .double(1), .double(2)),
            .not(.beginsWith("reader", "a")), .compare("day", .less, .date(CalendarDate(daysSinceEpoch: 5))),
            .compare("day", .notEqual, .date(CalendarDate(daysSinceEpoch: 5))),
            .or([.compare("count", .equal, .integer(1)), .compare("reader", .equal, .null)]),
        ] as [Predicate])
    func sentFilterIsReadBack(predicate: Predicate) throws {
        let model = WireFixtures.model("Secret")
        let sent = model.filter(for: predicate, in: .query)
        #expect(sent.residual == nil)
        let columns = Dictionary(uniqueKeysWithValues: model.columns.map { ($0.wireName, $0.type) })
        let received = try ReceivedFilter(sent.json ?? nil) { columns[$0] }
        #expect(received.residual == nil)
        let schema = try StorageSchema(entities: [
            EntitySchema("Secret", fields: model.columns.map { FieldSchema($0.name, $0.type) }, primaryKey: ["id"])
        ])
        let expected = try schema.bind(QueryPlan("Secret", where: predicate)).predicate
        let actual = try schema.bind(QueryPlan("Secret", where: received.predicate)).predicate
        for reader in [Value.null, .text("a"), .text("b")] {
            for (count, day) in [
                (Value.null, Value.null), (.integer(1), .date(CalendarDate(daysSinceEpoch: 5))),
                (.integer(2), .date(CalendarDate(daysSinceEpoch: 4))),
            ] {
                let values: [String: Value] = [
                    "id": .text("x"), "reader": reader, "count": count, "day": day, "score": .double(1.5),
                ]
                let row = model.columns.map { values[$0.name] ?? .null }
                #expect(expected.matches(row) == actual.matches(row))
            }
        }
    }
}
