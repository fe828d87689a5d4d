import HoldfastConformance
import HoldfastGraphQL
import HoldfastSchema
import HoldfastStorage
import HoldfastTestSupport

/// Random cells for the fields of a schema.
struct ValueMaker {
    private var enums: [String: [String]] = [:]
    private var embedded: [String: [FieldDefinition]] = [:]

    init(_ sources: [Source]) throws {
        for source in sources {
            for case .type(let type) in try GraphQLDocument(parsing: source).definitions {
                switch type.kind {
                case .enum:
                    enums[type.name.text] = type.values.map(\.name.text)
                    // Schemas of models have the name of the Swift type.
                    enums[SwiftNames.enumType(type.name.text)] = type.values.map(\.name.text)
                case .object: embedded[type.name.text] = type.fields
                default: break
                }
            }
        }
    }

    func value(_ type: FieldType, _ random: inout SplitMix64) -> Value {
        switch type {
        case .int, .timestamp: .integer(.random(in: -9_000_000_000...9_000_000_000, using: &random))
        case .float: .double(Double(Int.random(in: -1000...1000, using: &random)) / 8)
        case .boolean: .boolean(.random(using: &random))
        case .date: .date(CalendarDate(daysSinceEpoch: .random(in: 0...30_000, using: &random)))
        case .time:
            .time(
                ClockTime(
                    nanosecondsSinceMidnight: .random(in: 0..<86_400, using: &random) * 1_000_000_000,
                    tail: WrittenForm(offset: nil)))
        case .dateTime:
            .timestamp(
                Timestamp(
                    secondsSinceEpoch: .random(in: 0...4_000_000_000, using: &random), nanoseconds: 0,
                    tail: WrittenForm(offset: 0, fractionDigits: 0)))
        case .enumeration(let name): .text(enums[name]?.randomElement(using: &random) ?? "")
        case .embedded(let name): .text(object(name, 3, &random))
        case .list(let element, _):
            .list((0..<Int.random(in: 0...3, using: &random)).map { _ in value(element, &random) })
        default: .text(["", "a", "\u{e9} \"b\"", "1/2", "\u{1f30a}"].randomElement(using: &random) ?? "")
        }
    }

    /// An object as JSON.
    private func object(_ name: String, _ depth: Int, _ random: inout SplitMix64) -> String {
        var parts: [String] = []
        for field in embedded[name] ?? [] {
            if !field.type.isNonNull, depth == 0 || Bool.random(using: &random) { continue }
            parts.append("\"\(field.name)\":" + json(field.type, depth, &random))
        }
        return "{" + parts.joined(separator: ",") + "}"
    }

    private func json(_ type: TypeReference, _ depth: Int, _ random: inout SplitMix64) -> String {
        if let element = type.element {
            let count = depth == 0 ? 0 : Int.random(in: 0...2, using: &random)
            return "[" + (0..<count).map { _ in json(element, depth - 1, &random) }.joined(separator: ",") + "]"
        }
        if let values = enums[type.name.text] { return "\"\(values.randomElement(using: &random) ?? "")\"" }
        if embedded[type.name.text] != nil { return object(type.name.text, depth - 1, &random) }
        return switch type.name.text {
        case "Int", "AWSTimestamp": "\(Int.random(in: -9...9, using: &random))"
        case "Float": "\(Double(Int.random(in: -9...9, using: &random)) / 4)"
        case "Boolean": "\(Bool.random(using: &random))"
        case "AWSDateTime": "\"2024-02-29T08:30:00.000Z\""
        default: "\"t\(Int.random(in: 0...9, using: &random))\""
        }
    }
}
