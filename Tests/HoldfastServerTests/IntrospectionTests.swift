import HoldfastServer
import HoldfastWire
import Testing

@Suite struct IntrospectionTests {
    static let query = """
        query IntrospectionQuery {
          __schema {
            queryType { name } mutationType { name } subscriptionType { name }
            types { ...FullType }
            directives { name description locations args { ...InputValue } }
          }
        }
        fragment FullType on __Type {
          kind name description
          fields(includeDeprecated: true) {
            name description args { ...InputValue } type { ...TypeRef } isDeprecated deprecationReason
          }
          inputFields { ...InputValue }
          interfaces { ...TypeRef }
          enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
          possibleTypes { ...TypeRef }
        }
        fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue }
        fragment TypeRef on __Type {
          kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } }
        }
        """

    @Test func clientsCanAskForTheSchema() async throws {
        let test = try await TestServer.open(MutationTests.schema)
        let data = try await test.data(Self.query)
        #expect(data.at("__schema.queryType.name") == "Query")
        #expect(data.at("__schema.subscriptionType.name") == "Subscription")
        let types = try #require(data.at("__schema.types")?.array)
        func type(_ name: String) -> WireValue? { types.first { $0["name"] == .string(name) } }
        #expect(type("AWSDateTime")?["kind"] == "SCALAR")
        #expect(type("Status")?.at("enumValues.1.name") == "OPEN")
        #expect(type("CreatePostInput")?["kind"] == "INPUT_OBJECT")
        let metas = type("Post")?["fields"]?.array?.first { $0["name"] == "metas" }
        #expect(
            metas?.at("type")?.text
                == #"{"kind":"LIST","name":null,"ofType":{"kind":"NON_NULL","name":null,"ofType":"#
                + #"{"kind":"OBJECT","name":"Meta","ofType":null}}}"#)
        let single = try await test.data(
            "query Q($name: String!) { __type(name: $name) { kind it: name __typename } none: __type(name: \"None\") { name } }",
            ["name": "Meta"])
        #expect(single.text == #"{"__type":{"kind":"OBJECT","it":"Meta","__typename":"__Type"},"none":null}"#)
    }

    @Test func introspectionCanBeForbidden() async throws {
        let test = try await TestServer.open(
            MutationTests.schema, options: ServerOptions(apiKeys: ["key"], allowsIntrospection: false))
        let response = try await test.send("{ __schema { queryType { name } } }")
        #expect(response.at("data.__schema") == nil || response.at("data.__schema") == .null)
        #expect(
            response.at("errors.0.message")?.string?.hasPrefix("Validation error of type FieldUndefined") == true)
    }
}
