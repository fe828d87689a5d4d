import HoldfastGraphQL
import Testing

@Suite struct ValueRuleTests {
    private func problems(_ field: String) throws -> [GraphQLProblem] {
        Fixture.pets.validate(try GraphQLDocument(parsing: "{ arguments { \(field) } }"))
    }

    @Test(arguments: [
        "intArgField(intArg: 2147483647)", "intArgField(intArg: -2147483648)", "intArgField(intArg: null)",
        "floatArgField(floatArg: 1)", "floatArgField(floatArg: 1.5e10)", "stringArgField(stringArg: \"x\")",
        "idArgField(idArg: 1)", "idArgField(idArg: \"1\")", "booleanArgField(booleanArg: true)",
        "enumArgField(command: SIT)", "booleanListArgField(booleanListArg: [true, null])",
        "booleanListArgField(booleanListArg: true)", "intListArgField(list: 1)", "intListArgField(list: [[1], null])",
        "intListArgField(list: [1, 2])",
    ])
    func valuesThatFitAreAccepted(field: String) throws {
        #expect(try problems(field) == [])
    }

    @Test(arguments: [
        "intArgField(intArg: 2147483648)", "intArgField(intArg: 1.0)", "intArgField(intArg: \"1\")",
        "intArgField(intArg: [1])", "intArgField(intArg: {a: 1})", "intArgField(intArg: true)",
        "floatArgField(floatArg: 1e999)", "floatArgField(floatArg: \"1\")", "stringArgField(stringArg: 1)",
        "stringArgField(stringArg: BARE)", "idArgField(idArg: 1.0)", "idArgField(idArg: true)",
        "booleanArgField(booleanArg: 1)", "booleanArgField(booleanArg: \"true\")", "enumArgField(command: \"SIT\")",
        "enumArgField(command: STAND)", "enumArgField(command: 1)", "enumArgField(command: true)",
        "booleanListArgField(booleanListArg: [1])", "booleanListArgField(booleanListArg: null)",
        "intListArgField(list: [[[1]]])",
    ])
    func valuesThatDoNotFitAreProblems(field: String) throws {
        let problems = try problems(field)
        #expect(problems.map(\.rule) == [.valuesOfCorrectType])
        #expect(problems.allSatisfy { $0.hint != nil })
    }

    @Test(arguments: [
        RuleCase("{ findDog(searchBy: {name: \"Fido\"}) { name } }"),
        RuleCase("{ findDog(searchBy: {}) { name } }"),
        RuleCase("{ findDog(searchBy: \"Fido\") { name } }", .valuesOfCorrectType),
        RuleCase("{ findDog(searchBy: {favoriteCookieFlavor: \"Bacon\"}) { name } }", .knownInputFieldNames),
        RuleCase("{ findDog(searchBy: {name: \"a\", name: \"b\"}) { name } }", .uniqueInputFieldNames),
        RuleCase(
            "{ arguments { intArgField(other: {a: [{b: 1, b: 2}]}) } }", .knownArgumentNames, .uniqueInputFieldNames),
        RuleCase("mutation { addPet(pet: {name: \"a\", inner: {}}) { name } }", .requiredInputFields),
        RuleCase(
            "mutation { addPet(pet: {name: null, age: \"x\"}) { name } }", .valuesOfCorrectType, .valuesOfCorrectType),
        RuleCase("mutation { addPets(pets: {name: \"a\"}) { name } }"),
        RuleCase("{ pick(by: {cat: \"a\"}, list: [{dog: 1}, {cat: \"b\"}]) { name } }"),
        RuleCase("{ pick(by: {}) { name } }", .oneOfInputObjects),
        RuleCase("{ pick(by: {cat: \"a\", dog: 1}) { name } }", .oneOfInputObjects),
        RuleCase("{ pick(by: {cat: null}) { name } }", .oneOfInputObjects),
        RuleCase("{ pick(list: [{dog: \"x\"}, {}]) { name } }", .valuesOfCorrectType, .oneOfInputObjects),
        RuleCase("query ($a: FindDogInput = {nme: 1}) { findDog(searchBy: $a) { name } }", .knownInputFieldNames),
        RuleCase("query ($a: Int = \"1\") { arguments { intArgField(intArg: $a) } }", .valuesOfCorrectType),
    ])
    func inputObjectsAreComplete(example: RuleCase) throws {
        let problems = Fixture.pets.validate(try GraphQLDocument(parsing: example.text))
        #expect(problems.map(\.rule) == example.rules, "\(problems)")
        #expect(problems.allSatisfy { $0.hint != nil })
    }

    @Test func valuesOfCustomScalarsNameTheirFieldsOnce() throws {
        let schema = try GraphQLSchema(GraphQLDocument(parsing: "scalar JSON type Query { f(json: JSON): Int }"))
        #expect(schema.validate(try GraphQLDocument(parsing: "{ f(json: {a: 1, b: {a: 2}}) }")) == [])
        let problems = schema.validate(try GraphQLDocument(parsing: "{ f(json: [{a: 1, a: 2}]) }"))
        #expect(problems.map(\.rule) == [.uniqueInputFieldNames])
    }

    @Test func messagesNameTheProblemAndTheWayOut() throws {
        let text = """
            query Q($naem: String) {
              dog { nmae barkVolumee }
              pet { meowVolume }
              findDog(searchBi: {name: $name}) @skp(if: true) { name }
              arguments { enumArgField(command: SITT) intArgField(intArg: "3") }
            }
            """
        let problems = Fixture.pets.validate(try GraphQLDocument(parsing: text))
        #expect(
            problems.map(\.description) == [
                "1:9: the variable \"$naem\" of the operation \"Q\" is not used. Remove it.",
                "2:9: the type \"Dog\" has no field \"nmae\". Did you mean \"name\"?",
                "2:14: the type \"Dog\" has no field \"barkVolumee\". Did you mean \"barkVolume\"?",
                "3:9: the type \"Pet\" has no field \"meowVolume\". \"Cat\" has it; select it in"
                    + " \"... on Cat { meowVolume }\".",
                "4:11: the field \"Query.findDog\" has no argument \"searchBi\". Did you mean \"searchBy\"?",
                "4:28: the operation \"Q\" declares no variable \"$name\". Did you mean \"$naem\"?",
                "4:36: the directive \"@skp\" does not exist. Did you mean \"@skip\"?",
                "5:37: the enum \"DogCommand\" has no value \"SITT\". Did you mean \"SIT\"?",
                "5:63: \"3\" is not a value of type \"Int\". Write 3 without quotation marks.",
            ])
    }
}
