#if SQLite
import HoldfastEngine
import HoldfastSQLite
import HoldfastStorage

/// Where the cells of an entity's records are in the columns of amplify-swift's table.
struct AmplifyRowLayout {
    private enum Source {
        /// A column of its own.
        case column(Int32)
        /// A value of the identifier in a relation's column.
        case part(column: Int32, index: Int, types: [StorageType])
        case none
    }

    private let entity: EntitySchema
    private let table: String
    private var sources: [Source] = []
    /// The columns to be read, after the row number, the identifier and the metadata.
    private(set) var columns: [String] = []

    private static let metadataStart: Int32 = 2
    private static let columnStart: Int32 = 5

    /// The metadata's columns, or nulls in their place.
    static func metadataColumns(_ exist: Bool) -> [String] {
        exist ? ["m.\"version\"", "m.\"lastChangedAt\"", "m.\"deleted\""] : ["NULL", "NULL", "NULL"]
    }

    init(_ request: ForeignRecordRequest, _ table: AmplifyTable) {
        entity = request.entity
        self.table = table.name
        let known = Set(table.columns)
        var indexes: [String: Int32] = [:]
        var columns: [String] = []
        func columnIndex(_ column: String) -> Int32 {
            if let index = indexes[column] { return index }
            let index = Self.columnStart + Int32(columns.count)
            columns.append(column)
            indexes[column] = index
            return index
        }
        sources = entity.fields.map { field in
            if known.contains(field.name) { return .column(columnIndex(field.name)) }
            for (relation, fields) in request.relations {
                let column = AmplifyTable.column(ofRelation: relation)
                guard known.contains(column), let index = fields.firstIndex(of: field.name) else { continue }
                let types = fields.compactMap { request.entity.field(named: $0)?.type.storageType }
                return .part(column: columnIndex(column), index: index, types: types)
            }
            return .none
        }
        self.columns = columns
    }

    /// Reads the current record of a statement.
    func record(_ row: SQLiteForeignRow, _ file: SQLiteForeignFile) throws(StorageError) -> ForeignRecord {
        var record = ForeignRecord(position: row.integer(0), identifier: row.text(1), cells: [])
        if !row.isNull(Self.metadataStart) {
            record.metadata = ForeignMetadata(
                position: record.position, entity: table, identifier: record.identifier,
                version: row.integer(Self.metadataStart), lastChangedAt: row.integer(Self.metadataStart + 1),
                isDeleted: row.integer(Self.metadataStart + 2) != 0)
        }
        record.cells.reserveCapacity(sources.count)
        for (position, source) in sources.enumerated() {
            let field = entity.fields[position]
            guard let value = try value(source, field, row, file) else {
                record.fault = "'\(entity.name).\(field.name)' holds what its type cannot have been stored as."
                return record
            }
            record.cells.append(value)
        }
        return record
    }

    /// A cell, `nil` if it is not of the type.
    private func value(
        _ source: Source, _ field: FieldSchema, _ row: SQLiteForeignRow, _ file: SQLiteForeignFile
    ) throws(StorageError) -> Value? {
        switch source {
        case .none: return .null
        case .part(let column, let index, let types):
            if row.isNull(column) { return .null }
            guard let text = row.validText(column) else { return nil }
            return AmplifyIdentifier.values(of: text, types: types)?[index]
        case .column(let column):
            guard case .list(let element) = field.type.storageType else {
                return Self.scalar(row, column, field.type.storageType)
            }
            if row.isNull(column) { return .null }
            guard let text = row.validText(column) else { return nil }
            return try Self.list(text, of: element, file).map { .list($0) }
        }
    }

    private static func scalar(_ row: SQLiteForeignRow, _ column: Int32, _ type: StorageType) -> Value? {
        switch (type, row.kind(column)) {
        case (_, .null): return .null
        case (.integer, .integer): return .integer(row.integer(column))
        // Where other records refer to a record whose key is a number, they have the key as text.
        case (.integer, .text): return row.validText(column).flatMap { Int64($0) }.map { .integer($0) }
        case (.double, .double), (.double, .integer): return .double(row.double(column))
        case (.boolean, .integer):
            return [0, 1].contains(row.integer(column)) ? .boolean(row.integer(column) == 1) : nil
        case (.text, .text), (.json, .text), (.date, .text), (.time, .text),
            (.timestamp, .text):
            return row.validText(column).map { .text($0) }
        default: return nil
        }
    }

    /// The elements of a JSON array; `nil` if the text is not one, or an element is not of the type.
    private static func list(
        _ json: String, of type: StorageType, _ file: SQLiteForeignFile
    ) throws(StorageError) -> [Value]? {
        let isArray = try file.integer(
            "SELECT CASE WHEN json_valid(?1) THEN json_type(?1) = 'array' ELSE 0 END", [.text(json)])
        guard isArray == 1 else { return nil }
        var elements: [Value]? = []
        try file.forEachRow("SELECT type, value FROM json_each(?)", [.text(json)]) { row in
            guard let element = element(row, type) else { return elements = nil }
            elements?.append(element)
        }
        return elements
    }

    private static func element(_ row: SQLiteForeignRow, _ type: StorageType) -> Value? {
        switch (type, row.text(0)) {
        case (_, "null"): .null
        case (.boolean, "true"): .boolean(true)
        case (.boolean, "false"): .boolean(false)
        case (.integer, "integer"), (.double, "integer"), (.double, "real"): scalar(row, 1, type)
        case (.json, "object"), (.json, "array"): row.validText(1).map { .text($0) }
        case (.text, "text"), (.date, "text"), (.time, "text"), (.timestamp, "text"), (.json, "text"):
            row.validText(1).map { .text($0) }
        default: nil
        }
    }
}
#endif
