import HoldfastGraphQL
import Testing

/// Inputs that only mean to waste time or stack; each test ends at once or the suite hangs.
@Suite struct HostileInputTests {
    private func validate(_ text: String) throws -> [GraphQLProblem] {
        Fixture.pets.validate(try GraphQLDocument(parsing: text))
    }

    @Test(arguments: ["{ a ", "{ a(b: [", "{ a(b: {c: ", "query ($a: [", "{ ... "])
    func deepNestingIsALimit(unit: String) {
        let inner = String(unit.drop { $0 == "{" || $0 == " " })
        let text =
            unit.hasPrefix("query")
            ? "query ($a: " + String(repeating: "[", count: 100_000)
            : unit.contains("(")
                ? "{ a(b: " + String(repeating: String(unit.suffix(unit.hasSuffix("[") ? 1 : 4)), count: 100_000)
                : String(repeating: "{ " + inner, count: 100_000)
        let error = #expect(throws: GraphQLSyntaxError.self) { try GraphQLDocument(parsing: text) }
        #expect(error?.kind == .limit)
    }

    @Test func sizeAndTokensAreLimits() {
        var options = ParseOptions(limits: SyntaxLimits(byteCount: 10))
        #expect(throws: GraphQLSyntaxError.self) { try GraphQLDocument(parsing: "{ aaaaaaaaaaaa }", options: options) }
        options = ParseOptions(limits: SyntaxLimits(tokenCount: 4))
        let error = #expect(throws: GraphQLSyntaxError.self) {
            try GraphQLDocument(parsing: "{ a b c }", options: options)
        }
        #expect(error?.kind == .limit && error?.location.column == 9)
        options = ParseOptions(limits: .request)
        let name = String(repeating: "n", count: 256)
        #expect(throws: Never.self) { try GraphQLDocument(parsing: "{ \(name) }", options: options) }
        let longName = #expect(throws: GraphQLSyntaxError.self) {
            try GraphQLDocument(parsing: "{ a \(name)n: b }", options: options)
        }
        #expect(longName?.kind == .limit && longName?.location.column == 5)
    }

    @Test func allLevelsOfNestingUpToTheLimitWork() throws {
        let levels = SyntaxLimits().nesting
        let text = String(repeating: "{ pet ", count: levels) + String(repeating: "}", count: levels)
        let document = try GraphQLDocument(parsing: text)
        #expect(try GraphQLDocument(parsing: document.printed()).definitions.count == 1)
        #expect(!Fixture.pets.validate(document).isEmpty)
    }

    @Test func manyAliasesAreChecked() throws {
        #expect(try validate("{" + (0..<20_000).map { "a\($0): dog { name }" }.joined() + "}") == [])
        #expect(try validate("{ dog {" + String(repeating: "name ", count: 50_000) + "} }") == [])
    }

    @Test func problemsAreCut() throws {
        let problems = try validate("{ dog { " + (0..<5000).map { "f\($0) " }.joined() + "} }")
        #expect(problems.count == 101)
        #expect(problems.last?.rule == .limits)
    }

    @Test func hintsAreLeftOutOnDemand() throws {
        let document = try GraphQLDocument(parsing: "{ dog { barkVolumee } cat(a: 1) { name @skp } ...F }")
        let problems = Fixture.pets.validate(document)
        let plain = Fixture.pets.validate(document, limits: ValidationLimits(givesHints: false))
        #expect(problems.count > 2)
        #expect(problems.allSatisfy { $0.hint != nil })
        #expect(plain.allSatisfy { $0.hint == nil })
        #expect(plain.map(\.message) == problems.map(\.message))
        let cut = Fixture.pets.validate(document, limits: ValidationLimits(problemCount: 1, givesHints: false))
        #expect(cut.map(\.hint) == [nil, nil])
    }

    @Test func fragmentsThatDoubleAtEachLevelAreChecked() throws {
        let bomb = (0..<500).map {
            "fragment f\($0) on Human { a: friends { ...f\($0 + 1) } b: friends { ...f\($0 + 1) } }"
        }
        #expect(try validate("{ human { ...f0 } } " + bomb.joined() + " fragment f500 on Human { name }") == [])
    }

    @Test func longChainsOfFragmentsNeedNoStack() throws {
        let chain = (0..<20_000).map { "fragment f\($0) on Dog { ...f\($0 + 1) }" }.joined()
        #expect(try validate("{ dog { ...f0 } } " + chain + " fragment f20000 on Dog { name }") == [])
        let nested = (0..<20_000).map { "fragment f\($0) on Human { friends { ...f\($0 + 1) } }" }.joined()
        #expect(try validate("{ human { ...f0 } } " + nested + " fragment f20000 on Human { name }") == [])
        let loop = try validate("{ dog { ...f0 } } " + chain + " fragment f20000 on Dog { ...f0 }")
        #expect(loop.map(\.rule) == [.fragmentCycles])
    }

    @Test func tooComplexDocumentsAreRefused() throws {
        let text =
            "{ human { ...f0 } }"
            + (0..<24).map {
                "fragment f\($0) on Human { a: friends { ...f\($0 + 1) \($0 == 0 ? "" : "...f0") } b: friends { ...f\($0 + 1) } }"
            }.joined() + "fragment f24 on Human { name }"
        let problems = Fixture.pets.validate(
            try GraphQLDocument(parsing: text), limits: ValidationLimits(stepCount: 100_000))
        #expect(Set(problems.map(\.rule)) == [.fragmentCycles, .limits])
    }

    /// A field that is in many sets of fields is compared in each of them, but its arguments are read once.
    @Test func largeArgumentsAreComparedOnce() throws {
        let values = String(repeating: "1 ", count: 2_000)
        let uses = (0..<600).map { "a\($0): arguments { ...F x\($0): booleanArgField }" }.joined(separator: " ")
        func document(_ names: [String]) throws -> GraphQLDocument {
            let fields = names.map { "\($0): intListArgField(list: [[\(values)]])" }.joined(separator: " ")
            return try GraphQLDocument(parsing: "{ \(uses) } fragment F on Arguments { \(fields) }")
        }
        let (same, different) = (try document(["c", "c"]), try document(["c", "d"]))
        let clock = ContinuousClock()
        let expected = clock.measure { #expect(Fixture.pets.validate(different) == []) }
        let duration = clock.measure { #expect(Fixture.pets.validate(same) == []) }
        #expect(duration < expected * 5 + .seconds(2))
    }

    @Test func longChainsOfInputTypesNeedNoStack() throws {
        let text = (0..<5000).map { "input I\($0) { a: I\(($0 + 1) % 5000)! }" }.joined() + " type Query { a: Int }"
        let problems = GraphQLSchema.problems(in: try GraphQLDocument(parsing: text))
        #expect(problems.map(\.rule) == [.inputObjectCycles])
    }
}
