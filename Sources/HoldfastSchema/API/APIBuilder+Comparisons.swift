import HoldfastGraphQL

// The inputs that filters of all models share.
extension APIBuilder {
    func comparisonInputs() -> [TypeDefinition] {
        var result: [TypeDefinition] = []
        for scalar in ComparisonScalar.allCases {
            result.append(comparison(of: scalar))
            result.append(subscriptionComparison(of: scalar))
            if keyConditions.contains(scalar) { result.append(keyCondition(of: scalar)) }
        }
        for name in comparedEnums.sorted() {
            let type = TypeReference(name)
            result.append(input("Model\(name)Input", [("eq", type), ("ne", type)]))
        }
        for name in comparedEnumLists.sorted() {
            let type = TypeReference(name)
            result.append(
                input(
                    "Model\(name)ListInput",
                    [("eq", type.list), ("ne", type.list), ("contains", type), ("notContains", type)]))
        }
        result.append(input("ModelSizeInput", Self.order(TypeReference("Int"))))
        result.append(
            enumeration(
                "ModelAttributeTypes",
                ["binary", "binarySet", "bool", "list", "map", "number", "numberSet", "string", "stringSet", "_null"]))
        result.append(enumeration("ModelSortDirection", ["ASC", "DESC"]))
        return result
    }

    private typealias Operator = (name: String, type: TypeReference)

    private func input(_ name: String, _ operators: [Operator]) -> TypeDefinition {
        TypeDefinition(name: Name(name), body: .inputObject(operators.map { argument($0.name, $0.type) }))
    }

    private func enumeration(_ name: String, _ values: [String]) -> TypeDefinition {
        TypeDefinition(name: Name(name), body: .enum(values.map { EnumValueDefinition(name: Name($0)) }))
    }

    private static func order(_ type: TypeReference) -> [Operator] {
        ["ne", "eq", "le", "lt", "ge", "gt"].map { ($0, type) } + [("between", type.list)]
    }

    private static func text(_ type: TypeReference) -> [Operator] {
        [("contains", type), ("notContains", type), ("beginsWith", type)]
    }

    private func comparison(of scalar: ComparisonScalar) -> TypeDefinition {
        let type = TypeReference(scalar.rawValue)
        var operators: [Operator] = scalar == .boolean ? [("ne", type), ("eq", type)] : Self.order(type)
        if scalar.isText { operators += Self.text(type) + [("size", TypeReference("ModelSizeInput"))] }
        operators += [
            ("attributeExists", TypeReference("Boolean")), ("attributeType", TypeReference("ModelAttributeTypes")),
        ]
        return input("Model\(scalar.rawValue)Input", operators)
    }

    private func subscriptionComparison(of scalar: ComparisonScalar) -> TypeDefinition {
        let type = TypeReference(scalar.rawValue)
        guard scalar != .boolean else {
            return input("ModelSubscriptionBooleanInput", [("ne", type), ("eq", type)])
        }
        let text = scalar.isText ? Self.text(type) : []
        return input(
            "ModelSubscription\(scalar.rawValue)Input",
            Self.order(type) + text + [("in", type.list), ("notIn", type.list)])
    }

    private func keyCondition(of scalar: ComparisonScalar) -> TypeDefinition {
        let type = TypeReference(scalar.rawValue)
        let order = Self.order(type).filter { $0.name != "ne" }
        return input(
            "Model\(scalar.rawValue)KeyConditionInput", order + (scalar.isText ? [("beginsWith", type)] : []))
    }
}

extension ComparisonScalar {
    /// Whether values can be searched for a part of them.
    fileprivate var isText: Bool { self == .string || self == .id }
}
