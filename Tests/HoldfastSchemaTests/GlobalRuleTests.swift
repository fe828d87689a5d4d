import HoldfastGraphQL
import HoldfastSchema
import Testing

/// The rule of `input AMPLIFY`, which is that of all models without rules of their own.
@Suite struct GlobalRuleTests {
    private static let input = "input AMPLIFY { globalAuthRule: AuthRule = { allow: public } } # FOR TESTING ONLY!"
    private static let models = """

        type Post @model { title: String tags: [Tag] @manyToMany(relationName: "PostTags") }
        type Tag @model { posts: [Post] @manyToMany(relationName: "PostTags") }
        type Note @model @auth(rules: [{ allow: owner }]) { text: String }
        type Draft @model { text: String @auth(rules: [{ allow: owner }]) }
        type Page @model { text: String }
        extend type Page @auth(rules: [{ allow: private }])
        """

    private static func rules(_ sources: [String]) throws -> [String: Set<String>] {
        let sources = sources.enumerated().map { Source($0.element, index: UInt32($0.offset)) }
        let schema = try ServiceSchema(of: sources)
        let rules = schema.models.map { ($0.name, Set($0.access.rules.map { "\($0.allow) \($0.mode)" })) }
        return Dictionary(uniqueKeysWithValues: rules)
    }

    @Test(arguments: [
        [input + models],
        ["input AMPLIFY {\n  engine: String = \"mysql\"\n  globalAuthRule: AuthRule = {allow: public}\n}" + models],
        [models, input],
    ])
    func modelsWithoutRulesHaveTheGlobalOne(sources: [String]) throws {
        let expected: [String: Set<String>] = [
            "Post": ["public apiKey"], "Tag": ["public apiKey"], "PostTags": ["public apiKey"],
            "Note": ["owner userPools"], "Draft": [], "Page": ["private userPools"],
        ]
        #expect(try Self.rules(sources) == expected)
    }

    @Test func withoutAGlobalRuleModelsWithoutRulesAreClosed() throws {
        let source = "input AMPLIFY { engine: String = \"mysql\" } type Post @model { title: String }"
        #expect(try Self.rules([source]) == ["Post": []])
    }

    @Test func theAPIHasTheGlobalRuleAndNotTheInput() throws {
        let api = try apiSchema(of: [Source(Self.input + Self.models)], defaultMode: .userPools).printed()
        #expect(api.contains("type Post @aws_api_key {"))
        #expect(!api.contains("AMPLIFY") && !api.contains("AuthRule"))
    }

    @Test func anAuthorCanHaveATypeOfTheSameName() throws {
        let api = try apiSchema(of: [
            Source(Self.input + "\ntype Post @model { rule: AuthRule } type AuthRule { name: String }")
        ])
        #expect(api.printed().contains("type AuthRule"))
    }

    @Test(
        arguments: [
            ("input AMPLIFY { globalAuthRule: AuthRule }", "1:17", "has no rule as its value"),
            ("input AMPLIFY { globalAuthRule: AuthRule = \"public\" }", "1:17", "has no rule as its value"),
            ("input AMPLIFY { globalAuthRule: AuthRule = { allow: pubic } }", "1:53", "\"pubic\""),
            (
                "input AMPLIFY { globalAuthRule: AuthRule = { allow: public, provider: oidc } }", "1:71",
                "the provider \"oidc\""
            ),
        ])
    func aRuleThatMeansNothingIsReportedOnce(input: String, location: String, says: String) throws {
        let source = Source(input + "\ntype Post @model { title: String }\ntype Tag @model { name: String }")
        let error = #expect(throws: SchemaError.self) { try apiSchema(of: [source]) }
        let problems = try #require(error?.problems)
        #expect(problems.count == 1, "\(problems)")
        #expect(problems[0].location.description == location, "\(problems[0])")
        #expect(problems[0].message.contains(says), "\(problems[0])")
    }
}
