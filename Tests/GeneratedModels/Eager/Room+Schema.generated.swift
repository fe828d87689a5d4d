// The shape of a generated file.
import Foundation
import HoldfastModel

extension Room {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case building
        case number
        case name
        case bookings
        case createdAt
        case updatedAt
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let room = Room.keys

        model.listPluralName = "Rooms"
        model.syncPluralName = "Rooms"

        model.attributes(
            .index(fields: ["building", "number"], name: nil),
            .primaryKey(fields: [room.building, room.number])
        )

        model.fields(
            .field(room.building, is: .required, ofType: .string),
            .field(room.number, is: .required, ofType: .int),
            .field(room.name, is: .optional, ofType: .string),
            .hasMany(room.bookings, is: .optional, ofType: Booking.self, associatedWith: Booking.keys.room),
            .field(room.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(room.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime)
        )
    }
}

extension Room: ModelIdentifiable {
    public typealias IdentifierFormat = ModelIdentifierFormat.Custom
    public typealias IdentifierProtocol = ModelIdentifier<Self, ModelIdentifierFormat.Custom>
}

extension Room.IdentifierProtocol {
    public static func identifier(building: String, number: Int) -> Self {
        .make(fields: [(name: "building", value: building), (name: "number", value: number)])
    }
}
