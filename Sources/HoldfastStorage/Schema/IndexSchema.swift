/// A secondary index over fields of one entity.
public struct IndexSchema: Sendable, Hashable {
    /// The name; unique within the entity.
    public var name: String
    /// The indexed fields, most significant first; never lists.
    public var fields: [String]
    /// Whether two records may not agree in all indexed fields.
    ///
    /// Records with a null among them never collide.
    public var isUnique: Bool

    /// Creates an index.
    ///
    /// - Parameters:
    ///   - name: Unique within the entity.
    ///   - fields: One field or more, most significant first.
    ///   - isUnique: Whether equal records are refused; `false` by default.
    public init(_ name: String, on fields: [String], isUnique: Bool = false) {
        self.name = name
        self.fields = fields
        self.isUnique = isUnique
    }
}
