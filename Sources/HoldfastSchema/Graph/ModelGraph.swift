/// What a schema says about models, with everything implicit stated.
package struct ModelGraph: Sendable {
    /// In the order of the schema; join models at the end.
    package var models: [ModelType] = []
    package var embedded: [EmbeddedType] = []
    package var enums: [EnumType] = []
}
