package import HoldfastModel

/// A place on earth, as a type that is embedded.
package struct Place: Embeddable, Hashable {
    package var city: String
    package var zip: Int?

    package init(city: String, zip: Int? = nil) {
        self.city = city
        self.zip = zip
    }
}

/// One field of every type that a model can have.
package struct Sample: Model {
    package let id: String
    package var text: String?
    package var count: Int?
    package var ratio: Double?
    package var flag: Bool?
    package var day: Temporal.Date?
    package var time: Temporal.Time?
    package var instant: Temporal.DateTime?
    package var seconds: Int?
    package var status: PostStatus?
    package var place: Place?
    package var numbers: [Int?]?
    package var statuses: [PostStatus]?

    package init(id: String) { self.id = id }
}

extension Sample {
    package enum CodingKeys: String, ModelKey {
        case id, text, count, ratio, flag, day, time, instant, seconds, status, place, numbers, statuses
    }

    package static let keys = CodingKeys.self

    package static let schema = defineSchema { model in
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

    package init(row: RowReader) throws(ModelError) {
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

    package func write(to row: inout RowWriter) throws(ModelError) {
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
