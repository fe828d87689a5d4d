import HoldfastModel
import HoldfastServer
import HoldfastWire
import Testing

/// What a client names in its subscriptions never keeps events away from it.
@Suite struct ClientSubscriptionTests {
    /// The rules are those of docs/rights.md: the owner is one of those who may read.
    @Test func subscribersOfTheClientReceiveAllThatTheyMayRead() async throws {
        let test = try await AccessTests.open(
            schema: """
                type Post @model
                  @auth(rules: [
                    { allow: owner }
                    { allow: groups, groups: ["Editors"], operations: [read, update] }
                    { allow: private, operations: [read] }
                  ]) {
                  title: String!
                  notes: String @auth(rules: [{ allow: owner }])
                }
                """)
        let rules = [
            AuthRule(allow: .owner), AuthRule(allow: .groups, groups: ["Editors"], operations: [.read, .update]),
            AuthRule(allow: .private, operations: [.read]),
        ]
        let schema = ModelSchema(
            name: "Post", authRules: rules, attributes: [.primaryKey(fields: ["id"])],
            fields: [
                "id": ModelField(name: "id", type: .string, isRequired: true),
                "title": ModelField(name: "title", type: .string, isRequired: true),
                "notes": ModelField(name: "notes", type: .string, authRules: [AuthRule(allow: .owner)]),
            ])
        let model = try WireModel(schema, among: [:])
        let owners = model.ownerArguments(for: .userPools) { ["username": "bob"][$0] }
        let start = model.subscription(to: .create, owners: owners)
        let client = try await TestClient.open(test, headers: AccessTests.user("bob"))
        await client.start(
            "1", start.document, .object(start.variables ?? [:]), authorization: ["Authorization": "bob"])
        #expect(try await client.next()["type"] == "start_ack")
        for name in ["alice", "bob"] {
            _ = try await test.data(
                "mutation { createPost(input: { title: \"t\", notes: \"n\" }) { id } }", headers: AccessTests.user(name)
            )
        }
        let (first, second) = (try await client.next(), try await client.next())
        #expect(first.at("payload.data.onCreatePost.owner") == "alice")
        #expect(first.at("payload.data.onCreatePost.notes") == .null)
        #expect(second.at("payload.data.onCreatePost.notes") == "n")
    }
}
