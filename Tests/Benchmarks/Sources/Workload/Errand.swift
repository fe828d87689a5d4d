import HoldfastModel
import HoldfastStorage

/// The record of the benchmarks of synchronizing: 10 columns, one index, about 400 bytes as JSON.
struct Errand: Model {
    let id: String
    var title: String
    var content: String
    var rating: Double?
    var count: Int
    var isDone: Bool
    var status: String?
    var listID: String
    var createdAt: Temporal.DateTime?
    var updatedAt: Temporal.DateTime?

    enum CodingKeys: String, ModelKey {
        case id, title, content, rating, count, isDone, status, listID, createdAt, updatedAt
    }

    static let keys = CodingKeys.self

    static let schema = defineSchema { model in
        model.pluralName = "Errands"
        model.attributes(.index(fields: ["listID"], name: "byList"), .primaryKey(fields: [keys.id]))
        model.fields(
            .field(keys.id), .field(keys.title), .field(keys.content),
            .field(keys.rating, is: .optional, ofType: .double), .field(keys.count, ofType: .int),
            .field(keys.isDone, ofType: .bool), .field(keys.status, is: .optional), .field(keys.listID),
            .field(keys.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(keys.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime))
    }

    /// The same model as a service has it, which adds the times.
    static let serviceSchema = """
        type Errand @model @auth(rules: [{ allow: public }]) {
          title: String! content: String! rating: Float count: Int! isDone: Boolean! status: String
          listID: ID! @index(name: "byList")
        }
        """
}

/// Errands by number; the same in every run.
enum Errands {
    /// The cells of a record in a version: the title differs in each, the index entry in every tenth record.
    static func row(_ number: Int, version: Int) -> [Value] {
        let list = (number + (number % 10 == 0 ? version : 0)) % 100
        return [
            .text(id(number)), .text("Title \(number), version \(version)"),
            .text("A few words of content for record \(number), with a \"quotation\" and an é in it"),
            .double(Double(number) / 8), .integer(Int64(number)), .boolean(number.isMultiple(of: 2)),
            number.isMultiple(of: 3) ? .null : .text("OPEN"), .text(id(1_000_000 + list)), .timestamp(time),
            .timestamp(time),
        ]
    }

    /// A new record of an application.
    static func errand(_ number: Int) -> Errand {
        Errand(
            id: id(number), title: "Title \(number)", content: "A few words of content for record \(number)",
            rating: Double(number) / 8, count: number, isDone: false, status: "OPEN", listID: id(1_000_000))
    }

    /// An identifier of 36 bytes, in no order.
    static func id(_ number: Int) -> String {
        var mixed = UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 31)) &* 0xBF58_476D_1CE4_E5B9
        let digits = String(mixed, radix: 16)
        let padded = String(repeating: "0", count: 16 - digits.count) + digits
        return "\(padded.prefix(8))-\(padded.dropFirst(8).prefix(4))-4000-8000-\(padded.dropFirst(12))00000000"
    }

    /// 2026-01-01T00:00:00.000Z.
    private static let time = Timestamp(
        secondsSinceEpoch: 1_767_225_600, nanoseconds: 0, tail: WrittenForm(offset: 0, fractionDigits: 3))
}
