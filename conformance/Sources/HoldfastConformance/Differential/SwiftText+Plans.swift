import HoldfastStorage

extension SwiftText {
    static func query(_ plan: QueryPlan) -> String {
        var parts = [string(plan.entity)]
        if plan.predicate != .all { parts.append("where: \(predicate(plan.predicate))") }
        if !plan.sort.isEmpty {
            let keys = plan.sort.map { key in
                "SortKey(\(string(key.field))\(key.direction == .descending ? ", .descending" : ""))"
            }
            parts.append("sort: [\(keys.joined(separator: ", "))]")
        }
        if let limit = plan.limit { parts.append("limit: \(limit)") }
        if plan.offset != 0 { parts.append("offset: \(plan.offset)") }
        if let after = plan.after { parts.append("after: Cursor(\(list(after.values)))") }
        if let projection = plan.projection {
            parts.append("projection: [\(projection.map(string).joined(separator: ", "))]")
        }
        return "QueryPlan(\(parts.joined(separator: ", ")))"
    }

    static func aggregate(_ plan: AggregatePlan) -> String {
        let functions = plan.functions.map { function in
            switch function {
            case .count: ".count"
            case .sum(let field): ".sum(\(string(field)))"
            case .minimum(let field): ".minimum(\(string(field)))"
            case .maximum(let field): ".maximum(\(string(field)))"
            case .average(let field): ".average(\(string(field)))"
            }
        }
        let condition = plan.predicate == .all ? "" : ", where: \(predicate(plan.predicate))"
        return "AggregatePlan(\(string(plan.entity))\(condition), [\(functions.joined(separator: ", "))])"
    }

    static func predicate(_ predicate: Predicate) -> String {
        switch predicate {
        case .constant(let truth): ".constant(\(truth))"
        case .compare(let field, let comparison, let operand):
            ".compare(\(string(field)), .\(comparison), \(value(operand)))"
        case .between(let field, let lower, let upper):
            ".between(\(string(field)), \(value(lower)), \(value(upper)))"
        case .isIn(let field, let values): ".isIn(\(string(field)), \(list(values)))"
        case .beginsWith(let field, let needle): ".beginsWith(\(string(field)), \(string(needle)))"
        case .contains(let field, let operand): ".contains(\(string(field)), \(value(operand)))"
        case .not(let inner): ".not(\(self.predicate(inner)))"
        case .and(let all): ".and([\(all.map(self.predicate).joined(separator: ", "))])"
        case .or(let any): ".or([\(any.map(self.predicate).joined(separator: ", "))])"
        }
    }
}
