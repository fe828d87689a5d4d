/// A model that keeps its values in another form than stored properties.
///
/// ``Model/subscript(_:)`` asks it instead of looking at the properties.
public protocol JSONValueHolder {
    /// The value of a field.
    ///
    /// - Returns: `nil` if there is no such field, an inner `nil` if it has no value.
    func jsonValue(for key: String) -> Any??

    /// The value of a field of a model with a schema; as ``jsonValue(for:)``.
    func jsonValue(for key: String, modelSchema: ModelSchema) -> Any??
}
