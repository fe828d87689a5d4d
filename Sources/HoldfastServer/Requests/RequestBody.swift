import HoldfastWire

/// What a request asks: a document, the values of its variables, and which of its operations is meant.
struct RequestBody: Sendable {
    var query: String
    var variables: JSONObject
    var operationName: String?

    /// How much JSON is read at most; the bytes are limited before.
    private static let limits = JSONLimits(bytes: .max, depth: 64, values: 200_000)

    /// Reads the body of a request; `nil` if it is not valid.
    init?(_ bytes: [UInt8]) {
        guard let value = try? WireValue(parsing: bytes, limits: Self.limits) else { return nil }
        self.init(value)
    }

    init?(_ value: WireValue) {
        guard let query = value["query"]?.string else { return nil }
        self.query = query
        switch value["variables"] {
        case nil, .null: variables = JSONObject()
        case .object(let object): variables = object
        // Some clients send the variables as text.
        case .string(let text):
            guard let object = try? WireValue(parsing: Array(text.utf8), limits: Self.limits).object else { return nil }
            variables = object
        default: return nil
        }
        // Some clients send an empty name instead of none.
        operationName = value["operationName"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }
}
