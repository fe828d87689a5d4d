// The shape of a generated file.
import Foundation
import HoldfastModel

public struct Booking: Model {
    public let id: String
    public var day: Temporal.Date
    public var room: Room?
    public var receipt: Receipt?
    public var bookingReceiptCode: String?
    public var createdAt: Temporal.DateTime?
    public var updatedAt: Temporal.DateTime?

    public init(
        id: String = UUID().uuidString,
        day: Temporal.Date,
        room: Room? = nil,
        receipt: Receipt? = nil,
        bookingReceiptCode: String? = nil
    ) {
        self.init(
            id: id,
            day: day,
            room: room,
            receipt: receipt,
            bookingReceiptCode: bookingReceiptCode,
            createdAt: nil,
            updatedAt: nil)
    }

    internal init(
        id: String = UUID().uuidString,
        day: Temporal.Date,
        room: Room? = nil,
        receipt: Receipt? = nil,
        bookingReceiptCode: String? = nil,
        createdAt: Temporal.DateTime? = nil,
        updatedAt: Temporal.DateTime? = nil
    ) {
        self.id = id
        self.day = day
        self.room = room
        self.receipt = receipt
        self.bookingReceiptCode = bookingReceiptCode
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
