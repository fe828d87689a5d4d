/// An entity of a ``ForeignStore``.
public struct ForeignEntity: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// The fields that it holds, by their names.
    public var fields: [String]
    /// The relations whose key it holds in its own form instead of in fields, by their names.
    public var relations: [String]
    /// How many records it holds.
    public var recordCount: Int

    /// Creates a description.
    public init(name: String, fields: [String], relations: [String] = [], recordCount: Int) {
        self.name = name
        self.fields = fields
        self.relations = relations
        self.recordCount = recordCount
    }
}
