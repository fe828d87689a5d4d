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
        """
        type Post @model { title: String @index(name: "byTitle") }
        type Query {
          summary(text: String): String
            @generation(aiModel: "m", systemPrompt: "p", inferenceConfiguration: { maxTokens: 5, topP: 0.5 })
        }
        type Mutation {
          ask(text: String): String
            @conversation(
              aiModel: "m", systemPrompt: "p", auth: { strategy: owner, provider: userPools },
              handler: { functionName: "f", eventVersion: "1.0" },
              tools: [{ name: "n", description: "d", modelName: "Post", modelOperation: list }])
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

    @Test func aSingleRuleIsAListOfOne() throws {
        let sources = ["{ allow: owner }", "[{ allow: owner }]"].map { rules in
            [Source("type Post @model @auth(rules: \(rules)) { title: String @auth(rules: \(rules)) }")]
        }
        let graphs = try sources.map { try GraphBuilder.graph(of: $0) }
        #expect(graphs[0].models[0].rules.map(\.allow) == ["owner"])
        #expect(graphs[0].models[0].rules == graphs[1].models[0].rules)
        #expect(graphs[0].models[0].field("title")?.rules == graphs[1].models[0].field("title")?.rules)
        #expect(try apiSchema(of: sources[0]).printed() == apiSchema(of: sources[1]).printed())
    }
}
