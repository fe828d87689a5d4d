// The shape of a generated file.
import Foundation
import HoldfastModel

public struct Course: Model {
    public let id: String
    public var label: String
    public var capacity: Int
    public var isOpen: Bool
    public var area: Double?
    public var school: School?
    public var lessons: List<Lesson>?
    public var createdAt: Temporal.DateTime?
    public var updatedAt: Temporal.DateTime?

    public init(
        id: String = UUID().uuidString,
        label: String,
        capacity: Int,
        isOpen: Bool,
        area: Double? = nil,
        school: School? = nil,
        lessons: List<Lesson>? = []
    ) {
        self.init(
            id: id,
            label: label,
            capacity: capacity,
            isOpen: isOpen,
            area: area,
            school: school,
            lessons: lessons,
            createdAt: nil,
            updatedAt: nil)
    }

    internal init(
        id: String = UUID().uuidString,
        label: String,
        capacity: Int,
        isOpen: Bool,
        area: Double? = nil,
        school: School? = nil,
        lessons: List<Lesson>? = [],
        createdAt: Temporal.DateTime? = nil,
        updatedAt: Temporal.DateTime? = nil
    ) {
        self.id = id
        self.label = label
        self.capacity = capacity
        self.isOpen = isOpen
        self.area = area
        self.school = school
        self.lessons = lessons
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
