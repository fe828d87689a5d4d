// The shape of a generated file.
import Amplify
import Foundation

public struct Edition: Model {
    public let isbn: String
    public let number: Int
    public var title: String
    public var chapters: List<Chapter>?

    public init(
        isbn: String,
        number: Int,
        title: String,
        chapters: List<Chapter>? = []
    ) {
        self.isbn = isbn
        self.number = number
        self.title = title
        self.chapters = chapters
    }

    public init(from decoder: Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        isbn = try values.decode(String.self, forKey: .isbn)
        number = try values.decode(Int.self, forKey: .number)
        title = try values.decode(String.self, forKey: .title)
        chapters = try values.decodeIfPresent(List<Chapter>?.self, forKey: .chapters) ?? .init()
    }

    public func encode(to encoder: Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(isbn, forKey: .isbn)
        try container.encode(number, forKey: .number)
        try container.encode(title, forKey: .title)
        try container.encode(chapters, forKey: .chapters)
    }
}

extension Edition {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case isbn
        case number
        case title
        case chapters
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let edition = Edition.keys

        model.listPluralName = "Editions"
        model.syncPluralName = "Editions"

        model.attributes(
            .index(fields: ["isbn", "number"], name: nil),
            .primaryKey(fields: [edition.isbn, edition.number])
        )

        model.fields(
            .field(edition.isbn, is: .required, ofType: .string),
            .field(edition.number, is: .required, ofType: .int),
            .field(edition.title, is: .required, ofType: .string),
            .hasMany(edition.chapters, is: .optional, ofType: Chapter.self, associatedFields: [Chapter.keys.edition])
        )
    }
    public class Path: ModelPath<Edition> {}

    public static var rootPath: PropertyContainerPath? { Path() }
}

extension Edition: ModelIdentifiable {
    public typealias IdentifierFormat = ModelIdentifierFormat.Custom
    public typealias IdentifierProtocol = ModelIdentifier<Self, ModelIdentifierFormat.Custom>
}

extension Edition.IdentifierProtocol {
    public static func identifier(
        isbn: String,
        number: Int
    ) -> Self {
        .make(fields: [(name: "isbn", value: isbn), (name: "number", value: number)])
    }
}

extension ModelPath where ModelType == Edition {
    public var isbn: FieldPath<String> {
        string("isbn")
    }
    public var number: FieldPath<Int> {
        int("number")
    }
    public var title: FieldPath<String> {
        string("title")
    }
    public var chapters: ModelPath<Chapter> {
        Chapter.Path(name: "chapters", isCollection: true, parent: self)
    }
}
