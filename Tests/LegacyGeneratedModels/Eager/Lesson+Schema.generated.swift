// The shape of a generated file.
import Foundation
import HoldfastModel

extension Lesson {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case id
        case title
        case pages
        case weight
        case isLent
        case released
        case returned
        case reading
        case stamp
        case extra
        case day
        case days
        case tags
        case ratings
        case origin
        case history
        case course
        case createdAt
        case updatedAt
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let lesson = Lesson.keys

        model.listPluralName = "Lessons"
        model.syncPluralName = "Lessons"

        model.attributes(
            .primaryKey(fields: [lesson.id])
        )

        model.fields(
            .field(lesson.id, is: .required, ofType: .string),
            .field(lesson.title, is: .required, ofType: .string),
            .field(lesson.pages, is: .optional, ofType: .int),
            .field(lesson.weight, is: .optional, ofType: .double),
            .field(lesson.isLent, is: .optional, ofType: .bool),
            .field(lesson.released, is: .optional, ofType: .date),
            .field(lesson.returned, is: .optional, ofType: .dateTime),
            .field(lesson.reading, is: .optional, ofType: .time),
            .field(lesson.stamp, is: .optional, ofType: .int),
            .field(lesson.extra, is: .optional, ofType: .string),
            .field(lesson.day, is: .optional, ofType: .enum(type: Season.self)),
            .field(lesson.days, is: .optional, ofType: .embeddedCollection(of: Season.self)),
            .field(lesson.tags, is: .optional, ofType: .embeddedCollection(of: String.self)),
            .field(lesson.ratings, is: .optional, ofType: .embeddedCollection(of: Double.self)),
            .field(lesson.origin, is: .optional, ofType: .embedded(type: Venue.self)),
            .field(lesson.history, is: .optional, ofType: .embeddedCollection(of: Venue.self)),
            .belongsTo(lesson.course, is: .required, ofType: Course.self, targetName: "courseLessonsId"),
            .field(lesson.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(lesson.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime)
        )
    }
}

extension Lesson: ModelIdentifiable {
    public typealias IdentifierFormat = ModelIdentifierFormat.Default
    public typealias IdentifierProtocol = DefaultModelIdentifier<Self>
}
