import HoldfastStorage

/// The positions of a model's fields in its rows.
final class RowLayout: Sendable {
    /// How a field is kept.
    enum Kind: Sendable {
        /// In one column.
        case value(column: Int, type: FieldType)
        /// As the key of another model's record, in these columns.
        case parent(keyColumns: [Int])
        /// As at most one record of another model: found by its key in `keyColumns` if `fields` is empty, otherwise by
        /// its `fields`, which lead to the key in `keyColumns`.
        case child(keyColumns: [Int], fields: [String])
        /// As records of another model, whose `fields` lead to this record.
        case children(fields: [String])
    }

    /// One field.
    struct Entry: Sendable {
        let name: String
        let kind: Kind
        /// The related model, if the field is a relation.
        let relatedModel: String?
    }

    let model: String
    let columns: [String]
    let primaryKeyColumns: [Int]
    /// The fields, in the order of the schema.
    let entries: [Entry]
    /// The columns of the fields at the same positions, −1 for relations.
    ///
    /// Beside ``entries``, because these are asked for at every field of every row.
    let valueColumns: [Int]
    /// Whether the fields at the same positions hold JSON objects or lists of them.
    let holdsEmbedded: [Bool]
    private let names: [String]
    private let positions: [String: Int]

    init(model: String, fields: [ModelField], primaryKey: [String]) {
        self.model = model
        var columns: [String] = []
        for column in fields.flatMap(\.columns) where !columns.contains(column) { columns.append(column) }
        let primaryKeyColumns = primaryKey.compactMap { columns.firstIndex(of: $0) }
        let entries = fields.map { field in
            Entry(
                name: field.name, kind: Self.kind(of: field, columns, primaryKeyColumns),
                relatedModel: field.associatedModelName)
        }
        positions = Dictionary(entries.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        valueColumns = entries.map { if case .value(let column, _) = $0.kind { column } else { -1 } }
        holdsEmbedded = entries.map { if case .value(_, let type) = $0.kind { type.isEmbedded } else { false } }
        names = entries.map(\.name)
        self.entries = entries
        self.columns = columns
        self.primaryKeyColumns = primaryKeyColumns
    }

    private static func kind(of field: ModelField, _ columns: [String], _ primaryKey: [Int]) -> Kind {
        func indexes(_ names: [String]) -> [Int] { names.compactMap { columns.firstIndex(of: $0) } }
        switch field.association {
        case .belongsTo: return .parent(keyColumns: indexes(field.columns))
        case .hasOne(let name, let names, let targetNames):
            let held = indexes(targetNames)
            let fields = names.isEmpty ? name.map { [$0] } ?? [] : names
            return held.isEmpty || held.count != targetNames.count
                ? .child(keyColumns: primaryKey, fields: fields) : .child(keyColumns: held, fields: [])
        case .hasMany(let name, let names): return .children(fields: names.isEmpty ? name.map { [$0] } ?? [] : names)
        case nil:
            guard let type = field.type.fieldType, let column = columns.firstIndex(of: field.name) else {
                return .children(fields: [])
            }
            return .value(column: column, type: type)
        }
    }

    /// The position of a field among ``entries``, first looked for at `guess`; `nil` if the model has no such field.
    @inline(__always)
    func position(of name: String, guess: Int) -> Int? {
        if guess < names.count, names[guess] == name { return guess }
        return positions[name]
    }
}
