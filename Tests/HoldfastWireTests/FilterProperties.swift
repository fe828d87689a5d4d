import HoldfastStorage
import HoldfastWire
import Testing

/// What is sent never leaves out a wanted record, and with the residual it is the predicate itself.
@Suite struct FilterProperties {
    /// Numbers from a seed, the same on every machine.
    private struct Generator {
        var state: UInt64

        mutating func next(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(count))
        }

        mutating func pick<T>(_ values: [T]) -> T { values[next(values.count)] }
    }

    private static let instants = [
        "2024-02-29T23:00:00Z", "2024-03-01T00:30:00+05:00", "2024-02-29T12:00:00.5-11:30", "2024-03-02T00:00:00.000Z",
    ]

    private func value(of column: WireColumn, _ generator: inout Generator) throws -> Value {
        switch column.type {
        case .string: .text(generator.pick(["", "a", "ab", "b\u{E9}"]))
        case .int: .integer(Int64(generator.next(4)))
        case .float: generator.next(2) == 0 ? .double(1.5) : .integer(Int64(generator.next(3)))
        case .date: .date(CalendarDate(daysSinceEpoch: Int32(19_780 + generator.next(4))))
        case .time: .time(try ClockTime(parsing: generator.pick(["12:00", "13:00:00.5Z"])))
        case .dateTime: .timestamp(try Timestamp(parsing: generator.pick(Self.instants)))
        case .list: .list(generator.next(2) == 0 ? [] : [.text("a"), .null])
        default: .text("{}")
        }
    }

    private func predicate(
        _ columns: [WireColumn], depth: Int, _ generator: inout Generator
    ) throws -> Predicate {
        switch generator.next(depth > 0 ? 12 : 8) {
        case 8: return .not(try predicate(columns, depth: depth - 1, &generator))
        case 9, 10, 11:
            var parts: [Predicate] = []
            for _ in 0..<generator.next(4) { parts.append(try predicate(columns, depth: depth - 1, &generator)) }
            return generator.next(2) == 0 ? .and(parts) : .or(parts)
        default: break
        }
        let column = generator.pick(columns)
        switch column.type {
        case .list:
            return generator.next(2) == 0 ? .contains(column.name, .text("a")) : .compare(column.name, .equal, .null)
        case .embedded: return .compare(column.name, .equal, .null)
        default: break
        }
        let operand = try value(of: column, &generator)
        switch generator.next(7) {
        case 0: return .compare(column.name, generator.pick([.equal, .notEqual]), .null)
        case 1: return .between(column.name, operand, try value(of: column, &generator))
        case 2: return .isIn(column.name, [operand, try value(of: column, &generator)])
        case 3 where column.type == .string: return .beginsWith(column.name, "a")
        case 4 where column.type == .string: return .contains(column.name, .text("b"))
        default: return .compare(column.name, generator.pick(Predicate.Comparison.allCases), operand)
        }
    }

    @Test(arguments: [FilterDialect.query, .subscription])
    func sentFilterWithResidualIsThePredicate(dialect: FilterDialect) throws {
        let model = WireFixtures.model("Secret")
        let columns = model.columns.filter { $0.name != "id" && !$0.name.hasPrefix("place") }
        let types = Dictionary(uniqueKeysWithValues: model.columns.map { ($0.wireName, $0.type) })
        let names = Dictionary(uniqueKeysWithValues: model.columns.enumerated().map { ($1.wireName, $0) })
        let fields = model.columns.map { FieldSchema($0.wireName, $0.type) }
        let onWire = try StorageSchema(entities: [EntitySchema("S", fields: fields, primaryKey: ["id"])])
        let inStore = try StorageSchema(entities: [
            EntitySchema("S", fields: model.columns.map { FieldSchema($0.name, $0.type) }, primaryKey: ["id"])
        ])
        var (generator, narrowed) = (Generator(state: 42), 0)
        for round in 0..<2_000 {
            let predicate = try predicate(columns, depth: 3, &generator)
            let sent = model.filter(for: predicate, in: dialect)
            if sent.json != nil { narrowed += 1 }
            let received = try ReceivedFilter(sent.json ?? nil, in: dialect) { types[$0] }
            let wanted = try inStore.bind(QueryPlan("S", where: predicate)).predicate
            let left = try inStore.bind(QueryPlan("S", where: sent.residual ?? .all)).predicate
            let asked = try onWire.bind(QueryPlan("S", where: received.predicate)).predicate
            for _ in 0..<8 {
                let row = try model.columns.map { column in
                    guard columns.contains(column) else { return column.name == "id" ? Value.text("k") : .null }
                    let cell = generator.next(4) == 0 ? Value.null : try value(of: column, &generator)
                    return try column.type.canonical(column.type == .float ? cell.asDouble : cell)
                }
                let rest = try received.residual.map { residual in
                    let parts = try residual.predicates.map {
                        ($0, try onWire.bind(QueryPlan("S", where: $0)).predicate)
                    }
                    return residual.matches(
                        value: { names[$0].map { row[$0] } ?? .null },
                        predicate: { asked in parts.first { $0.0 == asked }?.1.matches(row) ?? false })
                }
                let isSent = asked.matches(row) && rest ?? true
                let detail: Comment = "round \(round): \(predicate) sent as \(sent.json?.text ?? "everything")"
                #expect(!wanted.matches(row) || isSent, detail)
                #expect(wanted.matches(row) == (isSent && left.matches(row)), detail)
            }
        }
        #expect(narrowed > 500)
    }
}

extension Value {
    fileprivate var asDouble: Value { if case .integer(let value) = self { .double(Double(value)) } else { self } }
}

extension FilterCondition {
    fileprivate var predicates: [Predicate] {
        switch self {
        case .predicate(let predicate): [predicate]
        case .check: []
        case .and(let parts), .or(let parts): parts.flatMap(\.predicates)
        case .not(let inner): inner.predicates
        }
    }
}
