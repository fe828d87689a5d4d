// The shape of a generated file.
import Foundation
import HoldfastModel

public struct School: Model {
    public let id: String
    public var name: String
    public var venue: Venue?
    public var openingDays: [Season]?
    public var branches: [Venue]?
    public var courses: List<Course>?
    public var createdAt: Temporal.DateTime?
    public var updatedAt: Temporal.DateTime?

    public init(
        id: String = UUID().uuidString,
        name: String,
        venue: Venue? = nil,
        openingDays: [Season]? = nil,
        branches: [Venue]? = nil,
        courses: List<Course>? = []
    ) {
        self.init(
            id: id,
            name: name,
            venue: venue,
            openingDays: openingDays,
            branches: branches,
            courses: courses,
            createdAt: nil,
            updatedAt: nil)
    }

    internal init(
        id: String = UUID().uuidString,
        name: String,
        venue: Venue? = nil,
        openingDays: [Season]? = nil,
        branches: [Venue]? = nil,
        courses: List<Course>? = [],
        createdAt: Temporal.DateTime? = nil,
        updatedAt: Temporal.DateTime? = nil
    ) {
        self.id = id
        self.name = name
        self.venue = venue
        self.openingDays = openingDays
        self.branches = branches
        self.courses = courses
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
