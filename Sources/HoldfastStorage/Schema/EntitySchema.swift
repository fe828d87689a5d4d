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
    @inlinable public var name: String { content.name }
    /// The fields, in the order of a record's cells.
    @inlinable public var fields: [FieldSchema] { content.fields }
    /// The fields of the primary key, most significant first; never empty, never null, never a list.
    @inlinable public var primaryKey: [String] { content.primaryKey }
    /// The secondary indexes.
    @inlinable public var indexes: [IndexSchema] { content.indexes }
    /// Whether the store keeps the records in the order of their versions too, so that a scan of a ``VersionRange``
    /// costs what it reads and not what is stored.
    ///
    /// Costs one more index. Without it such a scan gives the same rows more slowly.
    @inlinable public var isOrderedByVersion: Bool { content.isOrderedByVersion }
    /// Whether change feeds report the records.
    ///
    /// Of no importance to what is stored: two entities that differ in this alone are equal.
    @inlinable public var isInChangeFeed: Bool { content.isInChangeFeed }
    /// The positions of the fields of ``primaryKey`` in a row.
    @inlinable public var primaryKeyPositions: [Int] { content.primaryKeyPositions }

    /// For each index, the positions of its fields in a row.
    @inlinable package var indexPositions: [[Int]] { content.indexPositions }

    @usableFromInline let content: Content

    /// What an entity consists of.
    ///
    /// An object, since schemas are part of every query and every change: to copy one retains it once, and not each
    /// array and dictionary.
    @usableFromInline
    final class Content: Sendable {
        @usableFromInline let name: String
        @usableFromInline let fields: [FieldSchema]
        @usableFromInline let primaryKey: [String]
        @usableFromInline let indexes: [IndexSchema]
        @usableFromInline let isOrderedByVersion: Bool
        @usableFromInline let isInChangeFeed: Bool
        @usableFromInline let primaryKeyPositions: [Int]
        @usableFromInline let indexPositions: [[Int]]
        let positions: [String: Int]
        /// What the cells of each field must be.
        let cellRules: [CellRule]

        init(
            _ name: String, _ fields: [FieldSchema], _ primaryKey: [String], _ indexes: [IndexSchema],
            isOrderedByVersion: Bool, isInChangeFeed: Bool
        ) {
            self.name = name
            self.primaryKey = primaryKey
            self.indexes = indexes
            self.isOrderedByVersion = isOrderedByVersion
            self.isInChangeFeed = isInChangeFeed
            self.fields = fields.map { field in
                var field = field
                field.isRequired = field.isRequired || primaryKey.contains(field.name)
                return field
            }
            let positions = Dictionary(
                fields.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
            self.positions = positions
            primaryKeyPositions = primaryKey.compactMap { positions[$0] }
            indexPositions = indexes.map { $0.fields.compactMap { positions[$0] } }
            cellRules = self.fields.map { CellRule($0, isKey: primaryKey.contains($0.name)) }
        }
    }

    /// Creates an entity.
    ///
    /// Nothing is checked here but that names can be looked up; ``StorageSchema/init(entities:)`` checks the rules.
    ///
    /// - Parameters:
    ///   - name: Unique within the schema, 1...255 UTF-8 bytes.
    ///   - fields: At least one; fields of the primary key become required.
    ///   - primaryKey: Names of `fields`, most significant first; `["id"]` by default.
    ///   - indexes: Secondary indexes; none by default.
    ///   - isOrderedByVersion: Whether scans by version should be fast; `false` by default.
    ///   - isInChangeFeed: Whether change feeds report the records; `true` by default. Without it, a commit of them
    ///     costs less.
    public init(
        _ name: String, fields: [FieldSchema], primaryKey: [String] = ["id"], indexes: [IndexSchema] = [],
        isOrderedByVersion: Bool = false, isInChangeFeed: Bool = true
    ) {
        content = Content(
            name, fields, primaryKey, indexes, isOrderedByVersion: isOrderedByVersion, isInChangeFeed: isInChangeFeed)
    }

    /// Whether two entities have the same name, fields, key, and indexes.
    public static func == (left: Self, right: Self) -> Bool {
        if left.content === right.content { return true }
        return left.name == right.name && left.fields == right.fields && left.primaryKey == right.primaryKey
            && left.indexes == right.indexes && left.isOrderedByVersion == right.isOrderedByVersion
    }

    /// Feeds the name to a hasher; entities of one name are rarely compared with each other.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The position of a field in a row, or `nil` if the entity has no such field.
    public func position(of field: String) -> Int? { content.positions[field] }

    /// The field of that name, or `nil`.
    public func field(named name: String) -> FieldSchema? { position(of: name).map { fields[$0] } }

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
