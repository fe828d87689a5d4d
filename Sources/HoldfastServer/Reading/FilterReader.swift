import HoldfastGraphQL
import HoldfastSchema
import HoldfastStorage
import HoldfastWire

/// Reads filters and conditions of requests as conditions on the records of a model.
struct FilterReader {
    let model: ServerModel
    /// Who filters; a field that the identity may not read cannot be compared.
    let identity: Identity
    /// What the identity needs one of to compare a field; rules may allow a part of reading.
    var actions: Set<ModelAccess.Action> = [.list]
    /// Whether it is the filter of a subscription, which compares what is shown of an event: of several comparisons of
    /// one field one is enough, and owners have the names that clients know.
    var isOfSubscription = false
    /// Whether it is a condition on a record that the identity may not be allowed to read.
    var judgesRecords = false

    /// The condition that a filter states.
    ///
    /// - Parameter filter: A coerced filter or condition; null states none.
    /// - Returns: The condition; every record satisfies it if the filter is null.
    /// - Throws: ``RequestFault`` if it compares a field that the identity may not read, or has too many values;
    ///   ``StorageError`` if a comparison is not valid.
    func filter(_ filter: WireValue) throws -> RecordFilter {
        try RecordFilter(test(filter), on: model)
    }

    func test(_ filter: WireValue) throws -> FilterTest {
        guard filter.leafCount <= FilterLimits.valueCount else {
            // Clients send again what exceeds a limit, but this never becomes shorter.
            throw RequestFault("BadRequest", "A filter or condition has at most \(FilterLimits.valueCount) values.")
        }
        return try part(filter)
    }

    private func part(_ filter: WireValue) throws -> FilterTest {
        guard let members = filter.object?.members else { return .always }
        var tests: [FilterTest] = []
        for member in members where !member.value.isNull {
            switch (member.name, member.value) {
            case ("and", .array(let parts)) where model.column("and") == nil: tests.append(.and(try self.tests(parts)))
            case ("or", .array(let parts)) where model.column("or") == nil: tests.append(.or(try self.tests(parts)))
            case ("not", let part) where model.column("not") == nil: tests.append(.not(try self.part(part)))
            default: tests.append(try comparisons(of: member))
            }
        }
        return tests.count == 1 ? tests[0] : .and(tests)
    }

    private func tests(_ parts: [WireValue]) throws -> [FilterTest] {
        var tests: [FilterTest] = []
        for part in parts { tests.append(try self.part(part)) }
        return tests
    }

    /// The comparisons of one field.
    private func comparisons(of member: JSONObject.Member) throws -> FilterTest {
        guard let readable = try readable(member.name) else { return try allComparisons(of: member) }
        return .and([.stored(readable, try model.bind(readable)), try allComparisons(of: member)])
    }

    /// Where the identity may read each of some fields, which decide what a list has and in which order.
    ///
    /// - Throws: ``RequestFault`` if it may not read one of them.
    func readable(_ fields: [String]) throws(RequestFault) -> [Predicate] {
        var predicates: [Predicate] = []
        for field in fields { if let readable = try readable(field) { predicates.append(readable) } }
        return predicates
    }

    /// Where the identity may read a field; `nil` if it may everywhere.
    private func readable(_ field: String) throws(RequestFault) -> Predicate? {
        var right = Right.allow
        if model.distinguishesFields(for: identity) { right = model.right(actions, of: field, for: identity) }
        if judgesRecords, !model.hasFieldRules, !model.isOpen(field) {
            right = right.and(model.right(actions, for: identity))
        }
        switch right {
        case .allow: return nil
        case .deny: throw .unauthorized(fields: [field])
        case .when(let predicate): return predicate
        }
    }

    private func allComparisons(of member: JSONObject.Member) throws -> FilterTest {
        var tests: [FilterTest] = []
        for comparison in member.value.object?.members ?? [] {
            tests.append(try self.comparison(comparison.name, comparison.value, of: model.column(member.name)))
        }
        guard isOfSubscription, !tests.isEmpty else { return tests.count == 1 ? tests[0] : .and(tests) }
        let test = FilterTest.or(tests)
        guard let column = model.column(member.name), column.isOwner else { return test }
        return .ofShortOwner(column.position, test)
    }

    /// One comparison; a field that the model does not have is null in every record.
    private func comparison(
        _ name: String, _ operand: WireValue, of column: ServerModel.Column?
    ) throws -> FilterTest {
        guard let column else { return name == "ne" || name == "notIn" ? .always : .never }
        let field = column.name
        switch name {
        case "attributeExists":
            let isNull = Predicate.compare(field, .equal, .null)
            return try stored(operand == .boolean(true) ? .not(isNull) : isNull)
        case "attributeType": return .type(column.position, operand.string ?? "")
        case "size":
            var tests: [FilterTest] = []
            for member in operand.object?.members ?? [] {
                guard let predicate = predicate(member.name, "size", member.value) else { continue }
                tests.append(.size(column.position, try ServerModel.bindSize(predicate)))
            }
            return .and(tests)
        case "notContains":
            let contains = try leaf("contains", operand, column)
            return .and([try stored(.not(.compare(field, .equal, .null))), .not(contains)])
        case "notIn": return .not(try leaf("in", operand, column))
        default: return try leaf(name, operand, column)
        }
    }

    /// A comparison that the store decides if the operand is a value of the field, otherwise one of text.
    func leaf(
        _ name: String, _ operand: WireValue, _ column: ServerModel.Column
    ) throws(StorageError) -> FilterTest {
        guard let predicate = predicate(name, column.name, operand) else { return .never }
        if let bound = try? model.bind(predicate) { return .stored(predicate, bound) }
        // A list is never equal to a single value, nor less or greater than one.
        guard !column.reference.isList else { return name == "ne" ? .always : .never }
        guard let test = textTest(name, operand) else { return .never }
        return .text(column.position, test)
    }

    private func stored(_ predicate: Predicate) throws(StorageError) -> FilterTest {
        .stored(predicate, try model.bind(predicate))
    }

    private func predicate(_ name: String, _ field: String, _ operand: WireValue) -> Predicate? {
        if let comparison = Self.comparisons[name] { return .compare(field, comparison, operand.operand) }
        switch (name, operand) {
        case ("between", .array(let bounds)) where bounds.count == 2:
            return .between(field, bounds[0].operand, bounds[1].operand)
        case ("beginsWith", .string(let text)): return .beginsWith(field, text)
        case ("contains", let value): return .contains(field, value.operand)
        case ("in", .array(let values)): return .isIn(field, values.map(\.operand))
        default: return nil
        }
    }

    private func textTest(_ name: String, _ operand: WireValue) -> FilterTest.TextTest? {
        if let comparison = Self.comparisons[name] { return operand.string.map { .compare(comparison, $0) } }
        switch (name, operand) {
        case ("between", .array(let bounds)) where bounds.count == 2:
            guard let lower = bounds[0].string, let upper = bounds[1].string else { return nil }
            return .between(lower, upper)
        case ("beginsWith", .string(let text)): return .beginsWith(text)
        case ("contains", .string(let text)): return .contains(text)
        default: return nil
        }
    }

    private static let comparisons: [String: Predicate.Comparison] = [
        "eq": .equal, "ne": .notEqual, "lt": .less, "le": .lessOrEqual, "gt": .greater, "ge": .greaterOrEqual,
    ]
}

extension WireValue {
    /// The value as the operand of a predicate.
    var operand: HoldfastStorage.Value {
        switch self {
        case .null, .object: .null
        case .boolean(let boolean): .boolean(boolean)
        case .number(let number):
            if let integer = Int64(number.text) { .integer(integer) } else { .double(number.double ?? 0) }
        case .string(let text): .text(text)
        case .array(let elements): .list(elements.map(\.operand))
        }
    }
}
