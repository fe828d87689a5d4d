/// A path that ends at a model, so that it can continue.
public protocol PropertyContainerPath: PropertyPath {
    /// The names of the steps from the root, with periods between them; empty at the root.
    func getKeyPath() -> String

    /// The model at which the path ends.
    func getModelType() -> any Model.Type
}

extension PropertyContainerPath {
    /// The names of the steps from the root, with periods between them; empty at the root.
    public func getKeyPath() -> String { steps.joined(separator: ".") }
}
