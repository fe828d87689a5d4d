// The shape of a generated file.
import Foundation
import HoldfastModel

extension Address {
    public enum CodingKeys: String, ModelKey {
        case street
        case floors
        case position
    }

    public static let keys = CodingKeys.self

    public static let schema = defineSchema { model in
        let address = Address.keys

        model.listPluralName = "Addresses"
        model.syncPluralName = "Addresses"

        model.fields(
            .field(address.street, is: .required, ofType: .string),
            .field(address.floors, is: .optional, ofType: .embeddedCollection(of: Int.self)),
            .field(address.position, is: .optional, ofType: .embedded(type: Position.self))
        )
    }
}

extension Position {
    public enum CodingKeys: String, ModelKey {
        case latitude
        case longitude
    }

    public static let keys = CodingKeys.self

    public static let schema = defineSchema { model in
        let position = Position.keys

        model.pluralName = "Positions"

        model.fields(
            .field(position.latitude, is: .required, ofType: .double),
            .field(position.longitude, is: .required, ofType: .double)
        )
    }
}
