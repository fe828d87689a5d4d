// The shape of a generated file.
import Amplify
import Foundation

// Contains the set of classes that conforms to the `Model` protocol.

final public class AmplifyModels: AmplifyModelRegistration {
    public let version: String = "5d2f7a6b4c3d9e0f1a2b3c4d5e6f8e1c"

    public init() {}

    public func registerModels(registry: ModelRegistry.Type) {
        ModelRegistry.register(modelType: Post.self)
        ModelRegistry.register(modelType: Comment.self)
        ModelRegistry.register(modelType: User.self)
        ModelRegistry.register(modelType: PostEditor.self)
        ModelRegistry.register(modelType: Edition.self)
        ModelRegistry.register(modelType: Chapter.self)
        ModelRegistry.register(modelType: CustomerOrder.self)
    }
}
