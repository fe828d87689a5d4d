// The shape of a generated file.
import Foundation
import HoldfastModel

extension Artist {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case id
        case name
        case tempo
        case home
        case albums
        case badge
        case artistBadgeId
        case createdAt
        case updatedAt
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let artist = Artist.keys

        model.listPluralName = "Artists"
        model.syncPluralName = "Artists"

        model.attributes(
            .index(fields: ["id"], name: nil),
            .primaryKey(fields: [artist.id])
        )

        model.fields(
            .field(artist.id, is: .required, ofType: .string),
            .field(artist.name, is: .required, ofType: .string),
            .field(artist.tempo, is: .optional, ofType: .enum(type: Tempo.self)),
            .field(artist.home, is: .optional, ofType: .embedded(type: Venue.self)),
            .hasMany(artist.albums, is: .optional, ofType: Album.self, associatedFields: [Album.keys.artist]),
            .hasOne(artist.badge, is: .optional, ofType: Badge.self, associatedFields: [Badge.keys.artist], targetNames: ["artistBadgeId"]),
            .field(artist.artistBadgeId, is: .optional, ofType: .string),
            .field(artist.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(artist.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime)
        )
    }
    public class Path: ModelPath<Artist> {}

    public static var rootPath: PropertyContainerPath? { Path() }
}

extension Artist: ModelIdentifiable {
    public typealias IdentifierFormat = ModelIdentifierFormat.Default
    public typealias IdentifierProtocol = DefaultModelIdentifier<Self>
}

extension ModelPath where ModelType == Artist {
    public var id: FieldPath<String> {
        string("id")
    }
    public var name: FieldPath<String> {
        string("name")
    }
    public var albums: ModelPath<Album> {
        Album.Path(name: "albums", isCollection: true, parent: self)
    }
    public var badge: ModelPath<Badge> {
        Badge.Path(name: "badge", parent: self)
    }
    public var artistBadgeId: FieldPath<String> {
        string("artistBadgeId")
    }
    public var createdAt: FieldPath<Temporal.DateTime> {
        datetime("createdAt")
    }
    public var updatedAt: FieldPath<Temporal.DateTime> {
        datetime("updatedAt")
    }
}
