/// The names of a model's fields as an enumeration; predicates are built on them.
public protocol ModelKey: CodingKey, CaseIterable, QueryFieldOperation {}

extension CodingKey where Self: ModelKey {
    /// The field's name.
    public var fieldName: String { stringValue }
}
