extension StorageSchema {
    /// Checks a query plan and resolves its names.
    ///
    /// Operands take the canonical form of their field's type, so text stands for a date-time where one is wanted;
    /// a number of the other kind becomes the nearest comparison with the field's own kind, exactly.
    ///
    /// - Parameters:
    ///   - plan: The question.
    ///   - limits: The adapter's bounds.
    /// - Returns: The plan with positions instead of names, and with operands and cursors of the right types.
    /// - Throws: ``StorageError`` `.schemaMismatch` for an unknown entity or field, or an operator the field's type
    ///   does not have; `.unrepresentable` for an operand that the field cannot hold; `.misuse` for a negative limit
    ///   or offset, a repeated sort or projection field, or a cursor of another sort; `.limitExceeded`.
    /// - Complexity: O(size of the predicate), plus sorting of `isIn` lists.
    public func bind(
        _ plan: QueryPlan, limits: Capabilities.Limits = Capabilities.Limits()
    ) throws(StorageError) -> BoundQuery {
        let entity = try entity(named: plan.entity)
        if plan.limit.map({ $0 < 0 }) ?? false || plan.offset < 0 {
            throw StorageError(.misuse, "A limit or offset is negative; 0 is the smallest, and nil means no limit.")
        }
        var binder = PredicateBinder(entity: entity, limits: limits)
        let predicate = try binder.bind(plan.predicate)
        let order = try bindOrder(plan.sort, of: entity)
        return BoundQuery(
            entity: entity, predicate: predicate, order: order,
            after: try bindCursor(plan.after, order, of: entity), offset: plan.offset, limit: plan.limit,
            projection: try bindProjection(plan.projection, of: entity))
    }

    /// Checks an aggregate plan and resolves its names.
    ///
    /// - Throws: As ``bind(_:limits:)``; `.schemaMismatch` for a sum or average of a field that is not numeric, or a
    ///   minimum or maximum of a list.
    public func bind(
        _ plan: AggregatePlan, limits: Capabilities.Limits = Capabilities.Limits()
    ) throws(StorageError) -> BoundAggregate {
        let query = try bind(QueryPlan(plan.entity, where: plan.predicate), limits: limits)
        var functions: [BoundAggregate.Function] = []
        for function in plan.functions {
            functions.append(try Self.bind(function, of: query.entity))
        }
        return BoundAggregate(query: query, functions: functions)
    }

    private static func bind(
        _ function: AggregatePlan.Function, of entity: EntitySchema
    ) throws(StorageError) -> BoundAggregate.Function {
        guard let name = function.field else { return .count }
        let position = try entity.requirePosition(of: name)
        let type = entity.fields[position].type.storageType
        switch (function, type) {
        case (.sum, .integer): return .integerSum(position)
        case (.sum, .double): return .doubleSum(position)
        case (.average, .integer), (.average, .double): return .average(position)
        case (.minimum, let type) where !type.isList: return .minimum(position)
        case (.maximum, let type) where !type.isList: return .maximum(position)
        default:
            throw StorageError(
                .schemaMismatch, "'\(entity.name).\(name)' has no such aggregate; its type does not allow it.")
        }
    }

    private func bindOrder(
        _ sort: [SortKey], of entity: EntitySchema
    ) throws(StorageError) -> [BoundQuery.OrderKey] {
        // Most queries name no sort; the fields of the primary key were checked with the schema.
        if sort.isEmpty {
            return entity.primaryKeyPositions.map { BoundQuery.OrderKey(position: $0, isDescending: false) }
        }
        var order: [BoundQuery.OrderKey] = []
        for key in entity.totalOrder(sort) {
            let position = try entity.requirePosition(of: key.field)
            if entity.fields[position].type.storageType.isList {
                throw StorageError(.schemaMismatch, "'\(entity.name).\(key.field)' is a list and has no sort order.")
            }
            if order.contains(where: { $0.position == position }) {
                throw StorageError(.misuse, "The sort names '\(entity.name).\(key.field)' twice.")
            }
            order.append(BoundQuery.OrderKey(position: position, isDescending: key.direction == .descending))
        }
        return order
    }

    private func bindCursor(
        _ cursor: Cursor?, _ order: [BoundQuery.OrderKey], of entity: EntitySchema
    ) throws(StorageError) -> [Value]? {
        guard let cursor else { return nil }
        guard cursor.values.count == order.count else {
            throw StorageError(.misuse, "The cursor belongs to a query with another sort or entity.")
        }
        var values: [Value] = []
        for (key, value) in zip(order, cursor.values) {
            values.append(try entity.canonical(value, at: key.position))
        }
        return values
    }

    private func bindProjection(
        _ projection: [String]?, of entity: EntitySchema
    ) throws(StorageError) -> [Int]? {
        guard let projection else { return nil }
        var positions: [Int] = []
        for name in projection {
            let position = try entity.requirePosition(of: name)
            if positions.contains(position) {
                throw StorageError(.misuse, "The projection names '\(entity.name).\(name)' twice.")
            }
            positions.append(position)
        }
        return positions
    }
}

extension StorageType {
    /// Whether this is a list.
    public var isList: Bool {
        if case .list = self { true } else { false }
    }
}

extension FieldType {
    /// The type of a value that such a field is compared with.
    var operandType: FieldType {
        switch storageType {
        case .text, .json: .string
        default: self
        }
    }
}

extension EntitySchema {
    /// The position of a field in a row.
    ///
    /// - Throws: ``StorageError`` `.schemaMismatch` if the entity has no such field.
    public func requirePosition(of field: String) throws(StorageError) -> Int {
        guard let position = position(of: field) else {
            throw StorageError(.schemaMismatch, "Entity '\(name)' has no field '\(field)'.")
        }
        return position
    }

    /// The canonical form of a value that the field at a position is compared with.
    ///
    /// Any text can be compared with a field that is kept as text, also where the field could not hold it: the
    /// beginning of an e-mail address is a sensible bound of a range of them.
    func canonicalOperand(_ value: Value, at position: Int) throws(StorageError) -> Value {
        try canonical(value, as: fields[position].type.operandType, at: position)
    }

    /// The canonical form of a cell of the field at a position.
    ///
    /// - Throws: ``StorageError`` `.unrepresentable` that names the field and says what it takes.
    func canonical(_ value: Value, at position: Int) throws(StorageError) -> Value {
        try canonical(value, as: fields[position].type, at: position)
    }

    private func canonical(_ value: Value, as type: FieldType, at position: Int) throws(StorageError) -> Value {
        try replacement(for: value, as: type, at: position) ?? value
    }

    /// The canonical form of a cell of the field at a position, `nil` if it is in it already.
    ///
    /// - Throws: As ``canonical(_:at:)``.
    func replacement(for value: Value, at position: Int) throws(StorageError) -> Value? {
        try replacement(for: value, as: fields[position].type, at: position)
    }

    private func replacement(
        for value: Value, as type: FieldType, at position: Int
    ) throws(StorageError) -> Value? {
        do {
            return try type.replacement(for: value)
        } catch {
            throw StorageError(
                .unrepresentable, "'\(name).\(fields[position].name)' cannot hold this value: \(error.reason)")
        }
    }
}
