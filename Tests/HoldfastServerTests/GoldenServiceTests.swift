import HoldfastServer
import HoldfastWire
import Testing

/// A client that knows only what introspection returns uses every field of every root type.
@Suite struct GoldenServiceTests {
    /// The golden schemas without rules, in which everyone may do everything here.
    private static let names = [
        "enums-embedded", "keys-indexes", "older-directives", "plain", "plurals", "relations-by-reference",
        "relations-explicit", "relations-implicit", "scalars",
    ]

    private static func schema(_ name: String) throws -> String {
        try GoldenSchema.text(name).replacing(#/@model\b/#, with: "@auth(rules: [{ allow: public }]) @model")
    }

    @Test(arguments: TestServer.Kind.allCases, names)
    func everyOperationWorks(kind: TestServer.Kind, name: String) async throws {
        let test = try await TestServer.open(try Self.schema(name), on: kind)
        let api = try await IntrospectedAPI(of: test)
        let mutations = api.fields("mutation")
        let client = try await TestClient.open(test)
        let subscriptions = api.fields("subscription")
        for field in subscriptions {
            let request = api.request("subscription", field)
            await client.start(field.name, request.text, request.variables)
            #expect(try await client.next().text == #"{"type":"start_ack","id":"\#(field.name)"}"#)
        }

        var heard: Set<String> = []
        /// Takes the event of a mutation, before another one changes the record again.
        func hear(_ mutation: IntrospectedAPI.Field) async throws {
            let start = "on" + mutation.name.prefix(1).uppercased() + mutation.name.dropFirst().prefix(5)
            let subscription = subscriptions.first {
                $0.name.hasPrefix(start) && api.record(of: $0) == api.record(of: mutation)
            }
            guard let id = subscription?.name else { return }
            let frame = try await client.next()
            #expect(frame["id"] == .string(id) && frame["payload"]?["errors"] == nil, "\(id)")
            #expect(frame.at("payload.data.\(id)._version") != nil, "\(id)")
            #expect(heard.insert(id).inserted, "\(id) comes twice")
        }
        var models: Set<String> = []
        for field in mutations where field.name.hasPrefix("create") {
            let input = api.input(of: field)
            let created = try await Self.result(
                of: api.request("mutation", field, input: input), field, test)
            for member in input.object?.members ?? [] where created[member.name] != nil {
                #expect(created[member.name] == member.value, "\(field.name).\(member.name)")
            }
            #expect(created["_version"] == 1)
            try await hear(field)
            models.insert(api.record(of: field))
        }
        #expect(!models.isEmpty)
        for field in api.fields("query") where models.contains(api.record(of: field)) {
            let found = try await Self.result(of: api.request("query", field), field, test)
            let record = found["items"].map { $0.array?.count == 1 ? $0[0] ?? .null : .null } ?? found
            #expect(record["_version"] == 1, "\(field.name)")
        }
        for (prefix, version) in [("update", Int64(1)), ("delete", 2)] {
            for field in mutations
            where field.name.hasPrefix(prefix) && models.contains(api.record(of: field)) {
                let request = api.request("mutation", field, input: api.input(of: field, version: version))
                let changed = try await Self.result(of: request, field, test)
                #expect(changed["_version"] == .integer(version + 1), "\(field.name)")
                #expect(
                    changed["_deleted"] == (prefix == "delete" ? true : nil) || changed["_deleted"] == .null)
                try await hear(field)
            }
        }

        let expected = Set(subscriptions.filter { models.contains(api.record(of: $0)) }.map(\.name))
        #expect(heard == expected)
        await client.connection.close()
        try await test.server.close()
    }

    private static func result(
        of request: (text: String, variables: WireValue), _ field: IntrospectedAPI.Field,
        _ test: TestServer
    ) async throws -> WireValue {
        try #require(try await test.data(request.text, request.variables)[field.name], "\(field.name)")
    }
}
