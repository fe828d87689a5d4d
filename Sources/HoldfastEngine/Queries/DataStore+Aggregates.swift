public import HoldfastModel
import HoldfastStorage

extension DataStore {
    /// The sum of a field over the matching records; 0 of none.
    ///
    /// As for ``count(_:where:)``, records that a query hides are among them.
    ///
    /// ```swift
    /// let stars: Int = try await store.sum(Post.self, of: Post.keys.rating)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - field: A numeric field of the model.
    ///   - predicate: Which records; `nil` for all.
    ///   - result: The sum's type: `Int64` or `Int` for integer fields, `Double` for any.
    /// - Returns: The sum, as a value of `result`.
    /// - Throws: ``/HoldfastModel/ModelError`` `.invalidSchema` if the model keeps no such field, `.decodingFailed`
    ///   if the type cannot hold the sum; ``/HoldfastStorage/StorageError`` `.schemaMismatch` for a field that is not
    ///   numeric, `.unrepresentable` if the sum of integers leaves 64 bits or that of doubles their range; otherwise
    ///   as ``query(_:where:sort:paginate:)``.
    public func sum<M: Model, Result: RowValue>(
        _ type: M.Type, of field: some QueryFieldOperation, where predicate: (any QueryPredicate)? = nil,
        as result: Result.Type = Result.self
    ) async throws -> Result {
        let sum = try await aggregateValue(type, field.fieldName, predicate, as: result) { .sum($0) }
        return try AggregatedField.existing(sum, of: field.fieldName)
    }

    /// The smallest value of a field among the matching records.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - field: A field of the model that is not a list.
    ///   - predicate: Which records; `nil` for all.
    ///   - result: The field's type.
    /// - Returns: `nil` if no matching record has a value.
    /// - Throws: As ``sum(_:of:where:as:)``.
    public func minimum<M: Model, Result: RowValue>(
        _ type: M.Type, of field: some QueryFieldOperation, where predicate: (any QueryPredicate)? = nil,
        as result: Result.Type = Result.self
    ) async throws -> Result? {
        try await aggregateValue(type, field.fieldName, predicate, as: result) { .minimum($0) }
    }

    /// The largest value of a field among the matching records; otherwise as ``minimum(_:of:where:as:)``.
    ///
    /// ```swift
    /// let best: Int? = try await store.maximum(Post.self, of: Post.keys.rating)
    /// ```
    public func maximum<M: Model, Result: RowValue>(
        _ type: M.Type, of field: some QueryFieldOperation, where predicate: (any QueryPredicate)? = nil,
        as result: Result.Type = Result.self
    ) async throws -> Result? {
        try await aggregateValue(type, field.fieldName, predicate, as: result) { .maximum($0) }
    }

    /// The mean of a numeric field over the matching records.
    ///
    /// ```swift
    /// let mean = try await store.average(Post.self, of: Post.keys.rating, where: Post.keys.title.beginsWith("Hold"))
    /// ```
    ///
    /// - Returns: `nil` if no matching record has a value.
    /// - Throws: As ``sum(_:of:where:as:)``.
    public func average<M: Model>(
        _ type: M.Type, of field: some QueryFieldOperation, where predicate: (any QueryPredicate)? = nil
    ) async throws -> Double? {
        try await aggregateValue(type, field.fieldName, predicate, as: Double.self) { .average($0) }
    }

    /// The distinct values of a field among the matching records, smallest first.
    ///
    /// As for ``count(_:where:)``, records that a query hides are among them.
    ///
    /// ```swift
    /// let ratings: [Int] = try await store.distinct(Post.self, of: Post.keys.rating)  // [2, 5]
    /// ```
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - field: A field of the model that is not a list.
    ///   - predicate: Which records; `nil` for all.
    ///   - limit: The largest number of values; `nil` for all.
    ///   - result: The field's type; null is one of the values if the type is optional, and skipped otherwise.
    /// - Returns: Each value once; of date-times of one instant, one.
    /// - Throws: As ``sum(_:of:where:as:)``; ``/HoldfastStorage/StorageError`` `.misuse` for a negative limit.
    /// - Complexity: Memory for the values, not for the records.
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
        let query = try catalog.query(catalog.model(type), where: predicate)
        return try await withSnapshot { try await reader($0).aggregateValue(query, field, as: result, function) }
    }

    @concurrent private func values<M: Model, Result: RowValue>(
        _ type: M.Type, _ field: String, _ predicate: (any QueryPredicate)?, limit: Int?, as result: Result.Type
    ) async throws -> [Result] {
        let query = try catalog.query(catalog.model(type), where: predicate)
        return try await withSnapshot { try await reader($0).distinct(query, field, limit: limit, as: result) }
    }
}
