public import HoldfastStorage

/// Which input a filter is for; each offers other fields and operators.
public enum FilterDialect: Sendable, Hashable {
    /// The `filter` of list and sync queries.
    case query
    /// The `condition` of mutations, which may not name the key.
    case condition
    /// The `filter` of subscriptions, which has no `not` and joins the operators of one field by or.
    case subscription
}

/// What of a predicate a service can be asked for.
public struct SentFilter: Sendable, Hashable {
    /// What is sent, true of every record of which the predicate is; `nil` to ask for everything.
    public var json: WireValue?
    /// What is left to decide here, since the predicate is true of a record if both are; `nil` if ``json`` says it all.
    public var residual: Predicate?

    /// Creates a filter.
    public init(json: WireValue? = nil, residual: Predicate? = nil) {
        self.json = json
        self.residual = residual
    }
}

extension WireModel {
    /// A predicate as a filter or condition of the service.
    ///
    /// - Parameters:
    ///   - predicate: The predicate, by the names of the store's columns; see `ModelSchema.lowered(_:)`.
    ///   - dialect: Where it is sent.
    /// - Returns: What is sent, and what is left to decide after that.
    public func filter(for predicate: Predicate, in dialect: FilterDialect) -> SentFilter {
        let writer = FilterWriter(model: self, dialect: dialect)
        let predicate = predicate.normal
        let (sent, isExact) = writer.sent(predicate)
        // Only queries have a filter that matches no record.
        if sent == .nothing, dialect != .query { return SentFilter(residual: .constant(false)) }
        let json = writer.json(sent)
        if isExact { return SentFilter(json: json) }
        guard case .and(let parts) = predicate, sent != .everything else {
            return SentFilter(json: json, residual: predicate)
        }
        let rest = parts.filter { !writer.sentAsPart($0) }
        return SentFilter(json: json, residual: rest.count == 1 ? rest[0] : .and(rest))
    }

    /// A sync expression as the filter of a sync query.
    ///
    /// Its conditions are ordered as by ``syncFilter(ordering:)``.
    public func syncFilter(for predicate: Predicate) -> SentFilter {
        var filter = filter(for: predicate, in: .query)
        filter.json = filter.json.map(syncFilter(ordering:))
        return filter
    }

    /// A filter as that of a sync query.
    ///
    /// A lone comparison is wrapped in `and`, and the conditions on the fields of an index come first: then a service
    /// can read the index. AppSync does so if one of the joined conditions is an equality with the first field of an
    /// `@index`, or of a `@primaryKey`, and no other condition but one on the sort field names a field of it. Without such a
    /// one, each record must have a value in the sort fields.
    public func syncFilter(ordering filter: WireValue) -> WireValue {
        if filter["or"] != nil { return filter }
        let fixedFields = Set(columns.filter { $0.isRequired || $0.isReadOnly }.map(\.wireName))
        let order = SyncFilterOrder(keys: queryKeys, fixedFields: fixedFields)
        return ["and": .array(order.ordered(filter["and"]?.array ?? [filter]))]
    }
}
