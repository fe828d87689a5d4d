#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// One entity as SQL sees it: its columns in the order of a record's cells, and the statements that never vary.
final class PostgreSQLTable: SQLTable {
    let entity: EntitySchema
    /// The entity's number in the catalog.
    let number: Int64
    /// The server's number of the table; 0 if it is not known.
    private let tableNumber: UInt32
    /// The quoted name of the store's schema.
    let schema: String
    /// The quoted table name, its schema before it.
    let name: String
    let columns: [SQLColumn]
    /// The quoted name of the version column.
    let versionName: String
    /// The cells of a whole row, then its version.
    let layout: PostgreSQLRowLayout
    let selectingRows: String
    /// The native names of the unique indexes, with their own.
    let uniqueIndexes: [String: String]
    /// The native name of the primary key.
    let keyName: String
    /// Reads one record by its key.
    let pointRead: String
    /// The positions in a row of the first fields of the indexes.
    let leadingPositions: [Int]
    /// Whether rows cannot be written as one array for each column.
    let hasLists: Bool
    /// The statements that put records.
    let puts: PostgreSQLPuts
    /// The conditions on the whole key, its first component as parameter 1.
    private let keyColumns: [SQLColumn]

    init(_ entity: EntitySchema, stored: PostgreSQLCatalog.Entity, schema: String) throws(StorageError) {
        self.entity = entity
        self.schema = schema.quotedIdentifier
        number = stored.number
        tableNumber = stored.tableNumber
        name = "\(schema.quotedIdentifier).\(stored.table.quotedIdentifier)"
        versionName = stored.versionColumn.quotedIdentifier
        let columns = try stored.columns(of: entity)
        self.columns = columns
        leadingPositions = Set(entity.indexes.compactMap { entity.position(of: $0.fields[0]) }).sorted()
        hasLists = columns.contains { $0.type.isList }
        keyColumns = entity.primaryKeyPositions.map { columns[$0] }
        layout = PostgreSQLRowLayout(columns: columns)
        keyName = stored.keyName
        uniqueIndexes = Dictionary(
            stored.indexes.filter(\.schema.isUnique).map { ($0.nativeName, $0.schema.name) },
            uniquingKeysWith: { first, _ in first })
        let condition = keyColumns.enumerated().map { "\($1.name) = $\($0 + 1)" }.joined(separator: " AND ")
        selectingRows = Self.selecting(layout, versionName, from: name)
        pointRead = "\(selectingRows) WHERE \(condition)"
        puts = PostgreSQLPuts(into: name, of: entity, versionName: versionName, columns: columns)
    }

    /// Fails if rows come from a table that another handle's migration has put in the place of this one.
    ///
    /// The server says with every result where its columns come from, so that this costs no statement. A snapshot that
    /// is older than the migration sees nothing in the new table.
    ///
    /// - Parameter result: Rows of the table, the version as their last column.
    /// - Throws: ``StorageError`` `.schemaMismatch`.
    func check(_ result: PostgreSQLResult) throws(StorageError) {
        let found = result.lastTable
        if found != tableNumber && found != 0 && tableNumber != 0 { throw StorageError.migratedStore() }
    }

    /// The condition that a record has a key whose components begin at a parameter.
    func keyCondition(from parameter: Int) -> String {
        keyColumns.enumerated().map { "\($1.name) = $\($0 + parameter)" }.joined(separator: " AND ")
    }

    /// Appends the components of a key.
    func append(_ key: RecordKey, to parameters: inout PostgreSQLParameters) {
        for (component, column) in zip(key.components, keyColumns) {
            parameters.append(component, as: column.type)
        }
    }

    /// Appends many keys, an array for each component.
    func append(_ keys: some Collection<RecordKey>, to parameters: inout PostgreSQLParameters) {
        for (index, column) in keyColumns.enumerated() {
            parameters.append(keys.lazy.map { $0.components[index] }, asArrayOf: column.type)
        }
    }

    /// Many keys as a table `k` of columns `k0`, `k1` and so on, whose arrays begin at a parameter.
    ///
    /// - Parameters:
    ///   - parameter: The number of the first array.
    ///   - extra: The names of columns whose arrays follow those of the keys.
    ///   - hidesCount: Whether the server plans the statement without a look at how many keys there are, so that it
    ///     keeps the plan.
    /// - Returns: An item of a list after `FROM`.
    func keyTable(from parameter: Int, extra: [String] = [], hidesCount: Bool = false) -> String {
        let arrays = (0..<keyColumns.count + extra.count).map {
            hidesCount ? "(SELECT $\($0 + parameter))" : "$\($0 + parameter)"
        }
        let names = keyColumns.indices.map { "k\($0)" } + extra
        return "unnest(\(arrays.joined(separator: ", "))) AS k(\(names.joined(separator: ", ")))"
    }

    /// The condition that a record of table `t` has the key of a row of `k`.
    var keyJoin: String {
        keyColumns.enumerated().map { "t.\($1.name) = k.k\($0)" }.joined(separator: " AND ")
    }

    // MARK: Writing

    /// The running transaction's place in history; parameter 1 is the base.
    static let sequence = "pg_current_xact_id()::text::int8 + $1"

    /// Appends the cells of a row.
    func append(_ rows: RowBuffer, row: Int, to parameters: inout PostgreSQLParameters) {
        for (index, column) in columns.enumerated() {
            let value = rows[row, index]
            parameters.append(value, as: column.type)
            if column.tailName != nil { parameters.appendTail(of: value) }
        }
    }

    /// Appends a range of rows, an array for each column.
    func append(_ rows: RowBuffer, _ range: Range<Int>, to parameters: inout PostgreSQLParameters) {
        for (index, column) in columns.enumerated() {
            parameters.append(column: index, of: rows, range, asArrayOf: column.type)
            if column.tailName != nil { parameters.append(range.lazy.map { rows[$0, index].tailText }) }
        }
    }

    /// Loads rows; the version comes first in each.
    var copy: String { "COPY \(name) (\(writtenNames.joined(separator: ", "))) FROM STDIN (FORMAT binary)" }

    /// Appends a row as ``copy`` takes it.
    func append(_ rows: RowBuffer, row: Int, version: Int64, toCopy bytes: inout [UInt8]) {
        bytes.appendBigEndian(Int16(1 + layout.columnCount))
        bytes.appendBigEndian(Int32(8))
        bytes.appendBigEndian(version)
        for (index, column) in columns.enumerated() {
            let value = rows[row, index]
            let offset = bytes.count
            bytes.appendBigEndian(Int32(-1))
            if !value.isNull {
                bytes.append(value, as: column.type)
                bytes.setBigEndian(Int32(bytes.count - offset - 4), at: offset)
            }
            guard column.tailName != nil else { continue }
            if let tail = value.tailText {
                bytes.appendBigEndian(Int32(tail.utf8.count))
                bytes.append(contentsOf: tail.utf8)
            } else {
                bytes.appendBigEndian(Int32(-1))
            }
        }
    }

    /// Deletes by a condition and says in the log how many records went.
    ///
    /// - Parameters:
    ///   - condition: With ` USING ` or ` WHERE ` before it; empty for all.
    ///   - count: How many must go, or the statement fails; `nil` for any number.
    /// - Returns: A statement with the sequences' base as parameter 1, the entity's number as parameter 2.
    func delete(_ condition: String, exactly count: String? = nil) -> String {
        let result = count.map { "c / (CASE WHEN c = \($0) THEN 1 ELSE 0 END)" } ?? "c"
        return "WITH d AS (DELETE FROM \(name) AS t\(condition) RETURNING 1), n AS (SELECT count(*) AS c FROM d), "
            + "l AS (INSERT INTO \(schema).holdfast_deletion (entity, sequence, record_count) "
            + "SELECT $2, \(Self.sequence), c FROM n WHERE c > 0) SELECT \(result) FROM n"
    }
}
#endif
