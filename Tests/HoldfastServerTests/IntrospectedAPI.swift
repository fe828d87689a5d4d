import HoldfastWire
import Testing

/// What a client learns of a service by introspection, and the requests that follow from it.
///
/// A value depends on its type alone, so that a key that was created is found again.
struct IntrospectedAPI {
    /// A field of a root type.
    struct Field {
        let name: String
        let arguments: [(name: String, type: WireValue)]
        let type: WireValue
    }

    private static let query = """
        {
          __schema {
            queryType { name } mutationType { name } subscriptionType { name }
            types {
              name kind
              fields { name type { ...Type } args { name type { ...Type } } }
              inputFields { name type { ...Type } }
              enumValues { name }
            }
          }
        }
        fragment Type on __Type {
          kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } }
        }
        """

    private static let depthLimit = 2

    private let schema: WireValue
    private let types: [String: WireValue]

    init(of test: TestServer) async throws {
        schema = try #require(try await test.data(Self.query)["__schema"])
        types = Dictionary(
            uniqueKeysWithValues: try #require(schema["types"]?.array).map {
                ($0["name"]?.string ?? "", $0)
            })
    }

    /// The fields of the type for `query`, `mutation`, or `subscription`.
    func fields(_ root: String) -> [Field] {
        let type = types[schema.at("\(root)Type.name")?.string ?? ""]
        return (type?["fields"]?.array ?? []).map { field in
            Field(
                name: field["name"]?.string ?? "",
                arguments: (field["args"]?.array ?? []).map {
                    ($0["name"]?.string ?? "", $0["type"] ?? .null)
                },
                type: field["type"] ?? .null)
        }
    }

    /// A request of one field: with what it demands, with keys, and with conditions on keys.
    ///
    /// - Parameters:
    ///   - root: `query`, `mutation`, or `subscription`.
    ///   - field: The field.
    ///   - input: The argument `input`, if the field has one.
    /// - Returns: The text, and its variables.
    func request(_ root: String, _ field: Field, input: WireValue? = nil) -> (
        text: String, variables: WireValue
    ) {
        let model = types[record(of: field)]?["fields"]?.array ?? []
        let arguments = field.arguments.filter { name, type in
            let isKey = Self.isLeaf(type) && model.contains { $0["name"] == .string(name) }
            let isCondition = Self.named(type)["name"]?.string?.hasSuffix("KeyConditionInput") == true
            return type["kind"] == "NON_NULL" || isKey || isCondition
        }
        var variables = JSONObject()
        for (name, type) in arguments {
            variables[name] = name == "input" ? input : value(of: type, named: name, in: model)
        }
        let declared = arguments.map { "$\($0.name): \(Self.text(of: $0.type))" }.joined(separator: " ")
        let given = arguments.map { "\($0.name): $\($0.name)" }.joined(separator: " ")
        let text = """
            \(root) R\(declared.isEmpty ? "" : "(\(declared))") {
              \(field.name)\(given.isEmpty ? "" : "(\(given))") \(selection(of: field.type))
            }
            """
        return (text, .object(variables))
    }

    /// The name of the model whose records a field has.
    func record(of field: Field) -> String {
        let type = Self.named(field.type)["name"]?.string ?? ""
        let items = types[type]?["fields"]?.array?.first { $0["name"] == "items" }
        return items.flatMap { Self.named($0["type"] ?? .null)["name"]?.string } ?? type
    }

    /// The value of the argument `input` of a mutation.
    ///
    /// - Parameters:
    ///   - field: The mutation.
    ///   - version: The version on which it is based.
    /// - Returns: All members of its type.
    func input(of field: Field, version: Int64? = nil) -> WireValue {
        let type = field.arguments.first { $0.name == "input" }?.type ?? .null
        let model = types[record(of: field)]?["fields"]?.array ?? []
        var input = JSONObject()
        for member in types[Self.named(type)["name"]?.string ?? ""]?["inputFields"]?.array ?? [] {
            let name = member["name"]?.string ?? ""
            input[name] = value(of: member["type"] ?? .null, named: name, in: model)
        }
        input["_version"] = version.map { .integer($0) }
        return .object(input)
    }

    /// A value that a field of a record has, or a condition on it: key arguments may have other types than the fields.
    private func value(of type: WireValue, named name: String, in fields: [WireValue]) -> WireValue {
        func own(_ name: String) -> WireValue? {
            guard let type = fields.first(where: { $0["name"] == .string(name) })?["type"],
                Self.isLeaf(type)
            else {
                return .none
            }
            return value(of: type)
        }
        let members = types[Self.named(type)["name"]?.string ?? ""]?["inputFields"]?.array ?? []
        guard Self.named(type)["name"]?.string?.hasSuffix("KeyConditionInput") == true,
            let equal = members.first(where: { $0["name"] == "eq" })?["type"]
        else { return own(name) ?? value(of: type) }
        if let value = own(name) { return ["eq": value] }
        var key = JSONObject()
        for member in types[Self.named(equal)["name"]?.string ?? ""]?["inputFields"]?.array ?? [] {
            let name = member["name"]?.string ?? ""
            key[name] = own(name)
        }
        return ["eq": .object(key)]
    }

    /// Types that contain themselves end at the depth that is allowed.
    private func value(of type: WireValue, depth: Int = 0) -> WireValue {
        switch type["kind"] {
        case "NON_NULL": return value(of: type["ofType"] ?? .null, depth: depth)
        case "LIST": return [value(of: type["ofType"] ?? .null, depth: depth)]
        case "ENUM": return types[type["name"]?.string ?? ""]?.at("enumValues.0.name") ?? .null
        case "INPUT_OBJECT":
            var object = JSONObject()
            for member in types[type["name"]?.string ?? ""]?["inputFields"]?.array ?? [] {
                let type = member["type"] ?? .null
                if depth == Self.depthLimit, !Self.isLeaf(type), type["kind"] != "NON_NULL" { continue }
                object[member["name"]?.string ?? ""] = value(of: type, depth: depth + 1)
            }
            return .object(object)
        default: return Self.scalars[type["name"]?.string ?? ""] ?? "text"
        }
    }

    private static let scalars: [String: WireValue] = [
        "Int": 7, "Float": JSONNumber(1.5).map { .number($0) } ?? 1, "Boolean": true, "ID": "id",
        "AWSTimestamp": 1_700_000_000,
        "AWSDate": "2026-11-23", "AWSTime": "10:11:12.000Z", "AWSDateTime": "2026-11-23T10:11:12.000Z",
        "AWSEmail": "a@example.com", "AWSURL": "https://example.com/", "AWSPhone": "+14155550100",
        "AWSIPAddress": "192.0.2.1", "AWSJSON": #"{"n":1}"#,
    ]

    /// All leaves, those of embedded types, and that there are related records.
    private func selection(of type: WireValue, depth: Int = 0) -> String {
        let name = Self.named(type)["name"]?.string ?? ""
        guard let fields = types[name]?["fields"]?.array, !fields.isEmpty else { return "" }
        if depth > 0, fields.contains(where: { $0["name"] == "_version" }) { return "{ __typename }" }
        let parts = fields.compactMap { field -> String? in
            let type = field["type"] ?? .null
            if depth > Self.depthLimit, !Self.isLeaf(type) { return nil }
            let isItems = field["name"] == "items" && depth == 0
            return "\(field["name"]?.string ?? "") \(selection(of: type, depth: isItems ? 0 : depth + 1))"
        }
        return "{ \(parts.joined(separator: " ")) }"
    }

    private static func named(_ type: WireValue) -> WireValue {
        type["ofType"].map { $0.isNull ? type : named($0) } ?? type
    }

    private static func isLeaf(_ type: WireValue) -> Bool {
        ["SCALAR", "ENUM"].contains(named(type)["kind"])
    }

    /// The type in the GraphQL language.
    private static func text(of type: WireValue) -> String {
        switch type["kind"] {
        case "NON_NULL": "\(text(of: type["ofType"] ?? .null))!"
        case "LIST": "[\(text(of: type["ofType"] ?? .null))]"
        default: type["name"]?.string ?? ""
        }
    }
}
