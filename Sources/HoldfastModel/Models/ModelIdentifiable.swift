/// A model that says in its type what identifies its records.
public protocol ModelIdentifiable {
    /// Whether one field called `id` identifies records, or other fields do.
    associatedtype IdentifierFormat: AnyModelIdentifierFormat
    /// The type of the model's identifiers.
    associatedtype IdentifierProtocol: ModelIdentifierProtocol
}
