// The shape of a generated file.
import Foundation
import HoldfastModel

public struct Lesson: Model {
    public let id: String
    public var title: String
    public var pages: Int?
    public var weight: Double?
    public var isLent: Bool?
    public var released: Temporal.Date?
    public var returned: Temporal.DateTime?
    public var reading: Temporal.Time?
    public var stamp: Int?
    public var extra: String?
    public var day: Season?
    public var days: [Season?]?
    public var tags: [String]?
    public var ratings: [Double?]?
    public var origin: Venue?
    public var history: [Venue?]?
    public var course: Course
    public var createdAt: Temporal.DateTime?
    public var updatedAt: Temporal.DateTime?

    public init(
        id: String = UUID().uuidString,
        title: String,
        pages: Int? = nil,
        weight: Double? = nil,
        isLent: Bool? = nil,
        released: Temporal.Date? = nil,
        returned: Temporal.DateTime? = nil,
        reading: Temporal.Time? = nil,
        stamp: Int? = nil,
        extra: String? = nil,
        day: Season? = nil,
        days: [Season?]? = nil,
        tags: [String]? = nil,
        ratings: [Double?]? = nil,
        origin: Venue? = nil,
        history: [Venue?]? = nil,
        course: Course
    ) {
        self.init(
            id: id,
            title: title,
            pages: pages,
            weight: weight,
            isLent: isLent,
            released: released,
            returned: returned,
            reading: reading,
            stamp: stamp,
            extra: extra,
            day: day,
            days: days,
            tags: tags,
            ratings: ratings,
            origin: origin,
            history: history,
            course: course,
            createdAt: nil,
            updatedAt: nil)
    }

    internal init(
        id: String = UUID().uuidString,
        title: String,
        pages: Int? = nil,
        weight: Double? = nil,
        isLent: Bool? = nil,
        released: Temporal.Date? = nil,
        returned: Temporal.DateTime? = nil,
        reading: Temporal.Time? = nil,
        stamp: Int? = nil,
        extra: String? = nil,
        day: Season? = nil,
        days: [Season?]? = nil,
        tags: [String]? = nil,
        ratings: [Double?]? = nil,
        origin: Venue? = nil,
        history: [Venue?]? = nil,
        course: Course,
        createdAt: Temporal.DateTime? = nil,
        updatedAt: Temporal.DateTime? = nil
    ) {
        self.id = id
        self.title = title
        self.pages = pages
        self.weight = weight
        self.isLent = isLent
        self.released = released
        self.returned = returned
        self.reading = reading
        self.stamp = stamp
        self.extra = extra
        self.day = day
        self.days = days
        self.tags = tags
        self.ratings = ratings
        self.origin = origin
        self.history = history
        self.course = course
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
