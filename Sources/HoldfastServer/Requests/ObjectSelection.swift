import HoldfastGraphQL

/// What a request selects of an object inside a field.
struct ObjectSelection: Sendable {
    /// The name of the type.
    var type: String
    var entries: [Entry]

    struct Entry: Sendable {
        /// The name in the response.
        var response: String
        /// The name of the member; `nil` for the name of the type.
        var member: String?
        var type: TypeReference
        /// What is selected of an object; empty for a value.
        var selection: [ObjectSelection]
        /// Whether it is not shown.
        var isDenied: Bool
    }
}
