import HoldfastGraphQL
import Testing

/// A document and the rules it breaks.
struct RuleCase: Sendable, CustomTestStringConvertible {
    let text: String
    let rules: [GraphQLRule]

    init(_ text: String, _ rules: GraphQLRule...) {
        self.text = text
        self.rules = rules
    }

    var testDescription: String { text }
}

@Suite struct DocumentRuleTests {
    private func check(_ example: RuleCase) throws {
        let problems = Fixture.pets.validate(try GraphQLDocument(parsing: example.text))
        #expect(problems.map(\.rule.rawValue) == example.rules.map(\.rawValue), "\(problems)")
        for problem in problems { #expect(problem.location != nil && problem.hint != nil, "\(problem)") }
    }

    @Test(arguments: [
        RuleCase("query A { dog { name } } query B { dog { name } }"),
        RuleCase("query A { dog { name } } mutation A { addPet(pet: {name: \"x\"}) { name } }", .uniqueOperationNames),
        RuleCase("{ dog { name } }"),
        RuleCase("{ dog { name } } query B { cat { name } }", .loneAnonymousOperation),
        RuleCase("{ dog { name } } { cat { name } }", .loneAnonymousOperation, .loneAnonymousOperation),
        RuleCase("{ dog { name } } type Extra { a: Int }", .executableDefinitions),
        RuleCase("{ dog { name } } extend type Dog { a: Int }", .executableDefinitions),
    ])
    func operationsAreNamed(example: RuleCase) throws { try check(example) }

    @Test func operationsNeedTheirRootType() throws {
        let schema = try GraphQLSchema(GraphQLDocument(parsing: "type Query { a: Int }"))
        let problems = schema.validate(try GraphQLDocument(parsing: "query A { a }\nmutation B { a }"))
        #expect(problems.map(\.rule) == [.operationTypes])
        #expect(
            problems.first?.description == "2:1: the schema has no root type for a mutation."
                + " Remove the operation, or give the schema such a type.")
    }

    @Test(arguments: [
        RuleCase("subscription { newMessage { body sender } }"),
        RuleCase("subscription { ...F } fragment F on Subscription { newMessage { body } }"),
        RuleCase("subscription { newMessage { body } disallowed }", .singleRootField),
        RuleCase(
            "subscription { ...F } fragment F on Subscription { newMessage { body } disallowed }", .singleRootField),
        RuleCase("subscription { ... { newMessage { body } disallowed } }", .singleRootField),
        RuleCase("subscription { __typename }", .singleRootField),
        RuleCase(
            "subscription($b: Boolean!) { newMessage @include(if: $b) { body } disallowed @skip(if: $b) }",
            .singleRootField, .singleRootField, .singleRootField),
        RuleCase("subscription { a: newMessage { body } a: newMessage { sender } }"),
    ])
    func subscriptionsHaveOneRootField(example: RuleCase) throws { try check(example) }

    @Test(arguments: [
        RuleCase("{ dog { ...F } } fragment F on Dog { meowVolume }", .fieldsOnCorrectType),
        RuleCase("{ dog { barkVolume: kawVolume } }", .fieldsOnCorrectType),
        RuleCase("{ pet { name } }"),
        RuleCase("{ pet { nickname barkVolume } }", .fieldsOnCorrectType),
        RuleCase("{ catOrDog { __typename ... on Pet { name } ... on Dog { barkVolume } } }"),
        RuleCase("{ catOrDog { name } }", .fieldsOnCorrectType),
        RuleCase(
            "{ __schema { types { name fields(includeDeprecated: true) { name } } } __type(name: \"Dog\") { kind } }"),
        RuleCase("{ dog { __schema { description } } }", .fieldsOnCorrectType),
        RuleCase("{ nothing { more { than { this } } } }", .fieldsOnCorrectType),
        RuleCase("{ dog { barkVolume } }"),
        RuleCase("{ dog { barkVolume { sinceWhen } } }", .leafSelections),
        RuleCase("{ dog }", .leafSelections),
        RuleCase("{ human pet catOrDog }", .leafSelections, .leafSelections, .leafSelections),
    ])
    func fieldsExistAndEndInLeaves(example: RuleCase) throws { try check(example) }

    @Test(arguments: [
        RuleCase("{ dog { name name } }"),
        RuleCase("{ dog { other: name other: name } }"),
        RuleCase("{ dog { name: nickname name } }", .fieldsCanBeMerged),
        RuleCase("{ dog { doesKnowCommand(dogCommand: SIT) doesKnowCommand(dogCommand: SIT) } }"),
        RuleCase(
            "query ($a: DogCommand!) { dog { doesKnowCommand(dogCommand: $a) doesKnowCommand(dogCommand: $a) } }"),
        RuleCase(
            "{ dog { doesKnowCommand(dogCommand: SIT) doesKnowCommand(dogCommand: HEEL) } }", .fieldsCanBeMerged),
        RuleCase(
            "query ($a: DogCommand!) { dog { doesKnowCommand(dogCommand: SIT) doesKnowCommand(dogCommand: $a) } }",
            .fieldsCanBeMerged),
        RuleCase("{ dog { isHouseTrained isHouseTrained(atOtherHomes: true) } }", .fieldsCanBeMerged),
        RuleCase("{ arguments { multipleRequirements(x: 1, y: 2) multipleRequirements(y: 2, x: 1) } }"),
        RuleCase(
            "{ findDog(searchBy: {name: \"a\", owner: \"b\"}) { name } findDog(searchBy: {owner: \"b\", name: \"a\"}) { name } }"
        ),
        RuleCase("{ pet { ... on Dog { volume: barkVolume } ... on Cat { volume: meowVolume } } }"),
        RuleCase(
            "{ pet { ... on Dog { doesKnowCommand(dogCommand: SIT) } ... on Cat { doesKnowCommand(catCommand: JUMP) } } }"
        ),
        RuleCase(
            "{ pet { ... on Dog { someValue: nickname } ... on Cat { someValue: meowVolume } } }", .fieldsCanBeMerged),
        RuleCase("{ pet { ... on Dog { extra } ... on Cat { extra } } }", .fieldsCanBeMerged),
        RuleCase("{ pet { ... on Pet { x: name } ... on Cat { x: nickname } } }", .fieldsCanBeMerged),
        RuleCase("{ dog { owner { name } } dog { owner { x: name } owner { x: __typename } } }", .fieldsCanBeMerged),
        RuleCase("{ a: dog { x: name } a: dog { ...F } } fragment F on Dog { x: nickname }", .fieldsCanBeMerged),
        RuleCase(
            "{ pet { ... on Dog { owner { x: name } } ... on Cat { owner { x: name } } } }"),
        RuleCase(
            "{ pet { ... on Dog { owner { x: name } } ... on Cat { owner { x: friends { name } } } } }",
            .fieldsCanBeMerged),
        RuleCase("{ pet { ... on Dog { o: owner { name } } ... on Cat { o: meowVolume } } }", .fieldsCanBeMerged),
    ])
    func fieldsWithOneResponseNameAreOneField(example: RuleCase) throws { try check(example) }

    @Test(arguments: [
        RuleCase("{ dog { doesKnowCommand(dogCommand: SIT) } }"),
        RuleCase("{ dog { doesKnowCommand(command: CLEAN_UP_HOUSE) } }", .requiredArguments, .knownArgumentNames),
        RuleCase("{ dog { name @include(unless: false) } }", .requiredArguments, .knownArgumentNames),
        RuleCase("{ dog { isHouseTrained(atOtherHomes: true, atOtherHomes: true) } }", .uniqueArgumentNames),
        RuleCase("{ arguments { multipleRequirements(y: 1) } }", .requiredArguments),
        RuleCase("{ arguments { optionalNonNullBooleanArgField } }"),
        RuleCase("{ arguments { nonNullBooleanArgField } }", .requiredArguments),
        RuleCase("{ arguments { nonNullBooleanArgField(nonNullBooleanArg: null) } }", .valuesOfCorrectType),
        RuleCase("{ __type { name } }", .requiredArguments),
    ])
    func argumentsAreKnownUniqueAndGiven(example: RuleCase) throws { try check(example) }

    @Test(arguments: [
        RuleCase("{ dog { ...F ... @include(if: true) { name } } } fragment F on Dog { nickname }"),
        RuleCase("{ dog { ...F } } fragment F on Dog { name } fragment F on Dog { nickname }", .uniqueFragmentNames),
        RuleCase("{ dog { ...F } } fragment F on Nope { name }", .knownTypeNames),
        RuleCase("{ dog { ... on Nope { name } } }", .knownTypeNames),
        RuleCase(
            "{ dog { ... on Boolean { x } ... on FindDogInput { x } } }", .fragmentsOnCompositeTypes,
            .fragmentsOnCompositeTypes),
        RuleCase("{ dog { name ...F } } fragment F on Int { x }", .fragmentsOnCompositeTypes),
        RuleCase("{ dog { name } } fragment Unused on Dog { name }", .unusedFragments),
        RuleCase("{ dog { ...Undefined } }", .knownFragmentNames),
        RuleCase(
            "{ dog { ...A } } fragment A on Dog { name ...B } fragment B on Dog { nickname ...A }", .fragmentCycles),
        RuleCase("{ dog { ...A } } fragment A on Dog { name ...A }", .fragmentCycles),
        RuleCase(
            "{ dog { ...A } } fragment A on Dog { owner { ...B } } fragment B on Human { pets { ...A } }",
            .fragmentCycles),
        RuleCase("{ dog { ... on Cat { name } } }", .possibleFragmentSpreads),
        RuleCase("{ dog { ... on Pet { name } ... on CatOrDog { __typename } } }"),
        RuleCase("{ pet { ... on DogOrHuman { ... on Dog { barkVolume } } } }"),
        RuleCase("{ pet { ... on Alien { name } } }", .possibleFragmentSpreads),
        RuleCase("{ human { ... on Sentient { ... on CatOrDog { __typename } } } }", .possibleFragmentSpreads),
        RuleCase("{ pet { ...S } } fragment S on Sentient { name }", .possibleFragmentSpreads),
        RuleCase("{ ... { dog { ... { name } } } }"),
    ])
    func fragmentsExistAndApply(example: RuleCase) throws { try check(example) }

    @Test(arguments: [
        RuleCase("{ dog { name @skip(if: true) @include(if: true) } }"),
        RuleCase("{ dog { name @nope } }", .knownDirectives),
        RuleCase("query @skip(if: false) { dog { name } }", .directiveLocations),
        RuleCase("query @once { dog { name @once } }"),
        RuleCase("{ dog { name @once @once } }", .uniqueDirectives),
        RuleCase("{ dog { name @many(n: 1) @many(n: 2) ... @many(n: 3) { nickname } } }"),
        RuleCase("query ($a: Int @once) { arguments { intArgField(intArg: $a) } }"),
        RuleCase("query ($a: Int @many(n: 1)) { arguments { intArgField(intArg: $a) } }", .directiveLocations),
    ])
    func directivesAreKnownAndInPlace(example: RuleCase) throws { try check(example) }

    @Test(arguments: [
        RuleCase(
            "query ($a: DogCommand, $a: DogCommand) { dog { x: doesKnowCommand(dogCommand: SIT) } }",
            .unusedVariables, .uniqueVariableNames),
        RuleCase("query ($a: Cat) { dog { name @include(if: $a) } }", .variablesAreInputTypes),
        RuleCase("query ($a: [[Nope!]!]) { dog { name @include(if: $a) } }", .knownTypeNames),
        RuleCase("query A($a: Boolean!) { dog { name @include(if: $a) } }"),
        RuleCase("query A { dog { isHouseTrained(atOtherHomes: $nope) } }", .undefinedVariables),
        RuleCase(
            "query A { dog { ...F } } fragment F on Dog { isHouseTrained(atOtherHomes: $nope) }", .undefinedVariables),
        RuleCase(
            "query A($b: Boolean) { dog { ...F } } query B { dog { ...F } }"
                + " fragment F on Dog { isHouseTrained(atOtherHomes: $b) }", .undefinedVariables),
        RuleCase(
            "query A($b: Boolean) { dog { ...F } } fragment F on Dog { ...G }"
                + " fragment G on Dog { isHouseTrained(atOtherHomes: $b) }"),
        RuleCase("query A($b: Boolean) { dog { name } }", .unusedVariables),
        RuleCase("query A($b: Boolean) { anything(value: {x: [$b]}) }"),
        RuleCase("query A { anything(value: {x: [$b]}) }", .undefinedVariables),
    ])
    func variablesAreDeclaredAndUsed(example: RuleCase) throws { try check(example) }

    @Test(arguments: [
        RuleCase("query ($a: Boolean) { arguments { booleanArgField(booleanArg: $a) } }"),
        RuleCase("query ($a: Int) { arguments { booleanArgField(booleanArg: $a) } }", .variablePositions),
        RuleCase("query ($a: [Boolean]) { arguments { booleanArgField(booleanArg: $a) } }", .variablePositions),
        RuleCase(
            "query ($a: Boolean) { arguments { nonNullBooleanArgField(nonNullBooleanArg: $a) } }", .variablePositions),
        RuleCase("query ($a: Boolean = true) { arguments { nonNullBooleanArgField(nonNullBooleanArg: $a) } }"),
        RuleCase(
            "query ($a: Boolean = null) { arguments { nonNullBooleanArgField(nonNullBooleanArg: $a) } }",
            .variablePositions),
        RuleCase("query ($a: Boolean) { arguments { optionalNonNullBooleanArgField(optionalBooleanArg: $a) } }"),
        RuleCase(
            "query ($a: [Boolean!]) { arguments { booleanListArgField(booleanListArg: $a) } }", .variablePositions),
        RuleCase("query ($a: [Boolean!]!) { arguments { booleanListArgField(booleanListArg: $a) } }"),
        RuleCase("query ($a: Boolean) { booleanList(list: [$a]) }", .variablePositions),
        RuleCase("query ($a: Int!) { arguments { floatArgField(floatArg: $a) } }", .variablePositions),
        RuleCase("query ($a: String!) { pick(by: {cat: $a}) { name } }"),
        RuleCase("query ($a: String) { pick(by: {cat: $a}) { name } }", .variablePositions),
        RuleCase("query ($a: String) { anything(nested: {owner: $a}) }", .variablePositions),
        RuleCase("query ($a: Boolean) { anything(nested: {owner: \"x\", flag: $a}) }"),
    ])
    func variablesFitWhereTheyStand(example: RuleCase) throws { try check(example) }
}
