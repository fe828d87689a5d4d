// The shape of a generated file.
import Amplify
import Foundation

public struct Chapter: Model {
    public let id: String
    public var heading: String
    internal var _edition: LazyReference<Edition>
    public var edition: Edition? {
        get async throws {
            try await _edition.get()
        }
    }
    public var createdAt: Temporal.DateTime?
    public var updatedAt: Temporal.DateTime?

    public init(
        id: String = UUID().uuidString,
        heading: String,
        edition: Edition? = nil
    ) {
        self.init(
            id: id,
            heading: heading,
            edition: edition,
            createdAt: nil,
            updatedAt: nil)
    }

    internal init(
        id: String = UUID().uuidString,
        heading: String,
        edition: Edition? = nil,
        createdAt: Temporal.DateTime? = nil,
        updatedAt: Temporal.DateTime? = nil
    ) {
        self.id = id
        self.heading = heading
        self._edition = LazyReference(edition)
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    public mutating func setEdition(_ edition: Edition? = nil) {
        self._edition = LazyReference(edition)
    }

    public init(from decoder: Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        heading = try values.decode(String.self, forKey: .heading)
        _edition = try values.decodeIfPresent(LazyReference<Edition>.self, forKey: .edition) ?? LazyReference(identifiers: nil)
        createdAt = try? values.decode(Temporal.DateTime?.self, forKey: .createdAt)
        updatedAt = try? values.decode(Temporal.DateTime?.self, forKey: .updatedAt)
    }

    public func encode(to encoder: Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(heading, forKey: .heading)
        try container.encode(_edition, forKey: .edition)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(updatedAt, forKey: .updatedAt)
    }
}

extension Chapter {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case id
        case heading
        case edition
        case createdAt
        case updatedAt
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let chapter = Chapter.keys

        model.listPluralName = "Chapters"
        model.syncPluralName = "Chapters"

        model.attributes(
            .primaryKey(fields: [chapter.id])
        )

        model.fields(
            .field(chapter.id, is: .required, ofType: .string),
            .field(chapter.heading, is: .required, ofType: .string),
            .belongsTo(chapter.edition, is: .optional, ofType: Edition.self, targetNames: ["editionChaptersIsbn", "editionChaptersNumber"]),
            .field(chapter.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(chapter.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime)
        )
    }
    public class Path: ModelPath<Chapter> {}

    public static var rootPath: PropertyContainerPath? { Path() }
}

extension Chapter: ModelIdentifiable {
    public typealias IdentifierFormat = ModelIdentifierFormat.Default
    public typealias IdentifierProtocol = DefaultModelIdentifier<Self>
}

extension ModelPath where ModelType == Chapter {
    public var id: FieldPath<String> {
        string("id")
    }
    public var heading: FieldPath<String> {
        string("heading")
    }
    public var edition: ModelPath<Edition> {
        Edition.Path(name: "edition", parent: self)
    }
}
