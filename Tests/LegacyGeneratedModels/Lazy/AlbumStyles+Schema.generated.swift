// The shape of a generated file.
import Foundation
import HoldfastModel

extension AlbumStyles {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case id
        case album
        case style
        case createdAt
        case updatedAt
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let albumStyles = AlbumStyles.keys

        model.listPluralName = "AlbumStyles"
        model.syncPluralName = "AlbumStyles"

        model.attributes(
            .primaryKey(fields: [albumStyles.id])
        )

        model.fields(
            .field(albumStyles.id, is: .required, ofType: .string),
            .belongsTo(albumStyles.album, is: .required, ofType: Album.self, targetNames: ["albumIsbn", "albumEdition"]),
            .belongsTo(albumStyles.style, is: .required, ofType: Style.self, targetNames: ["styleId"]),
            .field(albumStyles.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(albumStyles.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime)
        )
    }
    public class Path: ModelPath<AlbumStyles> {}

    public static var rootPath: PropertyContainerPath? { Path() }
}

extension AlbumStyles: ModelIdentifiable {
    public typealias IdentifierFormat = ModelIdentifierFormat.Default
    public typealias IdentifierProtocol = DefaultModelIdentifier<Self>
}

extension ModelPath where ModelType == AlbumStyles {
    public var id: FieldPath<String> {
        string("id")
    }
    public var album: ModelPath<Album> {
        Album.Path(name: "album", parent: self)
    }
    public var style: ModelPath<Style> {
        Style.Path(name: "style", parent: self)
    }
    public var createdAt: FieldPath<Temporal.DateTime> {
        datetime("createdAt")
    }
    public var updatedAt: FieldPath<Temporal.DateTime> {
        datetime("updatedAt")
    }
}
