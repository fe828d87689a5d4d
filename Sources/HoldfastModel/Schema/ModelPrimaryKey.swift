/// The primary key of a model.
public struct ModelPrimaryKey: Sendable {
    /// The fields, most significant first; empty for an embedded type, which has no key.
    public var fields: [ModelField]

    init(fields: [ModelField]) { self.fields = fields }

    /// Whether the key has several fields.
    public var isCompositeKey: Bool { fields.count > 1 }

    /// Whether a field is part of the key.
    public func contains(named name: ModelFieldName) -> Bool { indexOfField(named: name) != nil }

    /// The position of a field in the key, counted from 0, or `nil` if it is not part of it.
    public func indexOfField(named name: ModelFieldName) -> Int? { fields.firstIndex { $0.name == name } }
}
