// The shape of a generated file.
import Foundation
import HoldfastModel

extension Venue {
    public enum CodingKeys: String, ModelKey {
        case street
        case floors
        case spot
    }

    public static let keys = CodingKeys.self

    public static let schema = defineSchema { model in
        let venue = Venue.keys

        model.listPluralName = "Venuees"
        model.syncPluralName = "Venuees"

        model.fields(
            .field(venue.street, is: .required, ofType: .string),
            .field(venue.floors, is: .optional, ofType: .embeddedCollection(of: Int.self)),
            .field(venue.spot, is: .optional, ofType: .embedded(type: Spot.self))
        )
    }
}

extension Spot {
    public enum CodingKeys: String, ModelKey {
        case latitude
        case longitude
    }

    public static let keys = CodingKeys.self

    public static let schema = defineSchema { model in
        let spot = Spot.keys

        model.pluralName = "Spots"

        model.fields(
            .field(spot.latitude, is: .required, ofType: .double),
            .field(spot.longitude, is: .required, ofType: .double)
        )
    }
}
