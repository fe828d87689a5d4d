#if SQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

extension SQLitePredicateWriter {
    /// Pages of more records than this are sorted by SQLite.
    private static let largestPage = 1_000
    /// The condition occurs twice in the statements of a page.
    private static let largestParameterCount = 100

    /// Statements for a page that is read from an index in descending order: the runs of equal values that are certain
    /// to fit, as much of the next run as is wanted, and the nulls.
    ///
    /// Records with the same value ascend by key, so SQLite would read and sort the whole run with which a page ends,
    /// which is most of the table if there are few distinct values.
    func pageParts(
        of query: BoundQuery, _ position: SQLPositionPart, select: String, order: [String]
    ) -> [SQLQuery<SQLiteRowLayout, [SQLiteParameter]>.Part]? {
        guard let limit = query.limit, query.offset == 0, 1...Self.largestPage ~= limit, query.order.count > 1,
            query.order[0].isDescending, query.order.dropFirst().allSatisfy({ !$0.isDescending }),
            position == .all || position == .withValue, parameters.count <= Self.largestParameterCount,
            case .totalWithReversedRuns(let run) = IndexPlanner.plan(query).order, run == [query.order[0].position]
        else { return nil }
        let column = table.columns[query.order[0].position]
        let test = sql.isEmpty ? "" : "\(sql) AND "
        let presence =
            column.isRequired ? (sql.isEmpty ? "" : " WHERE \(sql)") : " WHERE \(test)\(column.name) IS NOT NULL"
        let last =
            "(SELECT min(\(column.name)) FROM (SELECT \(column.name) FROM \(table.name)\(presence)"
            + " ORDER BY \(column.name) DESC LIMIT ?))"
        let twice = parameters + parameters + [.integer(Int64(limit))]
        let withinRun = order.dropFirst().joined(separator: ", ")
        func part(_ end: String, _ order: String, _ parameters: [SQLiteParameter])
            -> SQLQuery<SQLiteRowLayout, [SQLiteParameter]>.Part
        {
            SQLQuery.Part(
                sql: "\(select) WHERE \(test)\(column.name) \(end) ORDER BY \(order)", parameters: parameters)
        }
        var parts = [part("> \(last)", order.joined(separator: ", "), twice), part("= \(last)", withinRun, twice)]
        if position == .all && !column.isRequired { parts.append(part("IS NULL", withinRun, parameters)) }
        return parts
    }
}
#endif
