import HoldfastModel
import HoldfastStorage

/// The first models of a query, with the rows that were read for them.
struct ModelPage<M: Model>: Sendable {
    /// The models, in the query's order.
    let models: [M]
    /// Their rows.
    let rows: RowBuffer
    /// All rows that were read, also those whose models are hidden.
    let found: RowBuffer
    /// The related records that were looked up for them.
    let parents: ParentRows?
    /// Whether other records may follow.
    let isCut: Bool
}

extension DataStore {
    /// The first models of a query that are not hidden.
    ///
    /// No limit can say how many records are hidden among those that it counts. As they are few and hidden for a short
    /// time, the query is asked again with twice the limit in the rare case that too few are left.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - query: The query, without an offset. At most as many models as its limit are returned.
    ///   - count: How many models are enough; as many as the limit by default.
    ///   - source: The snapshot or transaction.
    ///   - loader: Where the models' relations and lists are loaded from.
    ///   - hidesUnreadable: Whether models that cannot be decoded are hidden, too.
    /// - Returns: The models. If they are fewer than `count`, the scan has ended.
    /// - Throws: What reading the source throws; ``ModelError`` if a row cannot be decoded.
    func firstModels<M: Model>(
        _ type: M.Type, _ query: ModelQuery, enough count: Int? = nil, from source: some RecordSource,
        loader: any ModelLoader, hidesUnreadable: Bool = false
    ) async throws -> ModelPage<M> {
        let most = query.plan.limit ?? .max
        var query = query
        while true {
            let found = try await reader(source).rows(query)
            let parents = try await parents(of: found, of: query.model, from: source)
            var models: [M] = []
            var rows = try read(
                found, with: parents, loader: loader, hidesUnreadable: hidesUnreadable, into: &models)
            let isCut = query.plan.limit.map { found.rowCount >= $0 } ?? false
            if isCut && models.count < count ?? most {
                query.plan.limit = query.plan.limit.flatMap { limit in
                    let (more, isTooMuch) = limit.multipliedReportingOverflow(by: 2)
                    return isTooMuch ? nil : more
                }
                continue
            }
            let isMore = models.count > most
            if isMore {
                models.removeSubrange(most...)
                rows.keepRows(0..<most)
            }
            return ModelPage(models: models, rows: rows, found: found, parents: parents, isCut: isCut || isMore)
        }
    }
}
