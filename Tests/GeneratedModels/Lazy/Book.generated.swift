// The shape of a generated file.
import Foundation
import HoldfastModel

public struct Book: Model {
    public let isbn: String
    public let edition: Int
    public var title: String
    public var price: Double?
    public var inPrint: Bool?
    public var released: Temporal.Date?
    public var opensAt: Temporal.Time?
    public var tags: [String]?
    public var places: [Address]?
    internal var _author: LazyReference<Author>
    public var author: Author? {
        get async throws {
            try await _author.get()
        }
    }
    public var reviews: List<Review>?
    public var genres: List<BookGenres>?
    public var createdAt: Temporal.DateTime?
    public var updatedAt: Temporal.DateTime?

    public init(
        isbn: String,
        edition: Int,
        title: String,
        price: Double? = nil,
        inPrint: Bool? = nil,
        released: Temporal.Date? = nil,
        opensAt: Temporal.Time? = nil,
        tags: [String]? = nil,
        places: [Address]? = nil,
        author: Author? = nil,
        reviews: List<Review>? = [],
        genres: List<BookGenres>? = []
    ) {
        self.init(
            isbn: isbn,
            edition: edition,
            title: title,
            price: price,
            inPrint: inPrint,
            released: released,
            opensAt: opensAt,
            tags: tags,
            places: places,
            author: author,
            reviews: reviews,
            genres: genres,
            createdAt: nil,
            updatedAt: nil)
    }

    internal init(
        isbn: String,
        edition: Int,
        title: String,
        price: Double? = nil,
        inPrint: Bool? = nil,
        released: Temporal.Date? = nil,
        opensAt: Temporal.Time? = nil,
        tags: [String]? = nil,
        places: [Address]? = nil,
        author: Author? = nil,
        reviews: List<Review>? = [],
        genres: List<BookGenres>? = [],
        createdAt: Temporal.DateTime? = nil,
        updatedAt: Temporal.DateTime? = nil
    ) {
        self.isbn = isbn
        self.edition = edition
        self.title = title
        self.price = price
        self.inPrint = inPrint
        self.released = released
        self.opensAt = opensAt
        self.tags = tags
        self.places = places
        self._author = LazyReference(author)
        self.reviews = reviews
        self.genres = genres
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    public mutating func setAuthor(_ author: Author? = nil) {
        self._author = LazyReference(author)
    }

    public init(from decoder: Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        isbn = try values.decode(String.self, forKey: .isbn)
        edition = try values.decode(Int.self, forKey: .edition)
        title = try values.decode(String.self, forKey: .title)
        price = try? values.decode(Double?.self, forKey: .price)
        inPrint = try? values.decode(Bool?.self, forKey: .inPrint)
        released = try? values.decode(Temporal.Date?.self, forKey: .released)
        opensAt = try? values.decode(Temporal.Time?.self, forKey: .opensAt)
        tags = try? values.decode([String]?.self, forKey: .tags)
        places = try? values.decode([Address]?.self, forKey: .places)
        _author = try values.decodeIfPresent(LazyReference<Author>.self, forKey: .author) ?? LazyReference(identifiers: nil)
        reviews = try values.decodeIfPresent(List<Review>?.self, forKey: .reviews) ?? .init()
        genres = try values.decodeIfPresent(List<BookGenres>?.self, forKey: .genres) ?? .init()
        createdAt = try? values.decode(Temporal.DateTime?.self, forKey: .createdAt)
        updatedAt = try? values.decode(Temporal.DateTime?.self, forKey: .updatedAt)
    }

    public func encode(to encoder: Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(isbn, forKey: .isbn)
        try container.encode(edition, forKey: .edition)
        try container.encode(title, forKey: .title)
        try container.encode(price, forKey: .price)
        try container.encode(inPrint, forKey: .inPrint)
        try container.encode(released, forKey: .released)
        try container.encode(opensAt, forKey: .opensAt)
        try container.encode(tags, forKey: .tags)
        try container.encode(places, forKey: .places)
        try container.encode(_author, forKey: .author)
        try container.encode(reviews, forKey: .reviews)
        try container.encode(genres, forKey: .genres)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(updatedAt, forKey: .updatedAt)
    }
}
