/// A path that ends at a value.
public struct FieldPath<ValueType>: PropertyPath {
    private let metadata: PropertyPathMetadata

    init(name: String, parent: any PropertyPath) {
        metadata = PropertyPathMetadata(name: name, parent: parent)
    }

    /// What the path says of its last step.
    public func getMetadata() -> PropertyPathMetadata { metadata }
}
