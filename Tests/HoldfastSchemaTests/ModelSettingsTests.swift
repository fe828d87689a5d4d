import HoldfastGraphQL
import HoldfastSchema
import Testing

/// What the arguments of `@model` change in the API.
@Suite struct ModelSettingsTests {
    private func fields(_ arguments: String) throws -> [String: Set<String>] {
        let api = try apiSchema(of: [Source("type Post @model\(arguments) { title: String }")])
        var result: [String: Set<String>] = [:]
        for case .type(let type) in api.definitions
        where ["Query", "Mutation", "Subscription"].contains(type.name.text) {
            result[type.name.text] = Set(type.fields.map(\.name.text))
        }
        return result
    }

    @Test(arguments: [
        ("(queries: null)", "Query", []),
        ("(mutations: null)", "Mutation", []),
        ("(mutations: null)", "Subscription", []),
        ("(subscriptions: null)", "Subscription", []),
        ("(subscriptions: { level: off })", "Subscription", []),
        ("(subscriptions: { level: public })", "Subscription", ["onCreatePost", "onUpdatePost", "onDeletePost"]),
        (#"(queries: { get: "post", list: null })"#, "Query", ["post", "syncPosts"]),
        (#"(mutations: { create: "addPost", delete: null })"#, "Mutation", ["addPost", "updatePost"]),
        (
            #"(subscriptions: { onCreate: ["added", "alsoAdded"], onDelete: null })"#, "Subscription",
            ["added", "alsoAdded", "onUpdatePost"]
        ),
    ])
    func operationsAreRenamedAndRemoved(arguments: String, root: String, expected: [String]) throws {
        #expect(try fields(arguments)[root, default: []] == Set(expected))
    }

    @Test func aSubscriptionFollowsARenamedMutation() throws {
        let api = try apiSchema(of: [Source(#"type Post @model(mutations: { create: "addPost" }) { title: String }"#)])
        #expect(api.printed().contains(#"@aws_subscribe(mutations: ["addPost"])"#))
    }

    @Test func theAPIOfASchemaWithProblemsIsRefused() {
        #expect(throws: SchemaError.self) { try apiSchema(of: [Source("type Post @model { blog: Blog }")]) }
    }
}
