// The shape of a generated file.
import Foundation
import HoldfastModel

public struct Library: Model {
    public let id: String
    public var name: String
    public var address: Address?
    public var openingDays: [Weekday]?
    public var branches: [Address]?
    public var shelves: List<Shelf>?
    public var createdAt: Temporal.DateTime?
    public var updatedAt: Temporal.DateTime?

    public init(
        id: String = UUID().uuidString,
        name: String,
        address: Address? = nil,
        openingDays: [Weekday]? = nil,
        branches: [Address]? = nil,
        shelves: List<Shelf>? = []
    ) {
        self.init(
            id: id,
            name: name,
            address: address,
            openingDays: openingDays,
            branches: branches,
            shelves: shelves,
            createdAt: nil,
            updatedAt: nil)
    }

    internal init(
        id: String = UUID().uuidString,
        name: String,
        address: Address? = nil,
        openingDays: [Weekday]? = nil,
        branches: [Address]? = nil,
        shelves: List<Shelf>? = [],
        createdAt: Temporal.DateTime? = nil,
        updatedAt: Temporal.DateTime? = nil
    ) {
        self.id = id
        self.name = name
        self.address = address
        self.openingDays = openingDays
        self.branches = branches
        self.shelves = shelves
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
