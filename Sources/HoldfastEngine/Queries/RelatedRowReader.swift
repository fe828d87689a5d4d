import HoldfastStorage

/// Reads the records to which those of a page relate, in as few queries as the adapter's limits allow.
struct RelatedRowReader: Sendable {
    /// Keys asked for at once.
    static let chunkCount = 1_000

    let source: any RecordSource
    let limits: Capabilities.Limits
    let step: RelationStep
    /// Which records are of interest; others may be read too.
    var predicate = Predicate.all

    /// Reads the records of some keys.
    ///
    /// - Parameters:
    ///   - keys: Keys that both sides of the relation share.
    ///   - body: Takes the records batch by batch, in key order for each key, and says whether to continue.
    /// - Throws: What reading the records or `body` throws.
    func read(_ keys: Set<RecordKey>, _ body: (RowBuffer) async throws -> Bool) async throws {
        let sorted = keys.sorted()
        let entity = step.related.entity
        if step.leadsToPrimaryKey {
            for chunk in sorted.chunks(of: Self.chunkCount) {
                let found = try await source.get(Array(chunk), of: entity).presentRows
                if found.isEmpty { continue }
                guard try await body(found) else { return }
            }
            return
        }
        for chunk in sorted.chunks(of: Self.keyCount(columnCount: step.relatedColumns.count, limits)) {
            var scan = try await source.scan(plan(for: chunk))
            var rows = RowBuffer()
            while true {
                try await scan.next(into: &rows)
                if rows.isEmpty { break }
                guard try await body(rows) else { return await scan.close() }
            }
        }
    }

    /// Keys asked for at once by columns that are not the primary key.
    ///
    /// Leaves room in the predicate for the groups around the keys.
    static func keyCount(columnCount: Int, _ limits: Capabilities.Limits) -> Int {
        let nodesPerKey = columnCount == 1 ? 1 : columnCount + 1
        return min(chunkCount, max(1, (limits.predicateNodeCount - 2) / nodesPerKey))
    }

    private func plan(for keys: ArraySlice<RecordKey>) -> QueryPlan {
        let isAny = Predicate.isAny(of: keys, in: step.relatedColumnNames)
        let both = Predicate.and([isAny, predicate])
        // What the adapter does not filter is filtered by the reader's caller.
        let fits = both.nodeCount <= limits.predicateNodeCount && both.depth <= limits.predicateDepth
        return QueryPlan(step.related.entity.name, where: fits ? both : isAny)
    }
}

extension RowBuffer {
    /// The rows without those of absent records.
    var presentRows: RowBuffer {
        if !versions.contains(0) { return self }
        var present = RowBuffer(columnCount: columnCount, rowCapacity: rowCount)
        for row in 0..<rowCount where versions[row] != 0 { present.append(self[row], version: versions[row]) }
        return present
    }
}

extension Array {
    /// The elements in slices, none of them longer than a number.
    func chunks(of count: Int) -> some Sequence<ArraySlice<Element>> {
        stride(from: 0, to: self.count, by: count).lazy.map { self[$0..<Swift.min($0 + count, self.count)] }
    }
}
