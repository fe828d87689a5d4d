public import HoldfastStorage

extension ModelSchema {
    /// The plan that asks an adapter for records of this model.
    ///
    /// - Throws: ``ModelError`` `.invalidSchema` as ``lowered(_:)``, and for a sort by a relation that holds no key;
    ///   ``/HoldfastStorage/StorageError`` `.misuse` if page × limit exceeds `Int.max`.
    public func plan(
        where predicate: (any QueryPredicate)? = nil, sort: QuerySortInput? = nil,
        paginate: QueryPaginationInput? = nil
    ) throws -> QueryPlan {
        var plan = QueryPlan(name, where: try lowered(predicate ?? QueryPredicateConstant.all))
        for criterion in sort?.criteria ?? [] {
            let columns = columns(named: criterion.field)
            if columns.isEmpty {
                throw ModelError(.invalidSchema, "'\(name).\(criterion.field)' has no stored value to sort by.")
            }
            plan.sort += columns.map { SortKey($0, criterion.isDescending ? .descending : .ascending) }
        }
        if let paginate {
            let (offset, overflow) = paginate.page.multipliedReportingOverflow(by: paginate.limit)
            guard !overflow, let offset = Int(exactly: offset), let limit = Int(exactly: paginate.limit) else {
                throw StorageError(
                    .misuse, "The page number times the limit is too large; continue after a cursor instead.")
            }
            (plan.offset, plan.limit) = (offset, limit)
        }
        return plan
    }

    /// The storage form of a predicate: relations become their key columns.
    ///
    /// - Throws: ``ModelError`` `.invalidSchema` for a comparison of a relation whose key has several fields with
    ///   anything but null, a ``RelatedKey``, or an identifier as text, and for a condition of a type that is not from
    ///   this module.
    public func lowered(_ predicate: any QueryPredicate) throws(ModelError) -> Predicate {
        switch predicate {
        case let operation as QueryPredicateOperation: return try lowered(operation)
        case let group as QueryPredicateGroup:
            var predicates: [Predicate] = []
            for predicate in group.predicates { predicates.append(try lowered(predicate)) }
            return switch group.type {
            case .and: .and(predicates)
            case .or: .or(predicates)
            case .not: .not(.or(predicates))
            }
        case is QueryPredicateConstant: return .all
        default:
            throw ModelError(
                .invalidSchema, "A condition on '\(name)' is of a foreign type; build it from the model's keys.")
        }
    }

    private func lowered(_ operation: QueryPredicateOperation) throws(ModelError) -> Predicate {
        try lowered(operation.operator, of: columns(named: operation.field), called: operation.field)
    }

    /// The storage form of a comparison of some columns: of a value, or of the key of a related record.
    ///
    /// A key of several columns is null if one of them is.
    ///
    /// - Parameters:
    ///   - comparison: The comparison; with a key of several columns only with null, and by a
    ///     ``RelatedKey`` or an identifier as text.
    ///   - columns: The columns.
    ///   - field: Their name in errors.
    /// - Returns: A predicate that names the columns.
    /// - Throws: ``ModelError`` `.invalidSchema` for another comparison of several columns, or of none.
    public func lowered(
        _ comparison: QueryOperator, of columns: [String], called field: String
    ) throws(ModelError) -> Predicate {
        if columns.count == 1 { return lowered(comparison, of: columns[0]) }
        if !columns.isEmpty {
            switch comparison {
            case .equals(let value):
                if let predicate = Self.isEqual(columns, to: value) { return predicate }
            case .notEqual(let value):
                if let predicate = Self.isEqual(columns, to: value) { return .not(predicate) }
            case .attributeExists(let exists):
                let isNull = Predicate.or(columns.map { .compare($0, .equal, .null) })
                return exists ? .not(isNull) : isNull
            default: break
            }
        }
        throw ModelError(
            .invalidSchema, "'\(name).\(field)' has a composite key; compare its target fields instead.")
    }

    /// Whether several columns hold a key, or for `nil` whether one of them is null; `nil` for any other value.
    ///
    /// The parts of an identifier stay text; see ``Predicate/convertingOperands(for:)``.
    private static func isEqual(_ columns: [String], to value: (any Persistable)?) -> Predicate? {
        let components: [Value]
        switch value {
        case nil: return .or(columns.map { .compare($0, .equal, .null) })
        case let key as RelatedKey: components = key.components
        case let identifier as String: components = identifierTexts(in: identifier)?.map { .text($0) } ?? []
        default: return nil
        }
        guard components.count == columns.count else { return nil }
        return .and(zip(columns, components).map { .compare($0, .equal, $1) })
    }

    private func lowered(_ comparison: QueryOperator, of name: String) -> Predicate {
        switch comparison {
        case .notEqual(let value): .compare(name, .notEqual, value?.storageValue ?? .null)
        case .equals(let value): .compare(name, .equal, value?.storageValue ?? .null)
        case .lessOrEqual(let value): .compare(name, .lessOrEqual, value.storageValue)
        case .lessThan(let value): .compare(name, .less, value.storageValue)
        case .greaterOrEqual(let value): .compare(name, .greaterOrEqual, value.storageValue)
        case .greaterThan(let value): .compare(name, .greater, value.storageValue)
        case .contains(let text): .contains(name, .text(text))
        case .notContains(let text): .not(.contains(name, .text(text)))
        case .between(let start, let end): .between(name, start.storageValue, end.storageValue)
        case .beginsWith(let text): .beginsWith(name, text)
        case .attributeExists(let exists): .compare(name, exists ? .notEqual : .equal, .null)
        }
    }

    /// The columns of a field; a name that is not a field is taken as it is, so that target names can be compared.
    public func columns(named field: String) -> [String] {
        self.field(withName: field)?.columns ?? [field]
    }
}
