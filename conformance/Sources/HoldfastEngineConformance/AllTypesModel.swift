import HoldfastConformance
import HoldfastModel
import HoldfastStorage

/// One field of every type that a model can have.
struct AllTypesModel: Model {
    enum Grade: String, EnumPersistable {
        case fine = "FINE"
        case poor
    }

    let id: String
    var text: String?
    var count: Int?
    var ratio: Double?
    var flag: Bool?
    var day: Temporal.Date?
    var time: Temporal.Time?
    var instant: Temporal.DateTime?
    var seconds: Int?
    var grade: Grade?
    var cover: Bookshop.Cover?
    var numbers: [Int?]?
    var grades: [Grade]?
    var covers: [Bookshop.Cover]?

    init(_ id: String) { self.id = id }

    enum CodingKeys: String, ModelKey {
        case id, text, count, ratio, flag, day, time, instant, seconds, grade, cover, numbers, grades, covers
    }

    static let keys = CodingKeys.self
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [keys.id]), .index(fields: ["count", "text"], name: "byCount"))
        model.fields(
            .field(keys.id), .field(keys.text, is: .optional), .field(keys.count, is: .optional, ofType: .int),
            .field(keys.ratio, is: .optional, ofType: .double), .field(keys.flag, is: .optional, ofType: .bool),
            .field(keys.day, is: .optional, ofType: .date), .field(keys.time, is: .optional, ofType: .time),
            .field(keys.instant, is: .optional, ofType: .dateTime),
            .field(keys.seconds, is: .optional, ofType: .timestamp),
            .field(keys.grade, is: .optional, ofType: .enum(type: Grade.self)),
            .field(keys.cover, is: .optional, ofType: .embedded(type: Bookshop.Cover.self)),
            .field(keys.numbers, is: .optional, ofType: .embeddedCollection(of: Int.self)),
            .field(keys.grades, is: .optional, ofType: .embeddedCollection(of: Grade.self)),
            .field(keys.covers, is: .optional, ofType: .embeddedCollection(of: Bookshop.Cover.self)))
    }

    /// The empty one, and every value in turn, in key order.
    static func all() throws -> [AllTypesModel] {
        var all = [AllTypesModel("000")]
        func add(_ change: (inout AllTypesModel) throws -> Void) rethrows {
            var specimen = AllTypesModel("\(100 + all.count)")
            try change(&specimen)
            all.append(specimen)
        }
        for text in ["", " a ", "\u{e9}", "e\u{301}", "A", "a", "\r\n", "%_'\"\\", "\u{1F600}", "null", "1"] {
            add { $0.text = text }
        }
        for count in [0, 1, -1, .max, .max - 1, .min, 1 << 53, 1 << 53 + 1, 1 << 31] { add { $0.count = count } }
        for ratio in [0, 0.1, -1.5, 1e300, .leastNormalMagnitude, 9_007_199_254_740_992, 1 / 3, 2] as [Double] {
            add { $0.ratio = ratio }
        }
        for flag in [true, false] { add { $0.flag = flag } }
        for day in ["2024-02-29", "0001-01-01", "9999-12-31", "2024-02-29+02:00"] {
            try add { $0.day = try Temporal.Date(iso8601String: day) }
        }
        for time in ["00:00:00", "23:59:59.999999999", "12:30:00+05:30", "12:30"] {
            try add { $0.time = try Temporal.Time(iso8601String: time) }
        }
        for instant in [
            "2024-02-29T12:30:00Z", "2024-02-29T12:30:00.123456789Z", "2024-02-29T14:30:00.000+02:00",
            "1969-12-31T23:59:59.5Z", "0001-01-01T00:00:00Z", "2024-02-29T12:30:00.120Z",
        ] { try add { $0.instant = try Temporal.DateTime(iso8601String: instant) } }
        for seconds in [0, -1, 1_700_000_000] { add { $0.seconds = seconds } }
        for grade in [Grade.fine, .poor] { add { $0.grade = grade } }
        for colour in ["", "red", "\"b\\", "\u{1F600}"] {
            add { $0.cover = Bookshop.Cover(colour: colour, print: colour.isEmpty ? nil : .init(number: -1)) }
        }
        for numbers in [[], [nil], [3, nil, 1], [.max, .min], [1, 1]] as [[Int?]] { add { $0.numbers = numbers } }
        for grades in [[], [.poor, .fine, .poor]] as [[Grade]] { add { $0.grades = grades } }
        for covers in [[], [Bookshop.Cover(colour: "b"), Bookshop.Cover(colour: "a", print: .init(number: 2))]] {
            add { $0.covers = covers }
        }
        var full = all[all.count - 1]
        (full.text, full.count, full.ratio, full.flag) = ("full", 7, 7.5, true)
        (full.numbers, full.grades, full.cover) = ([7], [.fine], Bookshop.Cover(colour: "full"))
        all[all.count - 1] = full
        return all
    }
}
