/// A path that ends at an embedded value, so that it can continue: `Shop.path.embedded("address").string("city")`.
public struct EmbeddedValuePath: PropertyPath {
    private let metadata: PropertyPathMetadata

    init(name: String, parent: any PropertyPath) {
        metadata = PropertyPathMetadata(name: name, parent: parent)
    }

    /// What the path says of its last step.
    public func getMetadata() -> PropertyPathMetadata { metadata }

    /// An embedded value inside this one, or a list of them.
    public func embedded(_ name: String) -> EmbeddedValuePath { EmbeddedValuePath(name: name, parent: self) }
    /// Text.
    public func string(_ name: String) -> FieldPath<String> { FieldPath(name: name, parent: self) }
    /// An integer.
    public func int(_ name: String) -> FieldPath<Int> { FieldPath(name: name, parent: self) }
    /// A double.
    public func double(_ name: String) -> FieldPath<Double> { FieldPath(name: name, parent: self) }
    /// A boolean.
    public func bool(_ name: String) -> FieldPath<Bool> { FieldPath(name: name, parent: self) }
    /// A day.
    public func date(_ name: String) -> FieldPath<Temporal.Date> { FieldPath(name: name, parent: self) }
    /// An instant.
    public func datetime(_ name: String) -> FieldPath<Temporal.DateTime> { FieldPath(name: name, parent: self) }
    /// A time of day.
    public func time(_ name: String) -> FieldPath<Temporal.Time> { FieldPath(name: name, parent: self) }
}

extension EmbeddedValuePath: QueryFieldOperation {
    /// The names of the steps with periods between them.
    public var fieldName: String { steps.joined(separator: ".") }
}
