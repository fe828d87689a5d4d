// The shape of a generated file.
import Foundation
import HoldfastModel

public struct BookGenres: Model {
    public let id: String
    internal var _book: LazyReference<Book>
    public var book: Book {
        get async throws {
            try await _book.require()
        }
    }
    internal var _genre: LazyReference<Genre>
    public var genre: Genre {
        get async throws {
            try await _genre.require()
        }
    }
    public var createdAt: Temporal.DateTime?
    public var updatedAt: Temporal.DateTime?

    public init(
        id: String = UUID().uuidString,
        book: Book,
        genre: Genre
    ) {
        self.init(
            id: id,
            book: book,
            genre: genre,
            createdAt: nil,
            updatedAt: nil)
    }

    internal init(
        id: String = UUID().uuidString,
        book: Book,
        genre: Genre,
        createdAt: Temporal.DateTime? = nil,
        updatedAt: Temporal.DateTime? = nil
    ) {
        self.id = id
        self._book = LazyReference(book)
        self._genre = LazyReference(genre)
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    public mutating func setBook(_ book: Book) {
        self._book = LazyReference(book)
    }

    public mutating func setGenre(_ genre: Genre) {
        self._genre = LazyReference(genre)
    }

    public init(from decoder: Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        _book = try values.decodeIfPresent(LazyReference<Book>.self, forKey: .book) ?? LazyReference(identifiers: nil)
        _genre = try values.decodeIfPresent(LazyReference<Genre>.self, forKey: .genre) ?? LazyReference(identifiers: nil)
        createdAt = try? values.decode(Temporal.DateTime?.self, forKey: .createdAt)
        updatedAt = try? values.decode(Temporal.DateTime?.self, forKey: .updatedAt)
    }

    public func encode(to encoder: Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(_book, forKey: .book)
        try container.encode(_genre, forKey: .genre)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(updatedAt, forKey: .updatedAt)
    }
}
