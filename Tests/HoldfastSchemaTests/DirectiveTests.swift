import HoldfastGraphQL
import HoldfastSchema
import Testing

/// Directives that are checked, and change nothing here.
@Suite struct DirectiveTests {
    private static let plain = #"type Post @model { title: String @index(name: "byTitle") }"#

    @Test(arguments: [
        #"type Post @model @refersTo(name: "posts") { title: String @index(name: "byTitle") @refersTo(name: "t") }"#,
        #"type Post @model { title: String @index(name: "byTitle", projection: { type: KEYS_ONLY }) }"#,
        """
        type Post @model {
          title: String
            @index(name: "byTitle", projection: { type: INCLUDE, nonKeyAttributes: ["title"] })
            @function(name: "f", invocationType: Event)
            @function(name: "g", invocationType: RequestResponse)
        }
        """,
    ])
    func theAPIIsTheSame(schema: String) throws {
        let plain = try apiSchema(of: [Source(Self.plain)])
        #expect(try apiSchema(of: [Source(schema)]).printed() == plain.printed())
    }

    @Test(arguments: [
        (#"title: String @function(name: "f", invocationType: Evnt)"#, "\"Evnt\""),
        (#"title: String @index(name: "byTitle", projection: { type: SOME })"#, "\"SOME\""),
    ])
    func otherValuesAreProblems(field: String, says: String) throws {
        let error = #expect(throws: SchemaError.self) { try apiSchema(of: [Source("type Post @model { \(field) }")]) }
        #expect(error?.problems.first?.message.contains(says) == true, "\(error?.problems ?? [])")
    }
}
