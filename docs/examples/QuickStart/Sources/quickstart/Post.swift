import Foundation
import HoldfastModel

/// A post with a title, in the shape in which models are generated.
struct Post: Model {
    let id: String
    var title: String
    var rating: Int?
    var createdAt: Temporal.DateTime

    init(
        id: String = UUID().uuidString, title: String, rating: Int? = nil, createdAt: Temporal.DateTime = .now()
    ) {
        self.id = id
        self.title = title
        self.rating = rating
        self.createdAt = createdAt
    }
}
