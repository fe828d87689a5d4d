import Testing

@testable import HoldfastStorage

@Suite struct JSONSyntaxTests {
    @Test(arguments: [
        "null", "true", "false", "0", "-0", "1", "-1", "10", "0.5", "-0.0", "1e5", "1E+5", "1.25e-10", "0e0",
        "123456789012345678901234567890", "\"\"", "\"a\"", "[]", "{}", "[ ]", "{ }", "[1]", "[1,2]", "[[],{}]",
        "{\"a\":1}", "{\"a\":{\"b\":[1,{\"c\":null}]}}", " \t\r\n null \t\r\n ", "{ \"a\" : [ 1 , 2 ] , \"b\" : 3 }",
        #""\u0000""#, #""\uD800""#, #""\udfff\uD800""#, #""\"\\\/\b\f\n\r\t\u00e9""#, "\"é\u{1F600}\u{2028}\u{7F}\"",
        #"{"":""}"#, #"{"a":1,"a":2}"#, "\"aaaaaaaaaaaaaaaaaaaaaaaa\"", #""aaaaaaa\naaaaaaaa\"aaaaaaaaa""#,
        "\"!!!!!!!!########[[[[[[[[\u{80}\u{80}\u{80}\u{80}\u{A0}\"", "[1,[2,[3,[4]]],5]",
    ])
    func jsonIsAccepted(text: String) {
        #expect(throws: Never.self) { try JSONSyntax.validate(text) }
    }

    @Test(
        arguments: [
            ("", 0), ("   ", 3), ("nul", 3), ("nulL", 3), ("nullx", 4), ("True", 0), ("01", 1), ("-01", 2), ("-", 1),
            ("+1", 0), (".5", 0), ("1.", 2), ("1.e5", 2), ("1e", 2), ("1e+", 3), ("0x10", 1), ("NaN", 0),
            ("Infinity", 0),
            ("-Infinity", 1), ("1 2", 2), ("[", 1), ("]", 0), ("{", 1), ("}", 0), ("[1", 2), ("[1,", 3), ("[1,]", 3),
            ("[,1]", 1), ("[1 2]", 3), ("[1}", 2), ("{\"a\":1]", 6), ("{\"a\"}", 4), ("{\"a\":}", 5), ("{\"a\":1,}", 7),
            ("{a:1}", 1), ("{1:1}", 1), ("{'a':1}", 1), ("{\"a\" 1}", 5), ("{,}", 1), ("[]]", 2), ("{}{}", 2),
            ("\"", 1),
            ("\"a", 2), ("'a'", 0), ("\"\\", 2), (#""\x""#, 2), (#""\U0041""#, 2), (#""\u12""#, 5), (#""\u12g4""#, 5),
            ("\"a\nb\"", 2), ("\"a\tb\"", 2), ("\"aaaaaaaaaaaaaaaa\u{1F}aaaaaaaaaa\"", 17), ("\"\0\"", 1), ("\0", 0),
            ("null\0", 4), ("\u{FEFF}null", 0), ("\u{A0}null", 0), ("[1] // no", 4), ("[1]/* no */", 3), ("\u{0B}1", 0),
            ("\"aaaaaaaaaaaaaaaa", 17), ("[\"a\",\"b]", 8),
        ] as [(String, Int)])
    func anythingElseIsRejectedAtItsByte(text: String, offset: Int) {
        let error = #expect(throws: InvalidScalar.self) { try JSONSyntax.validate(text) }
        #expect(error?.type == .json)
        #expect(error?.reason.contains(" at byte \(offset);") == true, "\(error?.reason ?? "")")
    }

    @Test(arguments: 0..<32)
    func controlCharactersAreFoundAtEveryPlace(index: Int) {
        for control in UInt8(0)..<0x20 {
            var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 34)
            bytes[0] = UInt8(ascii: "\"")
            bytes[33] = UInt8(ascii: "\"")
            bytes[1 + index] = control
            let fault = JSONSyntax.firstFault(in: String(decoding: bytes, as: UTF8.self))
            #expect(fault?.offset == 1 + index)
        }
    }

    @Test(arguments: 0..<32)
    func escapesAreFoundAtEveryPlace(index: Int) {
        let (before, after) = (String(repeating: "a", count: index), String(repeating: "b", count: 32 - index))
        #expect(JSONSyntax.firstFault(in: "\"\(before)\\x\(after)\"")?.offset == index + 2)
        #expect(JSONSyntax.firstFault(in: "\"\(before)\\\"\(after)\"") == nil)
        #expect(JSONSyntax.firstFault(in: "\"\(before)\"\(after)\"")?.offset == index + 2)
    }

    @Test(arguments: [0, 1, 2, 64, 65, 512, 1_000])
    func depthIsLimitedExactly(depth: Int) {
        let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let deeper =
            String(repeating: "{\"a\":[", count: depth / 2 + 1) + "1"
            + String(repeating: "]}", count: depth / 2 + 1)
        if depth > 0 { #expect(throws: Never.self) { try JSONSyntax.validate(nested, maximumDepth: depth) } }
        #expect(throws: InvalidScalar.self) { try JSONSyntax.validate("[\(nested)]", maximumDepth: depth) }
        #expect(throws: InvalidScalar.self) { try JSONSyntax.validate(deeper, maximumDepth: depth) }
    }

    @Test func defaultDepthIs512AndHostileNestingDoesNotRecurse() {
        let limit = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        #expect(throws: Never.self) { try JSONSyntax.validate(limit) }
        let error = #expect(throws: InvalidScalar.self) {
            try JSONSyntax.validate(String(repeating: "[", count: 1_000_000))
        }
        #expect(error?.reason.hasPrefix("more than 512 nested arrays and objects at byte 512") == true)
        let hostile = String(repeating: "[", count: 1_000_000) + String(repeating: "]", count: 1_000_000)
        #expect(throws: Never.self) { try JSONSyntax.validate(hostile, maximumDepth: .max) }
        #expect(throws: InvalidScalar.self) { try JSONSyntax.validate("[]", maximumDepth: -1) }
    }

    @Test func everyPrefixOfAnObjectIsRejected() {
        let text = Array(#"{"a":[1.5e3,"x\u00e9\n",true,null,{}],"b":{"c":-0}}"#.utf8)
        for count in 0..<text.count {
            #expect(JSONSyntax.firstFault(in: String(decoding: text[..<count], as: UTF8.self))?.offset == count)
        }
        #expect(JSONSyntax.firstFault(in: String(decoding: text, as: UTF8.self)) == nil)
    }
}
