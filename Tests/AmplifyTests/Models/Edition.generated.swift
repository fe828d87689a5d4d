// The shape of a generated file.
import Amplify
import Foundation

public struct Edition: Model {
    public let isbn: String
    public let number: Int
    public var title: String

    public init(
        isbn: String,
        number: Int,
        title: String
    ) {
        self.isbn = isbn
        self.number = number
        self.title = title
    }
}

extension Edition {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case isbn
        case number
        case title
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
            .field(edition.title, is: .required, ofType: .string)
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
