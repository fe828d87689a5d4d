public import HoldfastModel

/// A place on earth, as a type that is embedded.
public struct Place: Embeddable, Hashable {
    public var city: String
    public var zip: Int?

    public init(city: String, zip: Int? = nil) {
        self.city = city
        self.zip = zip
    }
}

/// One field of every type that a model can have.
public struct Sample: Model {
    public let id: String
    public var text: String?
    public var count: Int?
    public var ratio: Double?
    public var flag: Bool?
    public var day: Temporal.Date?
    public var time: Temporal.Time?
    public var instant: Temporal.DateTime?
    public var seconds: Int?
    public var status: PostStatus?
    public var place: Place?
    public var numbers: [Int?]?
    public var statuses: [PostStatus]?

    public init(id: String) { self.id = id }
}

extension Sample {
    public enum CodingKeys: String, ModelKey {
        case id, text, count, ratio, flag, day, time, instant, seconds, status, place, numbers, statuses
    }

    public static let keys = CodingKeys.self

    public static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [Sample.keys.id]), .index(fields: ["count", "text"], name: "byCount"))
        model.fields(
            .field(keys.id),
            .field(keys.text, is: .optional),
            .field(keys.count, is: .optional, ofType: .int),
            .field(keys.ratio, is: .optional, ofType: .double),
            .field(keys.flag, is: .optional, ofType: .bool),
            .field(keys.day, is: .optional, ofType: .date),
            .field(keys.time, is: .optional, ofType: .time),
            .field(keys.instant, is: .optional, ofType: .dateTime),
            .field(keys.seconds, is: .optional, ofType: .timestamp),
            .field(keys.status, is: .optional, ofType: .enum(type: PostStatus.self)),
            .field(keys.place, is: .optional, ofType: .embedded(type: Place.self)),
            .field(keys.numbers, is: .optional, ofType: .embeddedCollection(of: Int.self)),
            .field(keys.statuses, is: .optional, ofType: .embeddedCollection(of: PostStatus.self)))
    }

    public init(row: RowReader) throws(ModelError) {
        id = try row.read(0)
        text = try row.read(1)
        count = try row.read(2)
        ratio = try row.read(3)
        flag = try row.read(4)
        day = try row.read(5)
        time = try row.read(6)
        instant = try row.read(7)
        seconds = try row.read(8)
        status = try row.read(9)
        place = try row.embeddedIfPresent(10)
        numbers = try row.read(11)
        statuses = try row.read(12)
    }

    public func write(to row: inout RowWriter) throws(ModelError) {
        row.write(id)
        row.write(text)
        row.write(count)
        row.write(ratio)
        row.write(flag)
        row.write(day)
        row.write(time)
        row.write(instant)
        row.write(seconds)
        row.write(status)
        try row.writeEmbedded(place)
        row.write(numbers)
        row.write(statuses)
    }
}
