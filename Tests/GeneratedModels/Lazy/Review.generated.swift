// The shape of a generated file.
import Foundation
import HoldfastModel

public struct Review: Model {
    public let id: String
    public var content: String
    public var bookReviewsIsbn: String?
    public var bookReviewsEdition: Int?
    public var createdAt: Temporal.DateTime?
    public var updatedAt: Temporal.DateTime?

    public init(
        id: String = UUID().uuidString,
        content: String,
        bookReviewsIsbn: String? = nil,
        bookReviewsEdition: Int? = nil
    ) {
        self.init(
            id: id,
            content: content,
            bookReviewsIsbn: bookReviewsIsbn,
            bookReviewsEdition: bookReviewsEdition,
            createdAt: nil,
            updatedAt: nil)
    }

    internal init(
        id: String = UUID().uuidString,
        content: String,
        bookReviewsIsbn: String? = nil,
        bookReviewsEdition: Int? = nil,
        createdAt: Temporal.DateTime? = nil,
        updatedAt: Temporal.DateTime? = nil
    ) {
        self.id = id
        self.content = content
        self.bookReviewsIsbn = bookReviewsIsbn
        self.bookReviewsEdition = bookReviewsEdition
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    public init(from decoder: Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        content = try values.decode(String.self, forKey: .content)
        bookReviewsIsbn = try? values.decode(String?.self, forKey: .bookReviewsIsbn)
        bookReviewsEdition = try? values.decode(Int?.self, forKey: .bookReviewsEdition)
        createdAt = try? values.decode(Temporal.DateTime?.self, forKey: .createdAt)
        updatedAt = try? values.decode(Temporal.DateTime?.self, forKey: .updatedAt)
    }

    public func encode(to encoder: Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(content, forKey: .content)
        try container.encode(bookReviewsIsbn, forKey: .bookReviewsIsbn)
        try container.encode(bookReviewsEdition, forKey: .bookReviewsEdition)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(updatedAt, forKey: .updatedAt)
    }
}
