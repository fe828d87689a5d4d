// The shape of a generated file.
import Foundation
import HoldfastModel

// Contains the set of classes that conforms to the `Model` protocol.

final public class LegacyAmplifyModels: AmplifyModelRegistration {
    public let version: String = "8e1c5d2f7a6b4c3d9e0f1a2b3c4d5e6f"

    public init() {}

    public func registerModels(registry: ModelRegistry.Type) {
        ModelRegistry.register(modelType: School.self)
        ModelRegistry.register(modelType: Course.self)
        ModelRegistry.register(modelType: Lesson.self)
        ModelRegistry.register(modelType: Hall.self)
        ModelRegistry.register(modelType: Invoice.self)
        ModelRegistry.register(modelType: Hire.self)
        ModelRegistry.register(modelType: Artist.self)
        ModelRegistry.register(modelType: Badge.self)
        ModelRegistry.register(modelType: Album.self)
        ModelRegistry.register(modelType: Critique.self)
        ModelRegistry.register(modelType: Style.self)
        ModelRegistry.register(modelType: AlbumStyles.self)
    }
}
