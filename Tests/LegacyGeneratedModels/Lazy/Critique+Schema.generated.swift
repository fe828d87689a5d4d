// The shape of a generated file.
import Foundation
import HoldfastModel

extension Critique {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case id
        case content
        case albumCritiquesIsbn
        case albumCritiquesEdition
        case createdAt
        case updatedAt
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let critique = Critique.keys

        model.listPluralName = "Critiques"
        model.syncPluralName = "Critiques"

        model.attributes(
            .primaryKey(fields: [critique.id])
        )

        model.fields(
            .field(critique.id, is: .required, ofType: .string),
            .field(critique.content, is: .required, ofType: .string),
            .field(critique.albumCritiquesIsbn, is: .optional, ofType: .string),
            .field(critique.albumCritiquesEdition, is: .optional, ofType: .int),
            .field(critique.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(critique.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime)
        )
    }
    public class Path: ModelPath<Critique> {}

    public static var rootPath: PropertyContainerPath? { Path() }
}

extension Critique: ModelIdentifiable {
    public typealias IdentifierFormat = ModelIdentifierFormat.Default
    public typealias IdentifierProtocol = DefaultModelIdentifier<Self>
}

extension ModelPath where ModelType == Critique {
    public var id: FieldPath<String> {
        string("id")
    }
    public var content: FieldPath<String> {
        string("content")
    }
    public var albumCritiquesIsbn: FieldPath<String> {
        string("albumCritiquesIsbn")
    }
    public var albumCritiquesEdition: FieldPath<Int> {
        int("albumCritiquesEdition")
    }
    public var createdAt: FieldPath<Temporal.DateTime> {
        datetime("createdAt")
    }
    public var updatedAt: FieldPath<Temporal.DateTime> {
        datetime("updatedAt")
    }
}
