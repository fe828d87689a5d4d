import HoldfastServer
import HoldfastWire
import Testing

@Suite struct ScalarTests {
    static let schema = """
        type Thing @model @auth(rules: [{ allow: public }]) {
          int: Int float: Float boolean: Boolean string: String date: AWSDate time: AWSTime dateTime: AWSDateTime
          timestamp: AWSTimestamp email: AWSEmail json: AWSJSON phone: AWSPhone url: AWSURL address: AWSIPAddress
          required: [Int!] kind: Kind kinds: [Kind!]
        }
        enum Kind { ONE TWO }
        """

    /// What is given, and what comes back; `nil` for what is refused.
    static let cases: [(String, WireValue, WireValue?)] = [
        ("int", 5, 5), ("int", "42", 42), ("int", -2_147_483_648, -2_147_483_648), ("int", 2_147_483_648, nil),
        ("int", "x", nil), ("int", true, nil), ("int", [1], nil),
        ("float", 1, .number(JSONNumber(1.0)!)), ("float", "2.5", .number(JSONNumber(2.5)!)), ("float", "nan", nil),
        ("boolean", true, true), ("boolean", "false", false), ("boolean", 1, nil),
        ("string", "ä\u{1}\"", "ä\u{1}\""), ("string", 7, "7"), ("string", "a\u{0}", nil), ("string", [:], nil),
        ("id", 7, "7"),
        ("date", "1970-01-01Z", "1970-01-01Z"), ("date", "2024-02-30", nil), ("date", 5, nil),
        ("time", "12:00:34.", "12:00:34"), ("time", "12:30+01:00", "12:30:00+01:00"), ("time", "25:00", nil),
        ("dateTime", "2024-02-29T08:30:00.50+02:00", "2024-02-29T08:30:00.50+02:00"),
        ("dateTime", "2024-02-29T08:30:00", nil),
        ("timestamp", -5, -5), ("timestamp", 1_700_000_000_123, 1_700_000_000_123), ("timestamp", "x", nil),
        ("email", "a@example.com", "a@example.com"), ("email", "a", nil),
        ("json", "{\"a\":[1,null]}", "{\"a\":[1,null]}"), ("json", "\"text\"", "\"text\""), ("json", "{a:1}", nil),
        ("json", ["a": 1], nil),
        ("phone", "+1 555 0100", "+1 555 0100"), ("phone", "call me", nil),
        ("url", "https://example.com/a", "https://example.com/a"), ("url", "example.com", nil),
        ("address", "192.0.2.1/24", "192.0.2.1/24"), ("address", "300.0.0.1", nil),
        ("required", [1, 2], [1, 2]), ("required", 3, [3]), ("required", [1, nil], nil), ("required", nil, .null),
        ("kind", "TWO", "TWO"), ("kind", "THREE", nil), ("kinds", ["ONE", "ONE"], ["ONE", "ONE"]),
    ]

    @Test(arguments: TestServer.Kind.allCases) func everyScalarIsCoerced(kind: TestServer.Kind) async throws {
        let test = try await TestServer.open(Self.schema, on: kind)
        for (index, (field, given, expected)) in Self.cases.enumerated() {
            var input = JSONObject()
            if field != "id" { input["id"] = .string("thing-\(index)") }
            input[field] = given
            let response = try await test.send(
                "mutation M($input: CreateThingInput!) { createThing(input: $input) { id \(field == "id" ? "" : field) } }",
                ["input": .object(input)])
            guard let expected else {
                #expect(response["data"] == .null, "\(field) \(given.text)")
                #expect(response.at("errors.0.path") == .null)
                let message = response.at("errors.0.message")?.string ?? ""
                #expect(message.hasPrefix("Variable '\(field)'"), "\(message)")
                continue
            }
            #expect(response.at("data.createThing.\(field)") == expected, "\(field) \(given.text) \(response.text)")
            let id = try #require(response.at("data.createThing.id"))
            let read = try await test.data("query Q($id: ID!) { getThing(id: $id) { it: \(field) } }", ["id": id])
            #expect(read.at("getThing.it") == expected, "\(field) \(given.text)")
        }
    }

    /// An identifier in the text of a request means the same as in a variable.
    @Test func identifiersKeepTheirDigits() async throws {
        let test = try await TestServer.open(Self.schema)
        for number in ["12345678901234567890", "7"] {
            let made = try await test.data("mutation { createThing(input: { id: \(number) }) { id } }")
            #expect(made["createThing"] == ["id": .string(number)])
            let found = try await test.data("{ listThings(filter: { id: { eq: \(number) } }) { items { id } } }")
            #expect(found.at("listThings.items") == [["id": .string(number)]])
        }
    }

    @Test func variablesFragmentsAndDirectivesCompose() async throws {
        let test = try await TestServer.open(Self.schema)
        _ = try await test.data("mutation { createThing(input: { id: 1, int: 5, string: \"s\" }) { id } }")
        let query = """
            query A($id: ID! = "1", $full: Boolean!, $none: String) {
              one: getThing(id: $id) { ...Part ... @include(if: $full) { string } int @skip(if: $full) }
              two: getThing(id: $id) { ...Part ...Part __typename }
              list: listThings(filter: { int: { eq: 5 } }, nextToken: $none) { items { ...Part } }
            }
            fragment Part on Thing { id ...Inner }
            fragment Inner on Thing { float id }
            """
        let full = try await test.data(query, ["full": true])
        #expect(
            full.text
                == #"{"one":{"id":"1","float":null,"string":"s"},"two":{"id":"1","float":null,"__typename":"Thing"},"#
                + #""list":{"items":[{"id":"1","float":null}]}}"#)
        let part = try await test.data(query, ["full": false, "none": nil])
        #expect(part.at("one")?.text == #"{"id":"1","float":null,"int":5}"#)
        // A variable may be declared with another scalar than its place has, as some clients do.
        let other = try await test.data("query Q($id: String!) { getThing(id: $id) { id } }", ["id": 1])
        #expect(other.at("getThing.id") == "1")
        // Of a value that is not a boolean, a directive does not know what it means.
        let values: [(String, WireValue)] = [("Boolean", .null), ("Boolean", false), ("String", "false")]
        for (type, value) in values {
            for use in ["int @include(if: $if)", "... @skip(if: $if) { int }", "...Part"] {
                let query = """
                    query Q($if: \(type)) { getThing(id: 1) { id \(use) } }
                    fragment Part on Thing { id @skip(if: $if) }
                    """
                let refused = try await test.send(
                    use == "...Part" ? query : String(query.prefix { $0 != "\n" }), ["if": value])
                #expect(refused["data"] == .null)
                let message = refused.at("errors.0.message")?.string
                #expect(message?.hasPrefix("Validation error of type VariableTypeMismatch: ") == true)
            }
        }
        let withDefault = try await test.data(
            "query Q($if: Boolean = false) { getThing(id: 1) { id int @include(if: $if) } }")
        #expect(withDefault["getThing"] == ["id": "1"])
        let request = ServerRequest(
            headers: ["x-api-key": "key"],
            parameters: ["query": "query Q($id: ID!) { getThing(id: $id) { id } }", "variables": "{\"id\":\"1\"}"])
        let response = await test.server.respond(to: request)
        #expect(String(decoding: response.body, as: UTF8.self) == #"{"data":{"getThing":{"id":"1"}}}"#)
    }
}
