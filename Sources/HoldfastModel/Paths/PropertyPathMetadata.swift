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
