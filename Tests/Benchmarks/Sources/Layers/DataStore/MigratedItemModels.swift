import HoldfastModel

/// The item with a field that it did not have.
struct GrownItem: Model {
    let id: String
    var note: String?

    enum CodingKeys: String, ModelKey { case id, note }

    static let schema = ItemModel.schema(with: .field(CodingKeys.note, is: .optional, ofType: .string))
}

/// The item with a field that follows from another.
struct ScoredItem: Model {
    let id: String
    var score: Int

    enum CodingKeys: String, ModelKey { case id, score }

    static let schema = ItemModel.schema(with: .field(CodingKeys.score, is: .required, ofType: .int))
}

extension ItemModel {
    /// The item's schema with one more field.
    fileprivate static func schema(with field: ModelFieldDefinition) -> ModelSchema {
        defineSchema(name: "Item") { model in
            model.attributes(
                .index(fields: ["status", "createdAt"], name: "byStatus"), .primaryKey(fields: [keys.id]))
            model.fields(
                .field(keys.id, is: .required, ofType: .string),
                .field(keys.title, is: .required, ofType: .string),
                .field(keys.content, is: .required, ofType: .string),
                .field(keys.rating, is: .required, ofType: .int),
                .field(keys.status, is: .required, ofType: .string),
                .field(keys.createdAt, is: .required, ofType: .dateTime),
                field)
        }
    }
}
