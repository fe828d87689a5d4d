extension QueryPredicateOperation {
    /// Writes `{"field":…,"operator":{…}}`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PredicateKeys.self)
        try container.encode(field, forKey: .field)
        try container.encode(`operator`, forKey: .operator)
    }
}

extension QueryPredicateGroup {
    /// Writes `{"type":…,"predicates":[…]}`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PredicateKeys.self)
        try container.encode(type.rawValue, forKey: .type)
        var elements = container.nestedUnkeyedContainer(forKey: .predicates)
        for predicate in predicates { try elements.encode(predicate) }
    }
}

extension QueryOperator: Encodable {
    /// Writes `{"type":…,"value":…}`; `between` has `start` and `end` in place of `value`, and `nil` is left out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PredicateKeys.self)
        try container.encode(name, forKey: .type)
        switch self {
        case .notEqual(let value), .equals(let value):
            if let value { try container.encode(value, forKey: .value) }
        case .lessOrEqual(let value), .lessThan(let value), .greaterOrEqual(let value), .greaterThan(let value):
            try container.encode(value, forKey: .value)
        case .contains(let text), .notContains(let text), .beginsWith(let text):
            try container.encode(text, forKey: .value)
        case .between(let start, let end):
            try container.encode(start, forKey: .start)
            try container.encode(end, forKey: .end)
        case .attributeExists(let exists): try container.encode(exists, forKey: .value)
        }
    }

    fileprivate var name: String {
        switch self {
        case .notEqual: "notEqual"
        case .equals: "equals"
        case .lessOrEqual: "lessOrEqual"
        case .lessThan: "lessThan"
        case .greaterOrEqual: "greaterOrEqual"
        case .greaterThan: "greaterThan"
        case .contains: "contains"
        case .notContains: "notContains"
        case .between: "between"
        case .beginsWith: "beginsWith"
        case .attributeExists: "attributeExists"
        }
    }
}

extension QueryOperator: Equatable {
    /// Whether both compare in the same way with values of the same type and representation.
    public static func == (left: QueryOperator, right: QueryOperator) -> Bool {
        switch (left, right) {
        case (.notEqual(let left), .notEqual(let right)), (.equals(let left), .equals(let right)):
            left?.storageValue == right?.storageValue
        case (.lessOrEqual(let left), .lessOrEqual(let right)), (.lessThan(let left), .lessThan(let right)),
            (.greaterOrEqual(let left), .greaterOrEqual(let right)),
            (.greaterThan(let left), .greaterThan(let right)):
            left.storageValue == right.storageValue
        case (.contains(let left), .contains(let right)), (.notContains(let left), .notContains(let right)),
            (.beginsWith(let left), .beginsWith(let right)):
            // Text is the same if its bytes are, as in the store.
            left.storageValue == right.storageValue
        case (.between(let start, let end), .between(let otherStart, let otherEnd)):
            start.storageValue == otherStart.storageValue && end.storageValue == otherEnd.storageValue
        case (.attributeExists(let left), .attributeExists(let right)): left == right
        default: false
        }
    }
}

private enum PredicateKeys: String, CodingKey {
    case field, `operator`, type, predicates, value, start, end
}
