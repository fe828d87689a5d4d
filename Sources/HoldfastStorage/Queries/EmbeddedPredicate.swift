/// A comparison of what a path into JSON objects leads to, checked against the type at its end.
///
/// Adapters need not know it: the caller selects without it and decides the rows with ``matches(_:)``, which is the
/// definition. Through lists it asks whether some value matches; of no value none does.
public struct EmbeddedPredicate: Sendable, Hashable {
    /// The place of the values.
    public let path: EmbeddedPath
    /// The comparison, of the only cell of a row.
    private let comparison: BoundPredicate

    /// Checks a comparison.
    ///
    /// - Parameters:
    ///   - path: The place of the values.
    ///   - entity: The entity's name, for errors.
    ///   - field: What `comparison` calls the values.
    ///   - comparison: What is asked of each value; names no other field.
    ///   - limits: The bounds of predicates.
    /// - Throws: ``StorageError`` as ``StorageSchema/bind(_:limits:)->BoundQuery``.
    public init(
        _ path: EmbeddedPath, of entity: String, called field: String, _ comparison: Predicate,
        limits: Capabilities.Limits = Capabilities.Limits()
    ) throws(StorageError) {
        let entity = EntitySchema(entity, fields: [FieldSchema(field, path.type)], primaryKey: [])
        var binder = PredicateBinder(entity: entity, limits: limits)
        self.path = path
        self.comparison = try binder.bind(comparison)
    }

    /// Whether a record satisfies the predicate.
    ///
    /// - Parameter row: All cells of a record, in the order of its entity's fields.
    /// - Returns: `true` if the comparison is true of at least one value of the path.
    public func matches(_ row: UnsafeBufferPointer<Value>) -> Bool {
        path.values(in: row).contains { comparison.matches([$0]) }
    }
}
