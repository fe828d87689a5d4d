extension IndexPrefix {
    /// The prefixes of one index under which every record is that a query selects.
    ///
    /// Uses the top-level comparisons, alone or in an `and`: equality on the first fields of an index, or one of
    /// several values of its first field.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - limit: The greatest number of prefixes.
    /// - Returns: The prefixes of the index of which the query fixes the most fields, without keys; `nil` if there is
    ///   none, or if the query's key range is a part of the entity itself.
    package static func covering(_ query: BoundQuery, limit: Int) -> [IndexPrefix]? {
        guard query.keyRange == KeyRange(query.entity.name) else { return nil }
        let conjuncts = query.predicate.conjuncts
        var longest: IndexPrefix?
        for (index, positions) in zip(query.entity.indexes, query.entity.indexPositions) {
            var values: [Value] = []
            for position in positions {
                guard let value = conjuncts.lazy.compactMap({ $0.equality(at: position) }).first else { break }
                values.append(value)
            }
            if values.count > longest?.values.count ?? 0 { longest = IndexPrefix(index.name, values) }
        }
        if let longest { return [longest] }
        for index in query.entity.indexes {
            for case .isIn(query.entity.position(of: index.fields[0]), let values) in conjuncts
            where values.count <= limit {
                return values.map { IndexPrefix(index.name, [$0]) }
            }
        }
        return nil
    }
}
