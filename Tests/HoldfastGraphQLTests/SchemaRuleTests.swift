import HoldfastGraphQL
import Testing

@Suite struct SchemaRuleTests {
    /// Checks a text to which a query root is added.
    private func check(_ example: RuleCase) throws {
        let text = example.text.contains("Query") ? example.text : example.text + " type Query { q: Int }"
        let problems = GraphQLSchema.problems(in: try GraphQLDocument(parsing: text))
        #expect(problems.map(\.rule.rawValue) == example.rules.map(\.rawValue), "\(problems)")
        for problem in problems { #expect(problem.hint != nil, "\(problem)") }
    }

    @Test(arguments: [
        RuleCase("schema { query: R } type R { a: Int }  # Query"),
        RuleCase(
            "schema { query: R } schema { query: R } type R { a: Int } # Query", .loneSchemaDefinition, .rootTypes),
        RuleCase("type R { a: Int } # Query", .rootTypes),
        RuleCase("schema { mutation: R } type R { a: Int } # Query", .rootTypes),
        RuleCase("schema { query: R, mutation: R } type R { a: Int } # Query", .rootTypes),
        RuleCase("schema { query: Rr } type Rt { a: Int } # Query", .knownTypeNames),
        RuleCase("schema { query: R } interface R { a: Int } # Query", .rootTypes),
        RuleCase("type Query { a: Int } input Mutation { a: Int }", .rootTypes),
        RuleCase("type Query { a: Int } extend schema { mutation: M } type M { a: Int }"),
        RuleCase("type Query { a: Int } query { a }", .executableDefinitions),
    ])
    func rootsAreObjects(example: RuleCase) throws { try check(example) }

    @Test(arguments: [
        RuleCase("type A { a: Int } scalar A", .uniqueTypeNames),
        RuleCase("directive @a on FIELD directive @a on QUERY", .uniqueDirectiveNames),
        RuleCase("type A { a: Int, a: String }", .uniqueFieldNames),
        RuleCase("type A { a: Int } extend type A { a: Int }", .uniqueFieldNames),
        RuleCase("input A { a: Int, a: Int }", .uniqueFieldNames),
        RuleCase("enum A { B B }", .uniqueEnumValueNames),
        RuleCase("type A { a(b: Int, b: Int): Int }", .uniqueArgumentDefinitionNames),
        RuleCase("directive @a(b: Int, b: Int) on FIELD", .uniqueArgumentDefinitionNames),
        RuleCase("type __A { a: Int }", .reservedNames),
        RuleCase(
            "type A { __a(__b: Int): Int } enum E { __C } input I { __d: Int } directive @__e on FIELD",
            .reservedNames, .reservedNames, .reservedNames, .reservedNames, .reservedNames),
        RuleCase(
            "type A enum B union C input D interface E",
            .emptyTypes, .emptyTypes, .emptyTypes, .emptyTypes, .emptyTypes),
        RuleCase("type A extend type A { a: Int }"),
        RuleCase("extend type A { a: Int }", .possibleTypeExtensions),
        RuleCase("scalar A extend type A { a: Int }", .possibleTypeExtensions),
        RuleCase("scalar Int directive @skip(if: Boolean!) on FIELD"),
        RuleCase("type Int { a: String }", .reservedNames),
        RuleCase("enum Boolean { YES NO }", .reservedNames),
        RuleCase(
            "interface I { a: Int } type A implements I { a: Int } extend type A implements I",
            .interfaceImplementations),
        RuleCase("type A { a: Int } union U = A extend union U = A", .unionMembers),
        RuleCase("enum E { B } extend enum E { B }", .uniqueEnumValueNames),
        RuleCase("input I { a: Int } extend input I { a: Int }", .uniqueFieldNames),
        RuleCase("interface I { a: Int } extend interface I { a: Int }", .uniqueFieldNames),
        RuleCase("scalar S @specifiedBy(url: \"u\") extend scalar S @specifiedBy(url: \"v\")", .uniqueDirectives),
    ])
    func namesAreUniqueAndNotReserved(example: RuleCase) throws { try check(example) }

    @Test(arguments: [
        RuleCase("type A { a: Nope }", .knownTypeNames),
        RuleCase(
            "type A { a(b: [Nope!]!): Int } union U = Nope input I { a: Nope }",
            .knownTypeNames, .knownTypeNames, .knownTypeNames),
        RuleCase("type A implements Nope { a: Int }", .knownTypeNames),
        RuleCase("type A { a: I } input I { a: Int }", .typePositions),
        RuleCase(
            "type A { a(b: A): Int } input I { a: A } directive @d(a: A) on FIELD",
            .typePositions, .typePositions, .typePositions),
        RuleCase("union U = A | A type A { a: Int }", .unionMembers),
        RuleCase("union U = U | Int", .unionMembers, .unionMembers),
        RuleCase(
            "type A { a(b: Int = \"x\"): Int } input I { a: [Int!] = [null], b: E = C } enum E { D }",
            .valuesOfCorrectType, .valuesOfCorrectType, .valuesOfCorrectType),
        RuleCase("directive @d(a: Int! = 1) on OBJECT type A @d { a: Int }"),
        RuleCase(
            "input I { a: Int! @deprecated, b: Int! = 1 @deprecated } type A { a(b: Int! @deprecated): Int }",
            .requiredDeprecations, .requiredDeprecations),
        RuleCase("input I @oneOf { a: Int, b: String }"),
        RuleCase("input I @oneOf { a: Int!, b: String = \"x\" }", .oneOfInputObjects, .oneOfInputObjects),
    ])
    func referencesFitTheirPlaces(example: RuleCase) throws { try check(example) }

    @Test(arguments: [
        RuleCase("interface I { a: Int } type A implements I { a: Int! }"),
        RuleCase("interface I { a: J } interface J { b: Int } type A implements I & J { a: A, b: Int }"),
        RuleCase("interface I { a: [U] } union U = A type A implements I { a: [A!]! }"),
        RuleCase("interface I { a: Int! } type A implements I { a: Int }", .interfaceImplementations),
        RuleCase("interface I { a: Int } type A implements I { b: Int }", .interfaceImplementations),
        RuleCase("interface I { a(b: Int): Int } type A implements I { a(b: Int, c: Int, d: Int! = 1): Int }"),
        RuleCase("interface I { a(b: Int): Int } type A implements I { a: Int }", .interfaceImplementations),
        RuleCase("interface I { a(b: Int): Int } type A implements I { a(b: Int!): Int }", .interfaceImplementations),
        RuleCase("interface I { a: Int } type A implements I { a(b: Int!): Int }", .interfaceImplementations),
        RuleCase("interface I { a: Int } type A implements I & I { a: Int }", .interfaceImplementations),
        RuleCase("type B { a: Int } type A implements B { a: Int }", .interfaceImplementations),
        RuleCase("interface I implements I { a: Int }", .interfaceImplementations),
        RuleCase(
            "interface I implements J { a: Int } interface J implements I { a: Int }",
            .interfaceImplementations, .interfaceImplementations),
        RuleCase(
            "interface I { a: Int } interface J implements I { a: Int } type A implements J { a: Int }",
            .interfaceImplementations),
        RuleCase("interface I { a: Int } type A implements I { a: Int @deprecated }", .interfaceImplementations),
    ])
    func typesImplementTheirInterfaces(example: RuleCase) throws { try check(example) }

    @Test(arguments: [
        RuleCase("input A { a: A, b: [A!]!, c: A }"),
        RuleCase("input A { a: A! }", .inputObjectCycles),
        RuleCase("input A { b: B! } input B { c: C! } input C { a: A! }", .inputObjectCycles),
        RuleCase("input A { a: A = {} }", .inputObjectCycles),
        RuleCase("input A { a: A = {a: null} }"),
        RuleCase("input A { b: B = {} } input B { a: [A] = [{}] }", .inputObjectCycles),
        RuleCase("directive @a(x: Int @a) on ARGUMENT_DEFINITION", .directiveCycles),
        RuleCase(
            "directive @a(x: Int @b) on ARGUMENT_DEFINITION directive @b(x: Int @a) on ARGUMENT_DEFINITION",
            .directiveCycles),
        RuleCase("directive @a(x: I) on INPUT_FIELD_DEFINITION input I { y: Int @a }", .directiveCycles),
        RuleCase("directive @a(x: E) on ENUM_VALUE enum E { B @a }", .directiveCycles),
        RuleCase("directive @a(x: I) on INPUT_FIELD_DEFINITION input I { i: I }"),
    ])
    func nothingNeedsItself(example: RuleCase) throws { try check(example) }

    @Test(arguments: [
        RuleCase("type A @nope { a: Int }", .knownDirectives),
        RuleCase("type A @skip(if: true) { a: Int }", .directiveLocations),
        RuleCase("directive @d on OBJECT type A @d @d { a: Int }", .uniqueDirectives),
        RuleCase("directive @d on OBJECT type A @d { a: Int } extend type A @d", .uniqueDirectives),
        RuleCase("directive @d repeatable on OBJECT type A @d @d { a: Int }"),
        RuleCase("directive @d(x: Int!) on OBJECT type A @d { a: Int }", .requiredArguments),
        RuleCase(
            "directive @d(x: Int!) on OBJECT type A @d(x: 1, x: \"a\", y: 2) { a: Int }",
            .uniqueArgumentNames, .valuesOfCorrectType, .knownArgumentNames),
        RuleCase("type A { a: Int @deprecated(reason: null) }", .valuesOfCorrectType),
        RuleCase("scalar S @specifiedBy", .requiredArguments),
    ])
    func directivesAreAppliedAsDefined(example: RuleCase) throws { try check(example) }

    @Test func allProblemsAreReportedInOrderWithSuggestions() throws {
        let text = "type Query {\n  a: Sting\n  a: Int\n  b: Book\n}\ntype Boook @depricated { id: ID! }\n"
        let error = #expect(throws: GraphQLValidationError.self) {
            try GraphQLSchema(GraphQLDocument(parsing: text))
        }
        #expect(
            error?.description == """
                2:6: the type "Sting" does not exist. Did you mean "String" or "Int"?
                3:3: there is a second field "a". Rename or remove one of them; the first is at 2:3.
                4:6: the type "Book" does not exist. Did you mean "Boook"?
                6:12: the directive "@depricated" does not exist. Did you mean "@deprecated"?
                """)
    }

    @Test func lookupsFindWhatIsDefined() {
        let schema = Fixture.pets
        #expect(schema.rootType(.query)?.name == "Query")
        #expect(schema.type("Pet")?.possibleTypeNames == ["Dog", "Cat"])
        #expect(schema.type("DogOrHuman")?.possibleTypeNames == ["Dog", "Human"])
        #expect(schema.type("Dog")?.field("barkVolume")?.type.description == "Int")
        #expect(schema.type("PetPick")?.isOneOf == true)
        #expect(schema.type("PetPick")?.inputField("cat") != nil)
        #expect(schema.type("DogCommand")?.hasValue("SIT") == true)
        #expect(schema.directive("include")?.arguments.count == 1)
        #expect(schema.isSubtype("Dog", of: "Pet") && !schema.isSubtype("Alien", of: "Pet"))
        #expect(schema.type("Int")?.isBuiltIn == true && schema.type("Nope") == nil)
    }
}
