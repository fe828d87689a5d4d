// The shape of a generated file.
import Foundation
import HoldfastModel

extension Review {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case id
        case content
        case bookReviewsIsbn
        case bookReviewsEdition
        case createdAt
        case updatedAt
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let review = Review.keys

        model.listPluralName = "Reviews"
        model.syncPluralName = "Reviews"

        model.attributes(
            .primaryKey(fields: [review.id])
        )

        model.fields(
            .field(review.id, is: .required, ofType: .string),
            .field(review.content, is: .required, ofType: .string),
            .field(review.bookReviewsIsbn, is: .optional, ofType: .string),
            .field(review.bookReviewsEdition, is: .optional, ofType: .int),
            .field(review.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(review.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime)
        )
    }
    public class Path: ModelPath<Review> {}

    public static var rootPath: PropertyContainerPath? { Path() }
}

extension Review: ModelIdentifiable {
    public typealias IdentifierFormat = ModelIdentifierFormat.Default
    public typealias IdentifierProtocol = DefaultModelIdentifier<Self>
}

extension ModelPath where ModelType == Review {
    public var id: FieldPath<String> {
        string("id")
    }
    public var content: FieldPath<String> {
        string("content")
    }
    public var bookReviewsIsbn: FieldPath<String> {
        string("bookReviewsIsbn")
    }
    public var bookReviewsEdition: FieldPath<Int> {
        int("bookReviewsEdition")
    }
    public var createdAt: FieldPath<Temporal.DateTime> {
        datetime("createdAt")
    }
    public var updatedAt: FieldPath<Temporal.DateTime> {
        datetime("updatedAt")
    }
}
