/// What a path says of its last step.
public struct PropertyPathMetadata {
    /// The name of the field; `root` where a path begins.
    public let name: String
    /// Whether the field leads to several records.
    public let isCollection: Bool
    /// The path to the model that has the field.
    public let parent: (any PropertyPath)?

    /// Creates what a path says of its last step.
    public init(name: String, isCollection: Bool = false, parent: (any PropertyPath)? = nil) {
        self.name = name
        self.isCollection = isCollection
        self.parent = parent
    }
}

/// A path through fields and relations.
public protocol PropertyPath {
    /// What the path says of its last step.
    func getMetadata() -> PropertyPathMetadata
}

/// A path that ends at a model, so that it can go on.
public protocol PropertyContainerPath: PropertyPath {
    /// The names of the steps from the root, with full stops between them; empty at the root.
    func getKeyPath() -> String

    /// The model at which the path ends.
    func getModelType() -> any Model.Type
}

extension PropertyPath {
    /// The names of the steps from the root, the last one included.
    var steps: [String] {
        let metadata = getMetadata()
        guard let parent = metadata.parent else { return [] }
        return parent.steps + [metadata.name]
    }
}

extension PropertyContainerPath {
    /// The names of the steps from the root, with full stops between them; empty at the root.
    public func getKeyPath() -> String { steps.joined(separator: ".") }
}

/// A path that ends at a value.
public struct FieldPath<ValueType>: PropertyPath {
    private let metadata: PropertyPathMetadata

    init(name: String, parent: any PropertyPath) {
        metadata = PropertyPathMetadata(name: name, parent: parent)
    }

    /// What the path says of its last step.
    public func getMetadata() -> PropertyPathMetadata { metadata }
}
