// The shape of a generated file.
import Foundation
import HoldfastModel

extension Shelf {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case id
        case label
        case capacity
        case isOpen
        case area
        case library
        case items
        case createdAt
        case updatedAt
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let shelf = Shelf.keys

        model.listPluralName = "Shelves"
        model.syncPluralName = "Shelves"

        model.attributes(
            .index(fields: ["id"], name: nil),
            .index(fields: ["libraryShelvesId", "label"], name: "byLibrary")
        )

        model.fields(
            .field(shelf.id, is: .required, ofType: .string),
            .field(shelf.label, is: .required, ofType: .string),
            .field(shelf.capacity, is: .required, ofType: .int),
            .field(shelf.isOpen, is: .required, ofType: .bool),
            .field(shelf.area, is: .optional, ofType: .double),
            .belongsTo(shelf.library, is: .optional, ofType: Library.self, targetName: "libraryShelvesId"),
            .hasMany(shelf.items, is: .optional, ofType: Item.self, associatedWith: Item.keys.shelf),
            .field(shelf.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(shelf.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime)
        )
    }
}

extension Shelf: ModelIdentifiable {
    public typealias IdentifierFormat = ModelIdentifierFormat.Default
    public typealias IdentifierProtocol = DefaultModelIdentifier<Self>
}
