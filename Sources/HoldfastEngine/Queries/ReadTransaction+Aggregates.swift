public import HoldfastModel
import HoldfastStorage

extension ReadTransaction {
    /// The number of matching records.
    ///
    /// - Throws: As ``DataStore/query(_:where:sort:paginate:)``.
    @concurrent public func count<M: Model>(
        _ type: M.Type, where predicate: (any QueryPredicate)? = nil
    ) async throws -> Int {
        try await reader.count(store.catalog.query(store.catalog.model(type), where: predicate))
    }

    /// The sum of a field over the matching records, as the transaction sees them; otherwise as
    /// ``DataStore/sum(_:of:where:as:)``.
    public func sum<M: Model, Result: RowValue>(
        _ type: M.Type, of field: some QueryFieldOperation, where predicate: (any QueryPredicate)? = nil,
        as result: Result.Type = Result.self
    ) async throws -> Result {
        let sum = try await aggregateValue(type, field.fieldName, predicate, as: result) { .sum($0) }
        return try AggregatedField.existing(sum, of: field.fieldName)
    }

    /// The smallest value of a field; otherwise as ``DataStore/minimum(_:of:where:as:)``.
    public func minimum<M: Model, Result: RowValue>(
        _ type: M.Type, of field: some QueryFieldOperation, where predicate: (any QueryPredicate)? = nil,
        as result: Result.Type = Result.self
    ) async throws -> Result? {
        try await aggregateValue(type, field.fieldName, predicate, as: result) { .minimum($0) }
    }

    /// The largest value of a field; otherwise as ``DataStore/maximum(_:of:where:as:)``.
    public func maximum<M: Model, Result: RowValue>(
        _ type: M.Type, of field: some QueryFieldOperation, where predicate: (any QueryPredicate)? = nil,
        as result: Result.Type = Result.self
    ) async throws -> Result? {
        try await aggregateValue(type, field.fieldName, predicate, as: result) { .maximum($0) }
    }

    /// The mean of a numeric field; otherwise as ``DataStore/average(_:of:where:)``.
    public func average<M: Model>(
        _ type: M.Type, of field: some QueryFieldOperation, where predicate: (any QueryPredicate)? = nil
    ) async throws -> Double? {
        try await aggregateValue(type, field.fieldName, predicate, as: Double.self) { .average($0) }
    }

    /// The distinct values of a field; otherwise as ``DataStore/distinct(_:of:where:limit:as:)``.
    public func distinct<M: Model, Result: RowValue>(
        _ type: M.Type, of field: some QueryFieldOperation, where predicate: (any QueryPredicate)? = nil,
        limit: Int? = nil, as result: Result.Type = Result.self
    ) async throws -> [Result] {
        try await values(type, field.fieldName, predicate, limit: limit, as: result)
    }

    @concurrent private func aggregateValue<M: Model, Result: RowValue>(
        _ type: M.Type, _ field: String, _ predicate: (any QueryPredicate)?, as result: Result.Type,
        _ function: @Sendable (String) -> AggregatePlan.Function
    ) async throws -> Result? {
        let query = try store.catalog.query(store.catalog.model(type), where: predicate)
        return try await reader.aggregateValue(query, field, as: result, function)
    }

    @concurrent private func values<M: Model, Result: RowValue>(
        _ type: M.Type, _ field: String, _ predicate: (any QueryPredicate)?, limit: Int?, as result: Result.Type
    ) async throws -> [Result] {
        let query = try store.catalog.query(store.catalog.model(type), where: predicate)
        return try await reader.distinct(query, field, limit: limit, as: result)
    }
}
