// The shape of a generated file.
import Foundation
import HoldfastModel

extension Album {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case isbn
        case edition
        case title
        case price
        case inPrint
        case released
        case opensAt
        case tags
        case places
        case artist
        case critiques
        case styles
        case createdAt
        case updatedAt
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let album = Album.keys

        model.authRules = [
            rule(allow: .public, provider: .apiKey, operations: [.create, .update, .delete, .read])
        ]

        model.listPluralName = "Albums"
        model.syncPluralName = "Albums"

        model.attributes(
            .index(fields: ["isbn", "edition"], name: nil),
            .primaryKey(fields: [album.isbn, album.edition])
        )

        model.fields(
            .field(album.isbn, is: .required, ofType: .string),
            .field(album.edition, is: .required, ofType: .int),
            .field(album.title, is: .required, ofType: .string),
            .field(album.price, is: .optional, ofType: .double),
            .field(album.inPrint, is: .optional, ofType: .bool),
            .field(album.released, is: .optional, ofType: .date),
            .field(album.opensAt, is: .optional, ofType: .time),
            .field(album.tags, is: .optional, ofType: .embeddedCollection(of: String.self)),
            .field(album.places, is: .optional, ofType: .embeddedCollection(of: Venue.self)),
            .belongsTo(album.artist, is: .optional, ofType: Artist.self, targetNames: ["artistAlbumsId"]),
            .hasMany(album.critiques, is: .optional, ofType: Critique.self, associatedFields: [Critique.keys.albumCritiquesIsbn, Critique.keys.albumCritiquesEdition]),
            .hasMany(album.styles, is: .optional, ofType: AlbumStyles.self, associatedFields: [AlbumStyles.keys.album]),
            .field(album.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(album.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime)
        )
    }
    public class Path: ModelPath<Album> {}

    public static var rootPath: PropertyContainerPath? { Path() }
}

extension Album: ModelIdentifiable {
    public typealias IdentifierFormat = ModelIdentifierFormat.Custom
    public typealias IdentifierProtocol = ModelIdentifier<Self, ModelIdentifierFormat.Custom>
}

extension Album.IdentifierProtocol {
    public static func identifier(isbn: String, edition: Int) -> Self {
        .make(fields: [(name: "isbn", value: isbn), (name: "edition", value: edition)])
    }
}

extension ModelPath where ModelType == Album {
    public var isbn: FieldPath<String> {
        string("isbn")
    }
    public var edition: FieldPath<Int> {
        int("edition")
    }
    public var title: FieldPath<String> {
        string("title")
    }
    public var price: FieldPath<Double> {
        double("price")
    }
    public var inPrint: FieldPath<Bool> {
        bool("inPrint")
    }
    public var released: FieldPath<Temporal.Date> {
        date("released")
    }
    public var opensAt: FieldPath<Temporal.Time> {
        time("opensAt")
    }
    public var artist: ModelPath<Artist> {
        Artist.Path(name: "artist", parent: self)
    }
    public var critiques: ModelPath<Critique> {
        Critique.Path(name: "critiques", isCollection: true, parent: self)
    }
    public var styles: ModelPath<AlbumStyles> {
        AlbumStyles.Path(name: "styles", isCollection: true, parent: self)
    }
    public var createdAt: FieldPath<Temporal.DateTime> {
        datetime("createdAt")
    }
    public var updatedAt: FieldPath<Temporal.DateTime> {
        datetime("updatedAt")
    }
}
