#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

extension PostgreSQLConnection {
    /// Looks for tables, columns, and indexes that the catalog names but the server lacks or calls invalid.
    ///
    /// - Parameter schema: The plain name of the store's schema.
    /// - Returns: One sentence for each defect.
    /// - Throws: ``PostgreSQLStoreFailure`` if a query fails or the catalog cannot be read.
    func defects(schema: String) throws(PostgreSQLStoreFailure) -> [String] {
        let catalog = try PostgreSQLCatalog(reading: self, schema: schema.quotedIdentifier)
        var parameters = PostgreSQLParameters()
        parameters.append(schema)
        let results = try perform([
            PostgreSQLCommand(
                "SELECT c.relname::text, a.attname::text FROM pg_catalog.pg_class AS c "
                    + "JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace "
                    + "JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid "
                    + "WHERE n.nspname = $1::text AND c.relkind IN ('r', 'p') AND a.attnum > 0 "
                    + "AND NOT a.attisdropped", parameters, isKept: false),
            PostgreSQLCommand(
                "SELECT c.relname::text, i.indisvalid FROM pg_catalog.pg_class AS c "
                    + "JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace "
                    + "JOIN pg_catalog.pg_index AS i ON i.indexrelid = c.oid WHERE n.nspname = $1::text",
                parameters,
                isKept: false),
        ])
        var columns: [String: [String]] = [:]
        for row in 0..<results[0].rowCount {
            columns[results[0].text(row, 0), default: []].append(results[0].text(row, 1))
        }
        var indexes: [String: Bool] = [:]
        for row in 0..<results[1].rowCount { indexes[results[1].text(row, 0)] = results[1].boolean(row, 1) }
        var defects: [String] = []
        for entity in catalog.entities {
            guard let native = columns[entity.table] else {
                defects.append("The table of entity '\(entity.name)' is missing.")
                continue
            }
            let wanted = entity.fields.flatMap { [$0.column] + ($0.tailColumn.map { [$0] } ?? []) }
            for column in wanted + [entity.versionColumn] where !native.contains(column) {
                defects.append("The table of entity '\(entity.name)' has no column '\(column)'.")
            }
            if indexes[entity.keyName] != true {
                defects.append("The primary key of entity '\(entity.name)' is missing or damaged.")
            }
            for index in entity.indexes where indexes[index.nativeName] != true {
                defects.append("Index '\(index.schema.displayName)' of entity '\(entity.name)' is missing or damaged.")
            }
        }
        return defects
    }
}
#endif
