// The shape of a generated file.
import Foundation
import HoldfastModel

extension Hall {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case building
        case number
        case name
        case hires
        case createdAt
        case updatedAt
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let hall = Hall.keys

        model.listPluralName = "Halls"
        model.syncPluralName = "Halls"

        model.attributes(
            .index(fields: ["building", "number"], name: nil),
            .primaryKey(fields: [hall.building, hall.number])
        )

        model.fields(
            .field(hall.building, is: .required, ofType: .string),
            .field(hall.number, is: .required, ofType: .int),
            .field(hall.name, is: .optional, ofType: .string),
            .hasMany(hall.hires, is: .optional, ofType: Hire.self, associatedWith: Hire.keys.hall),
            .field(hall.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(hall.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime)
        )
    }
}

extension Hall: ModelIdentifiable {
    public typealias IdentifierFormat = ModelIdentifierFormat.Custom
    public typealias IdentifierProtocol = ModelIdentifier<Self, ModelIdentifierFormat.Custom>
}

extension Hall.IdentifierProtocol {
    public static func identifier(building: String, number: Int) -> Self {
        .make(fields: [(name: "building", value: building), (name: "number", value: number)])
    }
}
