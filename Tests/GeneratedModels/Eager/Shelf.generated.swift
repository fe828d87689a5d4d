// The shape of a generated file.
import Foundation
import HoldfastModel

public struct Shelf: Model {
    public let id: String
    public var label: String
    public var capacity: Int
    public var isOpen: Bool
    public var area: Double?
    public var library: Library?
    public var items: List<Item>?
    public var createdAt: Temporal.DateTime?
    public var updatedAt: Temporal.DateTime?

    public init(
        id: String = UUID().uuidString,
        label: String,
        capacity: Int,
        isOpen: Bool,
        area: Double? = nil,
        library: Library? = nil,
        items: List<Item>? = []
    ) {
        self.init(
            id: id,
            label: label,
            capacity: capacity,
            isOpen: isOpen,
            area: area,
            library: library,
            items: items,
            createdAt: nil,
            updatedAt: nil)
    }

    internal init(
        id: String = UUID().uuidString,
        label: String,
        capacity: Int,
        isOpen: Bool,
        area: Double? = nil,
        library: Library? = nil,
        items: List<Item>? = [],
        createdAt: Temporal.DateTime? = nil,
        updatedAt: Temporal.DateTime? = nil
    ) {
        self.id = id
        self.label = label
        self.capacity = capacity
        self.isOpen = isOpen
        self.area = area
        self.library = library
        self.items = items
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
