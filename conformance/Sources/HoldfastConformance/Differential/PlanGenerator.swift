package import HoldfastStorage

/// Makes random plans for one entity.
package struct PlanGenerator {
    /// The entity asked about.
    package let entity: EntitySchema
    /// Rows to take operands from, so that comparisons hit.
    private let rows: [[Value]]

    /// Creates a generator.
    package init(entity: EntitySchema, rows: [[Value]]) {
        self.entity = entity
        self.rows = rows
    }

    func query(using random: inout SplitMix64) -> QueryPlan {
        QueryPlan(
            entity.name, where: random.chance(20) ? .all : predicate(depth: 3, using: &random),
            sort: sort(using: &random), limit: random.chance(35) ? random.pick([0, 1, 2, 3, 7, 1_000]) : nil,
            offset: random.chance(20) ? random.pick([1, 2, 5, 100]) : 0, projection: projection(using: &random))
    }

    func scan(using random: inout SplitMix64) -> QueryPlan {
        QueryPlan(
            entity.name, where: random.chance(50) ? .all : predicate(depth: 2, using: &random),
            sort: sort(using: &random))
    }

    func aggregate(using random: inout SplitMix64) -> AggregatePlan {
        var functions: [AggregatePlan.Function] = [.count]
        for field in random.sample(entity.fields, 3) where !field.type.storageType.isList {
            functions.append(random.chance(50) ? .minimum(field.name) : .maximum(field.name))
        }
        // Apart, since a sum that overflows hides the other aggregates.
        let hasSums = random.chance(50)
        for field in entity.fields where [.integer, .double].contains(field.type.storageType) {
            functions.append(hasSums ? .sum(field.name) : .average(field.name))
        }
        return AggregatePlan(
            entity.name, where: random.chance(40) ? .all : predicate(depth: 2, using: &random), functions)
    }

    private func sort(using random: inout SplitMix64) -> [SortKey] {
        let sortable = entity.fields.filter { !$0.type.storageType.isList }
        return random.sample(sortable, random.pick([0, 1, 1, 2, 3])).map {
            SortKey($0.name, random.chance(50) ? .ascending : .descending)
        }
    }

    private func projection(using random: inout SplitMix64) -> [String]? {
        guard random.chance(20) else { return nil }
        return random.sample(entity.fields.map(\.name), random.number(in: 1...entity.fields.count))
    }

    // MARK: Predicates

    /// A tree of conditions over all operators.
    package func predicate(depth: Int, using random: inout SplitMix64) -> Predicate {
        guard depth > 1, random.chance(55) else { return comparison(using: &random) }
        switch random.below(5) {
        case 0, 1: return .not(predicate(depth: depth - 1, using: &random))
        case 2: return .and(group(depth, using: &random))
        case 3: return .or(group(depth, using: &random))
        default: return .constant(random.chance(50))
        }
    }

    private func group(_ depth: Int, using random: inout SplitMix64) -> [Predicate] {
        (0..<random.pick([0, 1, 2, 2, 3])).map { _ in predicate(depth: depth - 1, using: &random) }
    }

    /// For tests: one condition on a field of the key.
    package func keyComparison(using random: inout SplitMix64) -> Predicate {
        comparison(keyField(using: &random), using: &random)
    }

    private func comparison(using random: inout SplitMix64) -> Predicate {
        comparison(random.chance(25) ? keyField(using: &random) : random.pick(entity.fields), using: &random)
    }

    private func comparison(_ field: FieldSchema, using random: inout SplitMix64) -> Predicate {
        if case .list(let element, _) = field.type { return listComparison(field, element, using: &random) }
        let isText = [.text, .json].contains(field.type.storageType)
        switch random.below(isText ? 7 : 5) {
        case 0, 1, 2:
            return .compare(
                field.name, random.pick(Predicate.Comparison.allCases), operand(for: field, using: &random))
        case 3:
            return .between(field.name, operand(for: field, using: &random), operand(for: field, using: &random))
        case 4:
            let count = random.pick([0, 1, 1, 2, 3, 6])
            return .isIn(field.name, (0..<count).map { _ in operand(for: field, using: &random) })
        case 5: return .beginsWith(field.name, random.pick(ValuePool.needles))
        default: return .contains(field.name, .text(random.pick(ValuePool.needles)))
        }
    }

    private func keyField(using random: inout SplitMix64) -> FieldSchema {
        entity.fields[random.pick(entity.primaryKeyPositions)]
    }

    private func listComparison(
        _ field: FieldSchema, _ element: FieldType, using random: inout SplitMix64
    ) -> Predicate {
        switch random.below(4) {
        case 0:
            return .compare(
                field.name, random.chance(50) ? .equal : .notEqual, operand(for: field, using: &random))
        case 1: return .isIn(field.name, (0..<2).map { _ in operand(for: field, using: &random) })
        default: return .contains(field.name, ValuePool.value(of: element, isRequired: false, using: &random))
        }
    }

    /// A text that differs from a stored one a little.
    private func nearMiss(_ cell: Value, _ type: FieldType, using random: inout SplitMix64) -> Value {
        guard case .text(let text) = cell, [.id, .string].contains(type) else { return cell }
        return .text(
            random.pick([text.uppercased(), text.lowercased(), text + " ", String(text.dropLast()), text + "%"]))
    }

    private func operand(for field: FieldSchema, using random: inout SplitMix64) -> Value {
        if random.chance(55), !rows.isEmpty, let position = entity.position(of: field.name) {
            let cell = random.pick(rows)[position]
            return random.chance(30) ? nearMiss(cell, field.type, using: &random) : cell
        }
        switch field.type.storageType {
        case .integer where random.chance(20): return .double(random.pick(ValuePool.doubles))
        case .double where random.chance(20): return .integer(random.pick(ValuePool.integers))
        default: return ValuePool.value(of: field.type, isRequired: false, using: &random)
        }
    }
}
