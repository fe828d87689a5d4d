import HoldfastModel
import HoldfastSchema
import HoldfastStorage
import HoldfastWire

/// Makes values of fields from numbers: another number makes another value, unless the field has fewer values.
struct ValueMaker: Sendable {
    private let enums: [String: [String]]
    private let embedded: [String: EmbeddedType]

    init(_ graph: ModelGraph) {
        enums = Dictionary(graph.enums.map { ($0.name, $0.cases.map(\.name)) }, uniquingKeysWith: { first, _ in first })
        embedded = Dictionary(graph.embedded.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// A value of a field; of a list one element.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - number: Decides the value.
    ///   - text: Begins texts.
    /// - Returns: The value as a cell of a client.
    func value(of field: ModelTypeField, number: Int, text: String) -> Value {
        value(field, number, text, depth: 0)
    }

    /// Whether each number has a value of its own, which nothing is merged into.
    static func isUnique(_ field: ModelTypeField) -> Bool {
        guard !field.isList else { return false }
        return switch field.value {
        case .string?: field.scalar != "AWSJSON"
        case .int?, .double?, .date?, .dateTime?, .time?: true
        case .bool?, .enumeration?, .embedded?, nil: false
        }
    }

    private func value(_ field: ModelTypeField, _ number: Int, _ text: String, depth: Int) -> Value {
        switch field.value {
        case .string?, nil: .text(Self.text(field.scalar, number, text))
        case .int?: .integer(Int64(field.scalar == "AWSTimestamp" ? 1_700_000_000 + number : 1_000 + number))
        case .double?: .double(Double(number) + 0.5)
        case .bool?: .boolean(number % 2 == 0)
        case .date?: .date(CalendarDate(daysSinceEpoch: Int32(10_000 + number)))
        case .dateTime?:
            .timestamp(
                Timestamp(
                    secondsSinceEpoch: Int64(1_500_000_000 + number), nanoseconds: 0,
                    tail: WrittenForm(offset: 0)))
        case .time?:
            .time(
                ClockTime(
                    nanosecondsSinceMidnight: Int64(abs(number) % 86_400) * 1_000_000_000,
                    tail: WrittenForm(offset: nil)))
        case .enumeration(let name)?:
            enums[name].flatMap { $0.isEmpty ? nil : .text($0[abs(number) % $0.count]) } ?? .null
        case .embedded(let name)?: .text(WireValue.object(object(name, number, text, depth + 1)).text)
        }
    }

    private static func text(_ scalar: String, _ number: Int, _ text: String) -> String {
        switch scalar {
        case "AWSEmail": "\(text)@example.com"
        case "AWSJSON": "{\"\(text)\":\(number)}"
        case "AWSPhone": "+43 1 \(1_000_000 + number)"
        case "AWSURL": "https://example.com/\(text)"
        case "AWSIPAddress": "10.\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"
        default: text
        }
    }

    /// An embedded value, its members in the order in which stores have them; what contains itself ends soon.
    private func object(_ name: String, _ number: Int, _ text: String, _ depth: Int) -> JSONObject {
        var object = JSONObject()
        for field in (embedded[name]?.fields ?? []).sorted(by: { $0.name < $1.name }) {
            let isEmbedded = if case .embedded = field.value { true } else { false }
            if isEmbedded, depth >= 8 || depth >= 2 && !field.isRequired { continue }
            let type: FieldType = isEmbedded ? .embedded("") : .string
            let elements = isEmbedded && depth >= 2 ? [] : [value(field, number, text + field.name, depth: depth)]
            object[field.name] =
                field.isList
                ? WireValue(.list(elements), of: .list(of: type, elementsAreRequired: false))
                : WireValue(value(field, number, text + field.name, depth: depth), of: type)
        }
        return object
    }
}
