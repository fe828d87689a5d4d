import HoldfastStorage

/// A condition checked against the store's schema.
indirect enum BoundCondition: Sendable {
    /// Asks only for the record's own fields.
    case local(BoundPredicate)
    /// Asks for a part of an embedded value.
    case embedded(EmbeddedPredicate)
    /// Whether some record at the other end of a relation satisfies a condition; every one that does satisfies the
    /// predicate.
    case related(RelationStep, BoundCondition, upperBound: Predicate)
    /// The exact complement.
    case not(BoundCondition)
    /// True if all are.
    case and([BoundCondition])
    /// True if any is.
    case or([BoundCondition])

    /// Whether the condition cannot be decided from a record alone.
    var asksForRelatedRecords: Bool {
        switch self {
        case .local, .embedded: false
        case .related: true
        case .not(let inner): inner.asksForRelatedRecords
        case .and(let parts), .or(let parts): parts.contains(where: \.asksForRelatedRecords)
        }
    }

    /// Whether a row satisfies the condition, or `nil` if the condition asks for related records.
    func matches(_ row: UnsafeBufferPointer<Value>) -> Bool? {
        switch self {
        case .local(let predicate): return predicate.matches(row)
        case .embedded(let predicate): return predicate.matches(row)
        case .related: return nil
        case .not(let inner): return inner.matches(row).map { !$0 }
        case .and(let parts):
            let truths = parts.compactMap { $0.matches(row) }
            return truths.count == parts.count ? !truths.contains(false) : nil
        case .or(let parts):
            let truths = parts.compactMap { $0.matches(row) }
            return truths.count == parts.count ? truths.contains(true) : nil
        }
    }
}

extension Condition {
    /// The condition, checked.
    ///
    /// - Throws: ``StorageError`` as ``StorageSchema/bind(_:limits:)``.
    func bound(
        to entity: EntitySchema, in schema: StorageSchema, limits: Capabilities.Limits
    ) throws(StorageError) -> BoundCondition {
        switch self {
        case .local(let predicate):
            return .local(try schema.bind(QueryPlan(entity.name, where: predicate), limits: limits).predicate)
        case .embedded(let path, let name, let predicate):
            return .embedded(try EmbeddedPredicate(path, of: entity.name, called: name, predicate, limits: limits))
        case .related(let step, let inner):
            let bound = try inner.bound(to: step.related.entity, in: schema, limits: limits)
            return .related(step, bound, upperBound: inner.upperBound)
        case .not(let inner): return .not(try inner.bound(to: entity, in: schema, limits: limits))
        case .and(let parts): return .and(try Self.bound(parts, entity, schema, limits))
        case .or(let parts): return .or(try Self.bound(parts, entity, schema, limits))
        }
    }

    private static func bound(
        _ parts: [Condition], _ entity: EntitySchema, _ schema: StorageSchema, _ limits: Capabilities.Limits
    ) throws(StorageError) -> [BoundCondition] {
        var bound: [BoundCondition] = []
        for part in parts { bound.append(try part.bound(to: entity, in: schema, limits: limits)) }
        return bound
    }
}

/// Decides conditions for pages of rows, with one query per relation and page.
struct ConditionEvaluator: Sendable {
    let source: any RecordSource
    let limits: Capabilities.Limits
    /// Records that were deleted together with those of the page.
    var deleted: DeletedRecords?

    /// Whether each row satisfies a condition.
    ///
    /// - Parameters:
    ///   - rows: All cells in the order of the entity's fields.
    ///   - condition: Bound to that entity.
    /// - Returns: One value for each row, in the order of the rows.
    /// - Throws: What reading related records throws.
    func matches(_ rows: RowBuffer, _ condition: BoundCondition) async throws -> [Bool] {
        switch condition {
        case .local(let predicate): return (0..<rows.rowCount).map { rows.withRow($0, predicate.matches) }
        case .embedded(let predicate): return (0..<rows.rowCount).map { rows.withRow($0, predicate.matches) }
        case .not(let inner): return try await matches(rows, inner).map { !$0 }
        case .and(let parts):
            var result = Array(repeating: true, count: rows.rowCount)
            for part in parts where result.contains(true) {
                for (row, truth) in try await matches(rows, part).enumerated() where !truth { result[row] = false }
            }
            return result
        case .or(let parts):
            var result = Array(repeating: false, count: rows.rowCount)
            for part in parts where result.contains(false) {
                for (row, truth) in try await matches(rows, part).enumerated() where truth { result[row] = true }
            }
            return result
        case .related(let step, let inner, let upperBound):
            let keys = (0..<rows.rowCount).map { step.ownKey(in: rows, $0) }
            let matching = try await matching(Set(keys.compactMap(\.self)), step, inner, upperBound)
            return keys.map { $0.map(matching.contains) ?? false }
        }
    }

    /// Those of some keys that lead to a record which satisfies a condition.
    private func matching(
        _ keys: Set<RecordKey>, _ step: RelationStep, _ inner: BoundCondition, _ upperBound: Predicate
    ) async throws -> Set<RecordKey> {
        var matching: Set<RecordKey> = []
        var reader = RelatedRowReader(source: source, limits: limits, step: step)
        reader.predicate = upperBound
        try await reader.read(keys) { rows in
            for (row, truth) in try await matches(rows, inner).enumerated() where truth {
                if let key = step.relatedKey(in: rows, row) { matching.insert(key) }
            }
            return matching.count < keys.count
        }
        if let rows = deleted?.rows(of: step.related.entity.name, by: step.relatedColumns, keys) {
            for (row, truth) in try await matches(rows, inner).enumerated() where truth {
                if let key = step.relatedKey(in: rows, row), keys.contains(key) { matching.insert(key) }
            }
        }
        return matching
    }
}
