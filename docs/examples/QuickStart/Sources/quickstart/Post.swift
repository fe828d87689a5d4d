import Foundation
import HoldfastModel

/// A post with a title, in the shape in which models are generated.
public struct Post: Model {
    public let id: String
    public var title: String
    public var rating: Int?
    public var createdAt: Temporal.DateTime

    public init(
        id: String = UUID().uuidString, title: String, rating: Int? = nil, createdAt: Temporal.DateTime = .now()
    ) {
        self.id = id
        self.title = title
        self.rating = rating
        self.createdAt = createdAt
    }
}
