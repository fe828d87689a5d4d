// The shape of a generated file.
import Amplify
import Foundation

public struct Post: Model {
    public let id: String
    public var title: String
    public var comments: List<Comment>?
    public var rating: Int
    public var status: String

    public init(
        id: String = UUID().uuidString,
        title: String,
        comments: List<Comment>? = [],
        rating: Int,
        status: String
    ) {
        self.id = id
        self.title = title
        self.comments = comments
        self.rating = rating
        self.status = status
    }
}

extension Post {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case id
        case title
        case comments
        case rating
        case status
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let post = Post.keys

        model.pluralName = "Posts"

        model.fields(
            .id(),
            .field(post.title, is: .required, ofType: .string),
            .hasMany(post.comments, is: .optional, ofType: Comment.self, associatedWith: Comment.keys.post),
            .field(post.rating, is: .required, ofType: .int),
            .field(post.status, is: .required, ofType: .string)
        )
    }
}
