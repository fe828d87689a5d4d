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
    ])
    func whatOnlySwiftCannotHaveIsServed(schema: String) throws {
        let service = try ServiceSchema(of: [Source(schema)])
        #expect(try apiSchema(of: [Source(schema)]).printed() == service.document.printed())
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
}
