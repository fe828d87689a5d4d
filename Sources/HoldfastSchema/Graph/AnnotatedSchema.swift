package import HoldfastGraphQL

/// A schema as its author wrote it, beside what it says about models.
package struct AnnotatedSchema: Sendable {
    /// The models with everything implicit stated.
    package let graph: ModelGraph
    /// The author's types in the order of the schema.
    package let types: [TypeDefinition]

    /// The author's definition of a type; `nil` for models that join two others.
    package func type(_ name: String) -> TypeDefinition? { types.first { $0.name.text == name } }

    /// The models as the API shows them, in the order of the graph.
    package var models: [APIModel] { APIBuilder(self, defaultMode: .apiKey).models }
}
