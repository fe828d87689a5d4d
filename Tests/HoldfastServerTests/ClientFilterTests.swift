import HoldfastGraphQL
import HoldfastModel
import HoldfastSchema
import HoldfastStorage
import HoldfastWire
import Testing

@testable import HoldfastServer

/// What a client asks for never leaves out a record that it wants, and with the residual it is the predicate itself.
struct ClientFilterTests {
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

    /// The same fields, as the service and as clients have them.
    private static let source = """
        type Item @model @auth(rules: [{ allow: public }]) {
          name: String
          score: Float
          count: Int
          tags: [String]
          day: AWSDate
          at: AWSTime
          when: AWSDateTime
        }
        """
    private static let fields: [(String, ModelFieldType)] = [
        ("name", .string), ("score", .double), ("count", .int), ("tags", .embeddedCollection(of: String.self)),
        ("day", .date), ("at", .time), ("when", .dateTime),
    ]

    private func models() throws -> (client: WireModel, server: ServerModel) {
        let fields =
            [ModelField(name: "id", type: .string, isRequired: true)]
            + Self.fields.map { ModelField(name: $0, type: $1) }
        let schema = ModelSchema(
            name: "Item", attributes: [.primaryKey(fields: ["id"])],
            fields: Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0) }))
        let service = try ServerSchema(sources: [Source(Self.source)], defaultMode: .apiKey)
        return (try WireModel(schema, among: ["Item": schema]), try #require(service.models.first))
    }

    @Test(arguments: [FilterDialect.query, .subscription])
    func sentFilterWithResidualIsThePredicate(dialect: FilterDialect) throws {
        let (client, server) = try models()
        let reader = FilterReader(model: server, identity: .apiKey, isOfSubscription: dialect == .subscription)
        let columns = client.columns.filter { $0.name != "id" }
        let inStore = try StorageSchema(entities: [
            EntitySchema("S", fields: client.columns.map { FieldSchema($0.name, $0.type) }, primaryKey: ["id"])
        ])
        var (generator, narrowed) = (Generator(state: 42), 0)
        for round in 0..<2_000 {
            let predicate = try predicate(columns, depth: 3, &generator)
            let sent = client.filter(for: predicate, in: dialect)
            if sent.json != nil { narrowed += 1 }
            let received = try reader.filter(sent.json ?? .null)
            let wanted = try inStore.bind(QueryPlan("S", where: predicate)).predicate
            let left = try inStore.bind(QueryPlan("S", where: sent.residual ?? .all)).predicate
            for _ in 0..<8 {
                let row = try client.columns.map { column in
                    guard columns.contains(column) else { return Value.text("k") }
                    let cell = generator.next(4) == 0 ? Value.null : try value(of: column, &generator)
                    return try column.type.canonical(column.type == .float ? cell.asDouble : cell)
                }
                var stored = server.row("k")
                for (column, cell) in zip(client.columns, row) {
                    stored[try #require(server.column(column.wireName)?.position)] = cell
                }
                let isSent = received.matches(stored)
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
