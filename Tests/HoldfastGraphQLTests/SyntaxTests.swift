import HoldfastGraphQL
import Testing

@Suite struct SyntaxTests {
    private static let plain = ParseOptions(keepsLocations: false)

    private func value(_ text: String) throws -> GraphQLValue.Content {
        try GraphQLValue(parsing: text, options: Self.plain).content
    }

    @Test(arguments: [
        (#""""#, ""), (#""simple""#, "simple"), (#"" white space ""#, " white space "), (#""quote \"""#, "quote \""),
        (#""escapes \\ \/ \b \f \n \r \t""#, "escapes \\ / \u{8} \u{C} \n \r \t"), (#""é😀""#, "é😀"),
        (#""\u00e9\u1234""#, "é\u{1234}"), (#""\u{61}\u{1F600}\u{000061}\u{10FFFF}""#, "a😀a\u{10FFFF}"),
        (#""\uD83D\uDE00""#, "😀"), (##""# no comment""##, "# no comment"), ("\"tab\there\"", "tab\there"),
        (#""\\""#, "\\"), (#""\\\"""#, "\\\""),
    ])
    func stringsHaveTheirValue(text: String, expected: String) throws {
        #expect(try value(text) == .string(expected))
    }

    @Test(arguments: [
        (#""""""""#, ""), ("\"\"\"simple\"\"\"", "simple"), ("\"\"\" two\nlines \"\"\"", " two\nlines "),
        (
            "\"\"\"\n    Hello,\n      World!\n\n    Yours,\n      GraphQL.\n  \"\"\"",
            "Hello,\n  World!\n\nYours,\n  GraphQL."
        ),
        ("\"\"\"contains \" quote\"\"\"", "contains \" quote"), ("\"\"\"a \\\"\"\" b\"\"\"", "a \"\"\" b"),
        ("\"\"\"unescaped \\n\\u0041\\/\"\"\"", "unescaped \\n\\u0041\\/"),
        ("\"\"\"a\r\nb\rc\nd\"\"\"", "a\nb\nc\nd"), ("\"\"\"\n\n \t\n  x\n \n\"\"\"", "x"),
        ("\"\"\"\n\tx\n\t  y\"\"\"", "x\n  y"),
        ("\"\"\"  first\n    second\n   third\"\"\"", "  first\n second\nthird"),
        ("\"\"\"\n   \n\"\"\"", ""), ("\"\"\"\\\"\"\"\"\"\"", "\"\"\""),
    ])
    func blockStringsLoseTheirIndentation(text: String, expected: String) throws {
        #expect(try value(text) == .string(expected))
    }

    @Test(arguments: ["0", "-0", "4", "-4", "9007199254740993", "1234567890123456789012345678901234567890"])
    func integersKeepTheirDigits(text: String) throws {
        #expect(try value(text) == .int(text))
    }

    @Test(arguments: ["4.123", "-4.123", "0.0", "123e4", "123E4", "123e-4", "123e+4", "-1.123E4567"])
    func numbersKeepTheirDigits(text: String) throws {
        #expect(try value(text) == .float(text))
    }

    @Test(arguments: [
        "00", "01", "+1", "1.", "1.e1", ".5", "1.a", "-", "-a", "1e", "1e+", "0xF1", "0b1", "1a", "1_000", "1.5a",
        "1.0.0",
        "123.4.5", "1e5.5", "1é",
    ])
    func otherNumbersAreRejected(text: String) {
        #expect(throws: GraphQLSyntaxError.self) { try value(text) }
    }

    @Test(arguments: [
        "\"", "\"no end", "\"two\nlines\"", "\"two\rlines\"", #""\x""#, #""\u123""#, #""\u{}""#, #""\u{110000}""#,
        #""\u{D800}""#,
        #""\uD800""#, #""\uDC00""#, #""\uD800\uD800""#, #""\u{12""#, #""\uZZZZ""#, "\"\"\"no end", "\"\"\"x\\\"\"\"",
        #""\"#,
        #""\u{FFFFFFFFFFFFFFFF}""#, "'single'",
    ])
    func otherStringsAreRejected(text: String) {
        #expect(throws: GraphQLSyntaxError.self) { try value(text) }
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22],
            [0x23, 0xE2, 0x82], [0x80], [0x7B, 0x61, 0x7D, 0xF0, 0x9F, 0x98],
        ] as [[UInt8]])
    func bytesThatAreNotUTF8AreRejected(bytes: [UInt8]) {
        let error = #expect(throws: GraphQLSyntaxError.self) { try GraphQLDocument(parsing: Source(bytes: bytes)) }
        #expect(error?.kind == .encoding)
    }

    @Test func whatHasNoMeaningIsSkipped() throws {
        let expected = try GraphQLDocument(parsing: "{a b}", options: Self.plain)
        for text in ["\u{FEFF}{a,b}", ",,{,a,,b,},", "{\ta\r\nb # x\r}", "# é\n{a\u{FEFF} b}#", "{a#c\nb}"] {
            #expect(try GraphQLDocument(parsing: text, options: Self.plain) == expected, "\(text)")
        }
    }

    @Test func locationsCountLinesAndScalars() throws {
        let text = "\u{FEFF}# é\r\nquery Q {\r\t a(x: \"é😀\") b\n\"\" : }"
        let error = #expect(throws: GraphQLSyntaxError.self) { try GraphQLDocument(parsing: text) }
        #expect(error?.location.line == 4 && error?.location.column == 1)
        let document = try GraphQLDocument(parsing: Source(text.replacing("\"\" :", with: ""), index: 7))
        guard case .operation(let query) = document.definitions[0] else { return #expect(Bool(false)) }
        #expect(query.location == Location(line: 2, column: 1, offset: 9, source: 7))
        #expect(query.selections.map(\.location.description) == ["3:3", "3:14"])
    }

    @Test(arguments: [
        (
            "",
            "1:1: the end of the text is not allowed here; expected a definition."
                + " A document contains at least one definition."
        ),
        ("{", "1:2: the end of the text is not allowed here; expected \"}\". What is not closed was opened at 1:1."),
        ("{ }", "1:3: \"}\" is not allowed here; expected a field or a fragment. Remove the empty braces."),
        ("quer { a }", "1:1: the name \"quer\" is not allowed here; expected a definition. Did you mean \"query\"?"),
        ("{ a(x: ) }", "1:8: \")\" is not allowed here; expected a value"),
        (
            "query ($a: Int = $b) { a }",
            "1:18: \"$\" is not allowed here; expected a constant value. Variables are not allowed here."
        ),
        (
            "type A { b Int }",
            "1:12: the name \"Int\" is not allowed here; expected \":\". A field is written \"name: Type\"."
        ),
        (
            "type A implements B, C { b: Int }",
            "1:22: the name \"C\" is not allowed here; expected \"&\", directives or fields."
                + " Write \"&\" between interfaces."
        ),
        ("{ a; }", "1:4: \";\" has no meaning here. GraphQL needs no semicolons."),
        ("{ a(b: 'c') }", "1:8: \"'\" has no meaning here. Put strings between double quotation marks."),
        (
            "\"x\" extend type A { b: C }",
            "1:1: an extension has no description; expected \"extend\"."
                + " Describe the definition that is extended, or write a comment."
        ),
        (
            "directive @a on FIELDS",
            "1:17: the name \"FIELDS\" is not allowed here; expected a place for directives such as"
                + " FIELD_DEFINITION. Did you mean \"FIELD\"?"
        ),
        (
            "enum E { true }",
            "1:10: the name \"true\" is not allowed here; expected the name of a value."
                + " An enum cannot have the values true, false and null."
        ),
        (
            "fragment on on A { b }",
            "1:10: the name \"on\" is not allowed here; expected the name of a fragment."
                + " No fragment can have the name \"on\"."
        ),
        (
            "{ a(b: 01) }",
            "1:9: a digit follows a leading zero; expected \".\", \"e\" or the end of the number. Remove the zero."
        ),
        ("{ a } \u{0}", "1:7: U+0000 has no meaning here"),
    ])
    func errorsSayWhatIsExpected(text: String, message: String) {
        let error = #expect(throws: GraphQLSyntaxError.self) { try GraphQLDocument(parsing: text) }
        #expect(error?.description == message)
    }

    @Test(arguments: [
        "{ a } }", "{ ...on }", "{ ... on }", "{ a: }", "{ a() }", "query ($a) { a }", "query ($a: [Int) { a }",
        "{ a @ }",
        "fragment F { a }", "fragment F($a: Int) on A { a }", "extend type A", "extend scalar A", "extend union A",
        "extend schema", "schema { }", "type A { }", "enum E { }", "union U = ", "input I { }", "type A { b: C = 1 }",
        "schema { other: A }", "directive a on FIELD", "directive @a FIELD", "\"x\" { a }", "{ a(b: $) }",
        "{ a(b: [1) }",
        "{ a(b: {c 1}) }", "subscription", "type", "1", "\"only a string\"", "interface A implements { b: C }",
        "{ a . b }",
    ])
    func otherTextsAreRejected(text: String) {
        #expect(throws: GraphQLSyntaxError.self) { try GraphQLDocument(parsing: text) }
    }

    @Test(arguments: ["A", "A!", "[A]", "[A!]!", "[[A]!]", "[[[A!]!]!]!"])
    func typesPrintAsTheyAreWritten(text: String) throws {
        let type = try TypeReference(parsing: text)
        #expect(type.description == text)
        #expect(type.isNonNull == text.hasSuffix("!"))
        #expect(type.isList == text.hasPrefix("["))
        #expect(type.nonNull.nullable == type.nullable)
        if let element = type.element { #expect(type.isNonNull ? element.list.nonNull == type : element.list == type) }
    }

    @Test func excerptsPointAtTheColumn() {
        let source = Source("{\n\té b c\n}", name: "x.graphql")
        #expect(source.excerpt(at: Location(line: 2, column: 4, offset: 6)) == "\té b c\n\t  ^")
        #expect(source.excerpt(at: .none) == "")
    }
}
