import HoldfastModel

extension Post {
    enum CodingKeys: String, ModelKey {
        case id, title, rating, createdAt
    }

    static let keys = CodingKeys.self

    static let schema = defineSchema { model in
        model.attributes(
            .index(fields: ["rating", "createdAt"], name: "byRating"),
            .primaryKey(fields: [keys.id]))
        model.fields(
            .field(keys.id, is: .required, ofType: .string),
            .field(keys.title, is: .required, ofType: .string),
            .field(keys.rating, is: .optional, ofType: .int),
            .field(keys.createdAt, is: .required, ofType: .dateTime))
    }
}
