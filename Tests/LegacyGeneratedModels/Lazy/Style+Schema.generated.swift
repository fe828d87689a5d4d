// The shape of a generated file.
import Foundation
import HoldfastModel

extension Style {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case id
        case name
        case albums
        case createdAt
        case updatedAt
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let style = Style.keys

        model.listPluralName = "Styles"
        model.syncPluralName = "Styles"

        model.attributes(
            .primaryKey(fields: [style.id])
        )

        model.fields(
            .field(style.id, is: .required, ofType: .string),
            .field(style.name, is: .required, ofType: .string),
            .hasMany(style.albums, is: .optional, ofType: AlbumStyles.self, associatedFields: [AlbumStyles.keys.style]),
            .field(style.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(style.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime)
        )
    }
    public class Path: ModelPath<Style> {}

    public static var rootPath: PropertyContainerPath? { Path() }
}

extension Style: ModelIdentifiable {
    public typealias IdentifierFormat = ModelIdentifierFormat.Default
    public typealias IdentifierProtocol = DefaultModelIdentifier<Self>
}

extension ModelPath where ModelType == Style {
    public var id: FieldPath<String> {
        string("id")
    }
    public var name: FieldPath<String> {
        string("name")
    }
    public var albums: ModelPath<AlbumStyles> {
        AlbumStyles.Path(name: "albums", isCollection: true, parent: self)
    }
    public var createdAt: FieldPath<Temporal.DateTime> {
        datetime("createdAt")
    }
    public var updatedAt: FieldPath<Temporal.DateTime> {
        datetime("updatedAt")
    }
}
