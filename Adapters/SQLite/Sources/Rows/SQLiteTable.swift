#if SQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// One entity as SQL sees it: its columns in the order of a record's cells, and the statements that never vary.
final class SQLiteTable: SQLTable {
    let entity: EntitySchema
    /// The name of the entity in the catalog, which may be another Unicode form of that of ``entity``.
    let storedName: String
    /// The position of the entity in the schema.
    let number: Int
    /// The quoted table name.
    let name: String
    let columns: [SQLColumn]
    /// The quoted name of the version column.
    let versionName: String
    /// The quoted name of the index on the versions, if the entity is ordered by them.
    let versionIndex: String?
    /// The cells of a whole row, then its version.
    let layout: SQLiteRowLayout
    let selectingRows: String
    /// Reads one record by its key.
    let pointRead: String
    let deleteByKey: String
    /// Short names of the statements that put rows.
    private let cacheKeys: [String]
    /// What SQLite says when a unique index refuses a row, and the index's name.
    let uniqueMessages: [(message: String, index: String)]

    init(_ entity: EntitySchema, number: Int, stored: SQLiteCatalog.Entity) throws(StorageError) {
        self.entity = entity
        storedName = stored.name
        self.number = number
        cacheKeys = ["upsert \(number)", "insert \(number)", "update \(number)"]
        name = stored.table.quotedIdentifier
        versionName = stored.versionColumn.quotedIdentifier
        versionIndex = stored.indexes.first(where: \.schema.isVersionOrder)?.nativeName.quotedIdentifier
        let columns = try stored.columns(of: entity)
        self.columns = columns
        layout = SQLiteRowLayout(columns: columns)
        let keyCondition = entity.primaryKeyPositions.map { "\(columns[$0].name) = ?" }.joined(separator: " AND ")
        selectingRows = Self.selecting(layout, versionName, from: name)
        pointRead = "\(selectingRows) WHERE \(keyCondition)"
        deleteByKey = "DELETE FROM \(name) WHERE \(keyCondition)"
        uniqueMessages = stored.indexes.filter(\.schema.isUnique).map { index in
            let names = index.schema.fields.compactMap { stored.field(named: $0)?.column }
            let list = names.map { "\(stored.table).\($0)" }.joined(separator: ", ")
            return ("UNIQUE constraint failed: \(list)", index.schema.name)
        }
    }

    /// What the statement that puts rows is cached under; its text is long.
    func cacheKey(of mode: WriteOperation.PutMode) -> String {
        switch mode {
        case .upsert: cacheKeys[0]
        case .insert: cacheKeys[1]
        case .update: cacheKeys[2]
        }
    }

    /// The parameters of a written row: one for each column of a field.
    var cellParameterCount: Int { layout.columnCount }

    /// Puts a row; parameter 1 is the version, the cells follow.
    ///
    /// - Parameter onConflict: What happens to an existing record.
    /// - Returns: The text of the statement.
    func insert(onConflict: ConflictAction) -> String {
        let names = writtenNames
        let parameters = (1...cellParameterCount + 1).map { "?\($0)" }
        var sql = "INSERT INTO \(name) AS holdfast_target(\(names.joined(separator: ", "))) VALUES "
        sql += "(\(parameters.joined(separator: ", ")))"
        switch onConflict {
        case .replace: sql += replacingClause
        case .skip: sql += " ON CONFLICT (\(keyNames.joined(separator: ", "))) DO NOTHING"
        }
        return sql
    }

    /// Replaces the cells of a record that exists; the parameters are those of ``insert(onConflict:)``.
    var update: String {
        let assignments = writtenNames.enumerated().map { "\($1) = ?\($0 + 1)" }
        let keyNumbers = Self.keyParameterNumbers(entity, columns)
        let condition = zip(keyNames, keyNumbers).map { "\($0) = ?\($1)" }.joined(separator: " AND ")
        return "UPDATE \(name) SET \(assignments.joined(separator: ", ")) WHERE \(condition)"
    }

    enum ConflictAction: Sendable {
        case replace, skip
    }
}
#endif
