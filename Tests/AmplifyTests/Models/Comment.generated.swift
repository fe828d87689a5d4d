// The shape of a generated file.
import Amplify
import Foundation

public struct Comment: Model {
    public let id: String
    public var content: String?
    public var post: Post?

    public init(
        id: String = UUID().uuidString,
        content: String? = nil,
        post: Post? = nil
    ) {
        self.id = id
        self.content = content
        self.post = post
    }
}

extension Comment {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case id
        case content
        case post
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let comment = Comment.keys

        model.pluralName = "Comments"

        model.fields(
            .id(),
            .field(comment.content, is: .optional, ofType: .string),
            .belongsTo(comment.post, is: .optional, ofType: Post.self, targetName: "commentPostId")
        )
    }
}
