// The shape of a generated file.
import Foundation
import HoldfastModel

public struct Hall: Model {
    public let building: String
    public let number: Int
    public var name: String?
    public var hires: List<Hire>?
    public var createdAt: Temporal.DateTime?
    public var updatedAt: Temporal.DateTime?

    public init(
        building: String,
        number: Int,
        name: String? = nil,
        hires: List<Hire>? = []
    ) {
        self.init(
            building: building,
            number: number,
            name: name,
            hires: hires,
            createdAt: nil,
            updatedAt: nil)
    }

    internal init(
        building: String,
        number: Int,
        name: String? = nil,
        hires: List<Hire>? = [],
        createdAt: Temporal.DateTime? = nil,
        updatedAt: Temporal.DateTime? = nil
    ) {
        self.building = building
        self.number = number
        self.name = name
        self.hires = hires
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
