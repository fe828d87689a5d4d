// The shape of a generated file.
import Amplify
import Foundation

public struct PostEditor: Model {
    public let id: String
    public var post: Post
    public var editor: User

    public init(
        id: String = UUID().uuidString,
        post: Post,
        editor: User
    ) {
        self.id = id
        self.post = post
        self.editor = editor
    }
}

extension PostEditor {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case id
        case post
        case editor
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let postEditor = PostEditor.keys

        model.pluralName = "PostEditors"

        model.fields(
            .id(),
            .belongsTo(postEditor.post, is: .required, ofType: Post.self, targetName: "postID"),
            .belongsTo(postEditor.editor, is: .required, ofType: User.self, targetName: "editorID")
        )
    }
}
