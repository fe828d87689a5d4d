import Testing

@testable import HoldfastStorage

@Suite struct EmbeddedPathTests {
    static func values(_ members: [String], as type: FieldType, in cell: Value) -> [Value] {
        let path = EmbeddedPath(position: 1, members: members, type: type)
        return [.null, cell].withUnsafeBufferPointer(path.values)
    }

    @Test(
        arguments: [
            (#"{"a":"x"}"#, .string, .text("x")),
            (#" { "b" : [ "a" , {"a":1} ] , "a" : "\u0041\n\"\\\/é" } "#, .string, .text("A\n\"\\/é")),
            (#"{"a":"\ud83c\udf0a \ud83c"}"#, .string, .text("🌊 \u{FFFD}")),
            (#"{"\u0061":"x","a":"y"}"#, .string, .text("x")),
            (#"{"a":12}"#, .int, .integer(12)), (#"{"a":1e2}"#, .int, .integer(100)),
            (#"{"a":1.5}"#, .int, .null), (#"{"a":99999999999999999999}"#, .int, .null),
            (#"{"a":-0.0}"#, .float, .double(0)), (#"{"a":3}"#, .float, .double(3)),
            (#"{"a":true}"#, .boolean, .boolean(true)), (#"{"a":null}"#, .boolean, .null),
            (#"{"a":"2026-01-02"}"#, .date, .date(CalendarDate(daysSinceEpoch: 20_455))),
            (#"{"a":"no day"}"#, .date, .null), (#"{"a":1}"#, .string, .null), (#"{"a":"1"}"#, .int, .null),
            (#"{"a":{"b":1}}"#, .embedded("T"), .text(#"{"b":1}"#)), (#"{"a":"{}"}"#, .embedded("T"), .null),
            (#"{"a":{}}"#, .string, .null),
            (#"{"a":[1,null,2.5]}"#, .list(of: .int, elementsAreRequired: false), .list([.integer(1), .null, .null])),
            (#"{"a":[1,null]}"#, .list(of: .int, elementsAreRequired: true), .null),
            (#"{"a":"\u0000"}"#, .string, .null), (#"{}"#, .string, .null), (#"{"b":{"a":"x"}}"#, .string, .null),
        ] as [(String, FieldType, Value)])
    func aMemberIsReadAsItsType(json: String, type: FieldType, value: Value) {
        #expect(Self.values(["a"], as: type, in: .text(json)) == [value])
    }

    @Test(
        arguments: [
            (#"{"a":{"b":"x"}}"#, [.text("x")]), (#"{"a":{"c":[{"b":"y"}],"b":"x"}}"#, [.text("x")]),
            (#"{"a":null}"#, [.null]), (#"{"a":3}"#, [.null]), (#"{"a":[]}"#, []), (#"{}"#, [.null]),
            (
                #"{"a":[{"b":"x"},null,{"b":null},{},{"b":"y"},[{"b":"z"}]],"b":"q"}"#,
                [.text("x"), .null, .null, .null, .text("y"), .text("z")]
            ),
        ] as [(String, [Value])])
    func aPathLeadsThroughObjectsAndLists(json: String, values: [Value]) {
        #expect(Self.values(["a", "b"], as: .string, in: .text(json)) == values)
    }

    @Test func aListCellHasOneValueForEachElement() {
        let cell = Value.list([.text(#"{"a":1}"#), .null, .text("{}")])
        #expect(Self.values(["a"], as: .int, in: cell) == [.integer(1), .null, .null])
        #expect(Self.values(["a"], as: .int, in: .list([])) == [])
        #expect(Self.values(["a"], as: .int, in: .null) == [.null])
    }

    @Test func textThatIsNotJSONEndsTheReading() {
        let json = #"{"b":[1,{"a":"\u00"}],"a":{"c":[tru"#
        for length in 0...json.utf8.count {
            let cut = String(decoding: json.utf8.prefix(length), as: UTF8.self)
            for members in [["a"], ["b", "a"], ["a", "c"]] {
                let values = Self.values(members, as: .string, in: .text(cut))
                #expect(values.filter { !$0.isNull }.isEmpty)
            }
        }
    }

    @Test func thePredicateIsTwoValued() throws {
        func truth(_ cell: Value, _ predicate: Predicate, throughList: Bool = false) throws -> Bool {
            let path = EmbeddedPath(position: 0, members: ["a"], type: .int, leadsThroughList: throughList)
            let bound = try EmbeddedPredicate(path, of: "T", called: "f.a", predicate)
            return [cell].withUnsafeBufferPointer(bound.matches)
        }
        let cells: [Value] = [.null, .text("{}"), .text(#"{"a":1}"#), .text(#"{"a":2}"#), .text(#"{"a":"x"}"#)]
        let two = Predicate.compare("f.a", .greater, .double(1.5))
        #expect(try cells.map { try truth($0, two) } == [false, false, false, true, false])
        #expect(try cells.map { try truth($0, .not(two)) } == [true, true, true, false, true])
        let isNull = Predicate.compare("f.a", .equal, .null)
        #expect(try cells.map { try truth($0, isNull) } == [true, true, false, false, true])
        let list = Value.list([.text(#"{"a":1}"#), .text(#"{"a":2}"#)])
        #expect(try truth(list, two) && truth(list, .not(two)))
        #expect(try !truth(.list([]), two) && !truth(.list([]), .not(two)))
    }

    @Test func anOperandThatTheTypeCannotHoldNamesThePath() {
        let path = EmbeddedPath(position: 0, members: ["a"], type: .int)
        let error = #expect(throws: StorageError.self) {
            try EmbeddedPredicate(path, of: "T", called: "f.a", .compare("f.a", .equal, .text("x")))
        }
        #expect(error?.kind == .unrepresentable && error?.message.contains("'T.f.a'") ?? false)
    }
}
