import HoldfastGraphQL
import HoldfastSchema
import Testing

/// What a service accepts although no Swift code can be made from it, and what it refuses.
@Suite struct ServedSchemaTests {
    @Test(arguments: [
        "type Temporal @model { x: Int }",
        "type A @model { self: Int Type: String }",
        "type A @model { p: Self } type Self { Protocol: Int }",
        "type A @model { p: P } type P { _version: Int _deleted: Boolean _lastChangedAt: AWSTimestamp _ttl: AWSTimestamp }",
        "type A @model { b: B! @hasOne } type B @model { a: A! @belongsTo }",
        "type A @model { a: A! @hasOne }",
        """
        type A @model { code: ID! b: [B] @hasMany(indexName: "byA", fields: ["code"]) }
        type B @model { aCode: ID @index(name: "byA") }
        """,
        """
        type A @model { code: ID! b: [B] @hasMany(indexName: "byA", fields: ["code"]) }
        type B @model { aCode: ID @index(name: "byA") aId: ID a: A @belongsTo(fields: ["aId"]) }
        """,
    ])
    func whatOnlySwiftCannotHaveIsServed(schema: String) throws {
        let service = try ServiceSchema(of: [Source(schema)])
        #expect(try apiSchema(of: [Source(schema)]).printed() == service.document.printed())
    }

    /// The children hold what the list compares, which is not the key of their parent.
    @Test(arguments: [
        "type A @model { code: ID! b: [B] @hasMany(indexName: \"byA\", fields: [\"code\"]) }",
        """
        type A @model { k: ID! @primaryKey(sortKeyFields: ["n"]) n: Int! b: [B] @hasMany(indexName: "byA", fields: ["k"]) }
        """,
    ])
    func theOtherSideOfAListByOtherFieldsNamesItsFields(parent: String) throws {
        let schema = "\(parent)\ntype B @model { aKey: ID @index(name: \"byA\") a: A @belongsTo }"
        let error = #expect(throws: SchemaError.self) { try apiSchema(of: [Source(schema)]) }
        let problems = try #require(error?.problems)
        #expect(problems.map(\.location.description) == ["2:46"], "\(problems)")
        #expect(problems[0].message.contains("not looked up by the key of \"A\""), "\(problems[0])")
    }

    @Test(arguments: [
        ("type Mutation @model { x: Int }", "1:6"),
        ("type A @model { _deleted: Boolean }", "1:17"),
        ("type A @model { _ttl: AWSTimestamp }", "1:17"),
    ])
    func namesOfTheServiceAreRefused(schema: String, location: String) throws {
        let error = #expect(throws: SchemaError.self) { try apiSchema(of: [Source(schema)]) }
        let problems = try #require(error?.problems)
        #expect(problems.map(\.location.description) == [location], "\(problems)")
        #expect(problems[0].message.contains("reserved word"), "\(problems[0])")
    }

    @Test(arguments: [
        ("type Person @model { x: Int }\ntype People @model { x: Int }", "2:6", "\"listPeople\""),
        ("type Post @model { x: Int }\ntype post @model { x: Int }", "2:6", "\"ModelPostConnection\""),
        ("type Post @model { x: Int }\nenum ModelPostFilterInput { X }", "1:6", "\"ModelPostFilterInput\""),
        (
            """
            type Post @model {
              x: Int @index(name: "byX", queryField: "find")
              y: Int @index(name: "byY", queryField: "find")
            }
            """, "1:6", "\"find\""
        ),
        ("type Post @model {\n  or: Int\n}", "2:3", "\"or\""),
        ("type Post @model {\n  and: Int\n}", "2:3", "\"and\""),
        ("type Post @model {\n  not: Int\n}", "2:3", "\"not\""),
        (
            #"type Post @model(subscriptions: { onCreate: ["onChange"], onUpdate: ["onChange"] }) { x: Int }"#, "1:6",
            "\"onChange\""
        ),
    ])
    func namesThatMeetInTheAPIAreRefused(schema: String, location: String, name: String) throws {
        let sources = [Source(schema, name: "api.graphql")]
        let errors = [
            #expect(throws: SchemaError.self) { try apiSchema(of: sources) },
            #expect(throws: SchemaError.self) { try ServiceSchema(of: sources) },
        ]
        for error in errors {
            let problems = try #require(error?.problems)
            let problem = try #require(problems.first { $0.message.contains(name) }, "\(problems)")
            #expect(problems.count == 1, "\(problems)")
            #expect(problem.location.description == location)
            #expect(problem.source == "api.graphql")
            #expect(problem.message.hasPrefix("in the API, there is a second "))
        }
    }

    @Test func aServiceHasQueries() throws {
        let sources = [Source("type Post @model(queries: null) { x: Int }")]
        #expect(try !apiSchema(of: sources).definitions.isEmpty)
        let error = #expect(throws: SchemaError.self) { try ServiceSchema(of: sources) }
        #expect(error?.problems.map(\.message) == ["in the API, the schema has no query root type"])
    }
}
