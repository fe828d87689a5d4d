// The shape of a generated file.
import Foundation
import HoldfastModel

public struct Passport: Model {
    public let id: String
    public var number: Int
    internal var _author: LazyReference<Author>
    public var author: Author {
        get async throws {
            try await _author.require()
        }
    }
    public var createdAt: Temporal.DateTime?
    public var updatedAt: Temporal.DateTime?

    public init(
        id: String = UUID().uuidString,
        number: Int,
        author: Author
    ) {
        self.init(
            id: id,
            number: number,
            author: author,
            createdAt: nil,
            updatedAt: nil)
    }

    internal init(
        id: String = UUID().uuidString,
        number: Int,
        author: Author,
        createdAt: Temporal.DateTime? = nil,
        updatedAt: Temporal.DateTime? = nil
    ) {
        self.id = id
        self.number = number
        self._author = LazyReference(author)
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    public mutating func setAuthor(_ author: Author) {
        self._author = LazyReference(author)
    }

    public init(from decoder: Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        number = try values.decode(Int.self, forKey: .number)
        _author = try values.decodeIfPresent(LazyReference<Author>.self, forKey: .author) ?? LazyReference(identifiers: nil)
        createdAt = try? values.decode(Temporal.DateTime?.self, forKey: .createdAt)
        updatedAt = try? values.decode(Temporal.DateTime?.self, forKey: .updatedAt)
    }

    public func encode(to encoder: Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(number, forKey: .number)
        try container.encode(_author, forKey: .author)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(updatedAt, forKey: .updatedAt)
    }
}
