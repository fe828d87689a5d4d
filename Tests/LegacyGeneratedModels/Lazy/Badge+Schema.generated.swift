// The shape of a generated file.
import Foundation
import HoldfastModel

extension Badge {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case id
        case number
        case artist
        case createdAt
        case updatedAt
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let badge = Badge.keys

        model.listPluralName = "Badges"
        model.syncPluralName = "Badges"

        model.attributes(
            .index(fields: ["id"], name: nil),
            .primaryKey(fields: [badge.id])
        )

        model.fields(
            .field(badge.id, is: .required, ofType: .string),
            .field(badge.number, is: .required, ofType: .int),
            .belongsTo(badge.artist, is: .required, ofType: Artist.self, targetNames: ["badgeArtistId"]),
            .field(badge.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(badge.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime)
        )
    }
    public class Path: ModelPath<Badge> {}

    public static var rootPath: PropertyContainerPath? { Path() }
}

extension Badge: ModelIdentifiable {
    public typealias IdentifierFormat = ModelIdentifierFormat.Default
    public typealias IdentifierProtocol = DefaultModelIdentifier<Self>
}

extension ModelPath where ModelType == Badge {
    public var id: FieldPath<String> {
        string("id")
    }
    public var number: FieldPath<Int> {
        int("number")
    }
    public var artist: ModelPath<Artist> {
        Artist.Path(name: "artist", parent: self)
    }
    public var createdAt: FieldPath<Temporal.DateTime> {
        datetime("createdAt")
    }
    public var updatedAt: FieldPath<Temporal.DateTime> {
        datetime("updatedAt")
    }
}
