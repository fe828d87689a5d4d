// The shape of a generated file.
import Foundation
import HoldfastModel

extension Booking {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case id
        case day
        case room
        case receipt
        case bookingReceiptCode
        case createdAt
        case updatedAt
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let booking = Booking.keys

        model.authRules = [
            rule(allow: .public, operations: [.create, .update, .delete, .read])
        ]

        model.listPluralName = "Bookings"
        model.syncPluralName = "Bookings"

        model.attributes(
            .primaryKey(fields: [booking.id])
        )

        model.fields(
            .field(booking.id, is: .required, ofType: .string),
            .field(booking.day, is: .required, ofType: .date),
            .belongsTo(booking.room, is: .optional, ofType: Room.self, targetNames: ["roomBookingsBuilding", "roomBookingsNumber"]),
            .hasOne(booking.receipt, is: .optional, ofType: Receipt.self, associatedWith: Receipt.keys.code, targetName: "bookingReceiptCode"),
            .field(booking.bookingReceiptCode, is: .optional, ofType: .string),
            .field(booking.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(booking.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime)
        )
    }
}
