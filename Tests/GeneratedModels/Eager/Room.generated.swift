// The shape of a generated file.
import Foundation
import HoldfastModel

public struct Room: Model {
    public let building: String
    public let number: Int
    public var name: String?
    public var bookings: List<Booking>?
    public var createdAt: Temporal.DateTime?
    public var updatedAt: Temporal.DateTime?

    public init(
        building: String,
        number: Int,
        name: String? = nil,
        bookings: List<Booking>? = []
    ) {
        self.init(
            building: building,
            number: number,
            name: name,
            bookings: bookings,
            createdAt: nil,
            updatedAt: nil)
    }

    internal init(
        building: String,
        number: Int,
        name: String? = nil,
        bookings: List<Booking>? = [],
        createdAt: Temporal.DateTime? = nil,
        updatedAt: Temporal.DateTime? = nil
    ) {
        self.building = building
        self.number = number
        self.name = name
        self.bookings = bookings
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
