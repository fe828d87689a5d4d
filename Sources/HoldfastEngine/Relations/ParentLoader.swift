import HoldfastModel
import HoldfastStorage

/// Loads the records to which those of a page relate, in as few queries as the adapter's limits allow, for models that
/// hold them themselves.
struct ParentLoader: Sendable {
    let catalog: ModelCatalog
    let source: any RecordSource
    let limits: Capabilities.Limits
    /// Records that were deleted together with those of the page.
    var deleted: DeletedRecords?

    /// The related records of a page, and theirs in turn; `nil` if the model is lazy or relates to none.
    ///
    /// - Parameters:
    ///   - rows: All cells in the order of the model's columns.
    ///   - model: Their model.
    /// - Returns: The records of each eager relation, by the relation's field.
    /// - Throws: What reading the records throws.
    func parents(of rows: RowBuffer, of model: ModelCatalog.RegisteredModel) async throws -> ParentRows? {
        try await parents(of: rows, of: model, path: [])
    }

    private func parents(
        of rows: RowBuffer, of model: ModelCatalog.RegisteredModel, path: [String]
    ) async throws -> ParentRows? {
        guard model.isEager, !path.contains(model.entity.name), !model.eagerRelations.isEmpty else { return nil }
        var relations: [String: ParentRows.Relation] = [:]
        for relation in model.eagerRelations {
            guard let related = catalog.model(named: relation.model) else { continue }
            var keys: Set<RecordKey> = []
            for row in 0..<rows.rowCount {
                if let key = relation.key(in: rows, row: row) { keys.insert(key) }
            }
            let keyColumns = relation.keyColumns(of: related.schema)
            let found = keys.isEmpty ? RowBuffer() : try await records(of: related, by: keyColumns, keys.sorted())
            relations[relation.field] = ParentRows.Relation(
                found, by: keyColumns,
                parents: try await parents(of: found, of: related, path: path + [model.entity.name]))
        }
        return ParentRows(relations)
    }

    private func records(
        of related: ModelCatalog.RegisteredModel, by columns: [Int], _ keys: [RecordKey]
    ) async throws -> RowBuffer {
        let entity = related.entity
        var rows = RowBuffer(columnCount: entity.fields.count)
        if columns == related.schema.primaryKeyColumns {
            rows = try await source.get(keys, of: entity)
        } else {
            let fields = columns.map { entity.fields[$0].name }
            for chunk in keys.chunks(of: RelatedRowReader.keyCount(columnCount: fields.count, limits)) {
                let found = try await source.rows(QueryPlan(entity.name, where: .isAny(of: chunk, in: fields)))
                rows.append(contentsOf: found)
            }
        }
        if let gone = deleted?.rows(of: entity.name, by: columns, keys) { rows.append(contentsOf: gone) }
        return rows
    }
}

extension Predicate {
    /// Selects the records whose fields hold one of some keys.
    static func isAny(of keys: some Sequence<RecordKey>, in fields: [String]) -> Predicate {
        if fields.count == 1 { return .isIn(fields[0], keys.map { $0.components[0] }) }
        return .or(keys.map { key in .and(zip(fields, key.components).map { .compare($0, .equal, $1) }) })
    }
}
