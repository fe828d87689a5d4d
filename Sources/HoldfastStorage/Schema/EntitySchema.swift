/// A kind of record: its fields, its primary key and its indexes.
///
/// A record is a row of cells in the order of ``fields``; its key is the cells at ``primaryKeyPositions``.
///
/// ```swift
/// static let book = EntitySchema(
///     "Book",
///     fields: [
///         FieldSchema("id", .id), FieldSchema("title", .string, isRequired: true), FieldSchema("pages", .int),
///     ],
///     indexes: [IndexSchema("byPages", on: ["pages"])])
/// ```
public struct EntitySchema: Sendable, Hashable {
    /// The name; unique within the schema, case-sensitive.
    public let name: String
    /// The fields, in the order of a record's cells.
    public let fields: [FieldSchema]
    /// The fields of the primary key, most significant first; never empty, never null, never a list.
    public let primaryKey: [String]
    /// The secondary indexes.
    public let indexes: [IndexSchema]
    /// Whether the store keeps the records in the order of their versions too, so that a scan of a ``VersionRange`` costs
    /// what it reads and not what is stored.
    ///
    /// Costs one more index. Without it such a scan gives the same rows more slowly.
    public let isOrderedByVersion: Bool
    /// Where the fields of ``primaryKey`` stand in a row.
    public let primaryKeyPositions: [Int]

    private let positions: [String: Int]

    /// Creates an entity.
    ///
    /// Nothing is checked here but that names can be looked up; ``StorageSchema/init(entities:)`` checks the rules.
    ///
    /// - Parameters:
    ///   - name: Unique within the schema, 1...255 UTF-8 bytes.
    ///   - fields: At least one; fields of the primary key become required.
    ///   - primaryKey: Names of `fields`, most significant first; `["id"]` by default.
    ///   - indexes: Secondary indexes; none by default.
    ///   - isOrderedByVersion: Whether scans by version are to be fast; `false` by default.
    public init(
        _ name: String, fields: [FieldSchema], primaryKey: [String] = ["id"], indexes: [IndexSchema] = [],
        isOrderedByVersion: Bool = false
    ) {
        self.name = name
        self.primaryKey = primaryKey
        self.indexes = indexes
        self.isOrderedByVersion = isOrderedByVersion
        self.fields = fields.map { field in
            var field = field
            field.isRequired = field.isRequired || primaryKey.contains(field.name)
            return field
        }
        positions = Dictionary(
            fields.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        primaryKeyPositions = primaryKey.compactMap { [positions] in positions[$0] }
    }

    /// Where a field stands in a row, or `nil` if the entity has no such field.
    public func position(of field: String) -> Int? { positions[field] }

    /// The field of that name, or `nil`.
    public func field(named name: String) -> FieldSchema? { positions[name].map { fields[$0] } }

    /// The key of a row of this entity.
    ///
    /// - Parameter row: Cells in the order of ``fields``.
    /// - Returns: The cells of the primary key's fields, in key order.
    public func key(of row: some RandomAccessCollection<Value>) -> RecordKey {
        RecordKey(primaryKeyPositions.map { row[row.index(row.startIndex, offsetBy: $0)] })
    }

    /// The fields that `plan`'s sort and then the primary key name, with their directions: the total order of results.
    ///
    /// Key fields that the sort already names are not repeated.
    public func totalOrder(_ sort: [SortKey]) -> [SortKey] {
        sort + primaryKey.filter { name in !sort.contains { $0.field == name } }.map { SortKey($0) }
    }
}
