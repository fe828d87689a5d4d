import HoldfastWire
import Testing

@Suite struct JSONReaderTests {
    @Test(
        arguments: [
            ("null", WireValue.null),
            (" true ", true),
            ("-70", -70),
            ("9223372036854775807", 9_223_372_036_854_775_807),
            ("\"a\\u00e9\\n\\ud83d\\ude00\\/\"", "a\u{E9}\n\u{1F600}/"),
            ("[1,[],{}]", [1, [], [:]]),
            ("{\"b\":1,\"a\":{\"c\":null}}", ["b": 1, "a": ["c": nil]]),
            ("\"\u{E9}\u{1F600}\"", "\u{E9}\u{1F600}"),
        ] as [(String, WireValue)])
    func textIsReadAsValue(text: String, value: WireValue) throws {
        #expect(try WireValue(parsing: Array(text.utf8)) == value)
    }

    @Test(
        arguments: [
            ("", WireError.Kind.syntax, 0),
            ("[1,]", .syntax, 3),
            ("{\"a\" 1}", .syntax, 5),
            ("01", .syntax, 1),
            ("1 2", .syntax, 2),
            ("\"a", .syntax, 2),
            ("\"\\x\"", .syntax, 2),
            ("[[[[[1]]]]]", .limit, 4),
            ("[1,2,3,4,5,6,7,8]", .limit, 15),
        ] as [(String, WireError.Kind, Int)])
    func brokenTextNamesItsByte(text: String, kind: WireError.Kind, offset: Int) {
        let error = #expect(throws: WireError.self) {
            try WireValue(parsing: Array(text.utf8), limits: JSONLimits(bytes: 64, depth: 4, values: 8))
        }
        #expect(error?.kind == kind)
        #expect(error?.offset == offset)
    }

    @Test func bytesBeyondLimitAreNotRead() {
        let error = #expect(throws: WireError.self) {
            try WireValue(parsing: Array("[1,2,3]".utf8), limits: JSONLimits(bytes: 6))
        }
        #expect(error?.kind == .limit)
    }

    @Test(
        arguments: [
            ([0x22, 0xC3, 0x28, 0x22], 1), ([0x22, 0x61, 0xED, 0xA0, 0x80, 0x22], 2), ([0x22, 0xC0, 0x80], 1),
        ] as [([UInt8], Int)])
    func bytesThatAreNotUTF8AreRefused(bytes: [UInt8], offset: Int) {
        let error = #expect(throws: WireError.self) { try WireValue(parsing: bytes) }
        #expect(error?.kind == .syntax)
        #expect(error?.offset == offset)
    }

    @Test(arguments: ["\"\\ud83d\"", "\"\\ud83dx\"", "\"\\ude00\\ud83d\"", "\"\\ud83d\\u0041\""])
    func halfSurrogatePairIsRefused(text: String) {
        let error = #expect(throws: WireError.self) { try WireValue(parsing: Array(text.utf8)) }
        #expect(error?.kind == .mismatch)
    }

    @Test(arguments: [2, 15, 16, 17, 40])
    func secondMemberOfNameIsRefused(count: Int) {
        let names = (0..<count).map { "\"m\($0)\":1" } + ["\"m\(count / 2)\":2"]
        let text = "[{" + names.joined(separator: ",") + "}]"
        let error = #expect(throws: WireError.self) { try WireValue(parsing: Array(text.utf8)) }
        #expect(error?.path == "[0].m\(count / 2)")
    }

    @Test func errorNamesPathAndNotValue() {
        let text = Array(#"{"data":{"items":[{"n":1},{"n":"secret"}],"my secret":[true]}}"#.utf8)
        func fail(at body: (inout JSONReader, String) throws(WireError) -> Void) -> WireError? {
            #expect(throws: WireError.self) {
                try JSONReader.read(text) { (reader) throws(WireError) in
                    try reader.object { (reader, _) throws(WireError) in try reader.object(body) }
                }
            }
        }
        let number = fail { (reader, name) throws(WireError) in
            guard name == "items" else { return }
            try reader.array { (reader, _) throws(WireError) in
                try reader.object { (reader, _) throws(WireError) in _ = try reader.number() }
            }
        }
        #expect(number?.description == "data.items[1].n: a string where a number is expected")
        let boolean = fail { (reader, name) throws(WireError) in
            if name != "items" { try reader.array { (reader, _) throws(WireError) in _ = try reader.string() } }
        }
        #expect(boolean?.description == "data.?[0]: a boolean where a string is expected")
    }

    @Test func unreadValuesAreSkipped() throws {
        let text = #" { "a" : [ {"x":"]}"} , "\"" ] , "b" : 7 , "c":[1, 2 ,3] } "#
        var found: [String] = []
        let last = try JSONReader.read(text) { (reader) throws(WireError) in
            var last: JSONNumber?
            try reader.object { (reader, name) throws(WireError) in
                found.append(name)
                if name == "c" {
                    try reader.array { (reader, index) throws(WireError) in
                        if index == 2 { last = try reader.number() }
                    }
                }
            }
            return last
        }
        #expect(found == ["a", "b", "c"])
        #expect(last?.integer == 3)
    }

    @Test(
        arguments: [
            ("1", 1, 1), ("1.0", 1, 1), ("1e2", 100, 100), ("1.5", nil, 1.5), ("9223372036854775808", nil, 0x1p63),
            ("1e999", nil, nil), ("-0.0", 0, -0.0), ("9007199254740993", 9_007_199_254_740_993, 9_007_199_254_740_992),
        ] as [(String, Int64?, Double?)])
    func numberKeepsItsText(text: String, integer: Int64?, double: Double?) throws {
        let number = try #require(try WireValue(parsing: Array(text.utf8)).number)
        #expect(number.text == text)
        #expect(number.integer == integer)
        #expect(number.double == double)
    }

    @Test func namesAreDistinguishedByTheirBytes() throws {
        let value = try WireValue(parsing: Array("{\"\u{E9}\":1,\"e\u{301}\":2}".utf8))
        #expect(value["\u{E9}"] == 1)
        #expect(value["e\u{301}"] == 2)
    }
}
