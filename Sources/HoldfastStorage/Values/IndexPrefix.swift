/// The records that have some values in the first fields of an index, as a snapshot showed them.
///
/// What a relation means: the books of one shelf are those that the index of their `shelfID` has under its id.
public struct IndexPrefix: Sendable, Hashable {
    /// The name of one of the entity's indexes.
    public var index: String
    /// The values of the index's first fields, one at least; null stands for records without a value.
    public var values: [Value]
    /// The keys of all records that have these values, in any order.
    ///
    /// From them an adapter learns that one is gone, without keeping a history of what records held before.
    public var keys: [RecordKey]

    /// Creates a prefix.
    ///
    /// - Parameters:
    ///   - index: The name of one of the entity's indexes.
    ///   - values: The values of its first fields.
    ///   - keys: The keys of all records that have them; none by default.
    public init(_ index: String, _ values: [Value], keys: [RecordKey] = []) {
        self.index = index
        self.values = values
        self.keys = keys
    }

    /// Selects the records that have the values.
    ///
    /// - Parameter entity: The entity that has the index.
    /// - Returns: A predicate on its records; `nil` if the entity has no such index.
    public func predicate(of entity: EntitySchema) -> BoundPredicate? {
        guard let index = entity.indexes.firstIndex(where: { $0.name == index }) else { return nil }
        return .and(zip(entity.indexPositions[index], values).map { .compare($0, .equal, $1) })
    }
}
