// The shape of a generated file.
import Foundation
import HoldfastModel

extension Course {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case id
        case label
        case capacity
        case isOpen
        case area
        case school
        case lessons
        case createdAt
        case updatedAt
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let course = Course.keys

        model.listPluralName = "Courses"
        model.syncPluralName = "Courses"

        model.attributes(
            .index(fields: ["id"], name: nil),
            .index(fields: ["schoolCoursesId", "label"], name: "bySchool")
        )

        model.fields(
            .field(course.id, is: .required, ofType: .string),
            .field(course.label, is: .required, ofType: .string),
            .field(course.capacity, is: .required, ofType: .int),
            .field(course.isOpen, is: .required, ofType: .bool),
            .field(course.area, is: .optional, ofType: .double),
            .belongsTo(course.school, is: .optional, ofType: School.self, targetName: "schoolCoursesId"),
            .hasMany(course.lessons, is: .optional, ofType: Lesson.self, associatedWith: Lesson.keys.course),
            .field(course.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(course.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime)
        )
    }
}

extension Course: ModelIdentifiable {
    public typealias IdentifierFormat = ModelIdentifierFormat.Default
    public typealias IdentifierProtocol = DefaultModelIdentifier<Self>
}
