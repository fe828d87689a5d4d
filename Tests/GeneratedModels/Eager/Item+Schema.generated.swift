// The shape of a generated file.
import Foundation
import HoldfastModel

extension Item {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case id
        case title
        case pages
        case weight
        case isLent
        case released
        case returned
        case reading
        case stamp
        case extra
        case day
        case days
        case tags
        case ratings
        case origin
        case history
        case shelf
        case createdAt
        case updatedAt
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let item = Item.keys

        model.listPluralName = "Items"
        model.syncPluralName = "Items"

        model.attributes(
            .primaryKey(fields: [item.id])
        )

        model.fields(
            .field(item.id, is: .required, ofType: .string),
            .field(item.title, is: .required, ofType: .string),
            .field(item.pages, is: .optional, ofType: .int),
            .field(item.weight, is: .optional, ofType: .double),
            .field(item.isLent, is: .optional, ofType: .bool),
            .field(item.released, is: .optional, ofType: .date),
            .field(item.returned, is: .optional, ofType: .dateTime),
            .field(item.reading, is: .optional, ofType: .time),
            .field(item.stamp, is: .optional, ofType: .int),
            .field(item.extra, is: .optional, ofType: .string),
            .field(item.day, is: .optional, ofType: .enum(type: Weekday.self)),
            .field(item.days, is: .optional, ofType: .embeddedCollection(of: Weekday.self)),
            .field(item.tags, is: .optional, ofType: .embeddedCollection(of: String.self)),
            .field(item.ratings, is: .optional, ofType: .embeddedCollection(of: Double.self)),
            .field(item.origin, is: .optional, ofType: .embedded(type: Address.self)),
            .field(item.history, is: .optional, ofType: .embeddedCollection(of: Address.self)),
            .belongsTo(item.shelf, is: .required, ofType: Shelf.self, targetName: "shelfItemsId"),
            .field(item.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(item.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime)
        )
    }
}

extension Item: ModelIdentifiable {
    public typealias IdentifierFormat = ModelIdentifierFormat.Default
    public typealias IdentifierProtocol = DefaultModelIdentifier<Self>
}
