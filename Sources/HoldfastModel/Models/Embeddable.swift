/// A type that lives inside a model's field: stored as a JSON object, without a key or table of its own.
///
/// ```swift
/// struct Size: Embeddable {
///     var width: Double
///     var height: Double
/// }
/// ```
public protocol Embeddable: Codable, Sendable {
    /// The fields; none by default.
    static var schema: ModelSchema { get }
}

extension Embeddable {
    /// A schema without fields.
    public static var schema: ModelSchema { ModelSchema(name: String(describing: Self.self)) }

    /// Builds the type's schema from its definition.
    ///
    /// - Parameters:
    ///   - name: The type's name; the Swift type's name by default.
    ///   - attributes: Marks; `model.attributes(…)` in the closure replaces them.
    ///   - define: Fills the definition.
    /// - Returns: The schema.
    public static func defineSchema(
        name: String? = nil, attributes: ModelAttribute..., define: (inout ModelSchemaDefinition) -> Void
    ) -> ModelSchema {
        var definition = ModelSchemaDefinition(
            name: name ?? String(describing: Self.self), attributes: attributes)
        define(&definition)
        return ModelSchema(definition: definition)
    }
}
