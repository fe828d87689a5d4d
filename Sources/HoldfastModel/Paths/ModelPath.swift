/// A path that ends at a model; generated code subclasses it to name the model's fields.
///
/// ```swift
/// let discussed = try await store.query(Post.self, where: Post.path.comments.text.beginsWith("Thank"))
/// let comments = try await store.query(Comment.self, where: Comment.path.post.rating >= 4)
/// ```
open class ModelPath<ModelType: Model>: PropertyContainerPath {
    private let metadata: PropertyPathMetadata

    /// Creates a path; by default the root.
    ///
    /// - Parameters:
    ///   - name: The field that leads here.
    ///   - isCollection: Whether it leads to several records.
    ///   - parent: The path to the model that has the field.
    public init(name: String = "root", isCollection: Bool = false, parent: (any PropertyPath)? = nil) {
        metadata = PropertyPathMetadata(name: name, isCollection: isCollection, parent: parent)
    }

    /// What the path says of its last step.
    public func getMetadata() -> PropertyPathMetadata { metadata }

    /// The model at which the path ends.
    public func getModelType() -> any Model.Type { ModelType.self }

    /// Whether the path has no steps.
    public func isRoot() -> Bool { metadata.parent == nil }

    /// A field of embedded values.
    public func embedded(_ name: String) -> EmbeddedValuePath { EmbeddedValuePath(name: name, parent: self) }
    /// A field of text.
    public func string(_ name: String) -> FieldPath<String> { FieldPath(name: name, parent: self) }
    /// An identifier.
    public func id(_ name: String = "id") -> FieldPath<String> { FieldPath(name: name, parent: self) }
    /// A field of integers.
    public func int(_ name: String) -> FieldPath<Int> { FieldPath(name: name, parent: self) }
    /// A field of doubles.
    public func double(_ name: String) -> FieldPath<Double> { FieldPath(name: name, parent: self) }
    /// A field of booleans.
    public func bool(_ name: String) -> FieldPath<Bool> { FieldPath(name: name, parent: self) }
    /// A field of days.
    public func date(_ name: String) -> FieldPath<Temporal.Date> { FieldPath(name: name, parent: self) }
    /// A field of instants.
    public func datetime(_ name: String) -> FieldPath<Temporal.DateTime> { FieldPath(name: name, parent: self) }
    /// A field of times of day.
    public func time(_ name: String) -> FieldPath<Temporal.Time> { FieldPath(name: name, parent: self) }
}
