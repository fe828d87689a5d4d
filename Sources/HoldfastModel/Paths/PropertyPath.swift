/// A path through fields and relations.
public protocol PropertyPath {
    /// What the path says of its last step.
    func getMetadata() -> PropertyPathMetadata
}

extension PropertyPath {
    /// The names of the steps from the root, the last one included.
    var steps: [String] {
        let metadata = getMetadata()
        guard let parent = metadata.parent else { return [] }
        return parent.steps + [metadata.name]
    }
}
