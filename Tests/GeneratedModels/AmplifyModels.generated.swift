// The shape of a generated file.
import Foundation
import HoldfastModel

// Contains the set of classes that conforms to the `Model` protocol.

final public class AmplifyModels: AmplifyModelRegistration {
    public let version: String = "2c9f1d5e8b7a4c3f9e0d1b2a3c4d5e6f"

    public init() {}

    public func registerModels(registry: ModelRegistry.Type) {
        ModelRegistry.register(modelType: Library.self)
        ModelRegistry.register(modelType: Shelf.self)
        ModelRegistry.register(modelType: Item.self)
        ModelRegistry.register(modelType: Room.self)
        ModelRegistry.register(modelType: Receipt.self)
        ModelRegistry.register(modelType: Booking.self)
        ModelRegistry.register(modelType: Author.self)
        ModelRegistry.register(modelType: Passport.self)
        ModelRegistry.register(modelType: Book.self)
        ModelRegistry.register(modelType: Review.self)
        ModelRegistry.register(modelType: Genre.self)
        ModelRegistry.register(modelType: BookGenres.self)
    }
}
