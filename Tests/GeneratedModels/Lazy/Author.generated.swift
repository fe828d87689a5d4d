// The shape of a generated file.
import Foundation
import HoldfastModel

public struct Author: Model {
    public let id: String
    public var name: String
    public var mood: Mood?
    public var home: Address?
    public var books: List<Book>?
    internal var _passport: LazyReference<Passport>
    public var passport: Passport? {
        get async throws {
            try await _passport.get()
        }
    }
    public var authorPassportId: String?
    public var createdAt: Temporal.DateTime?
    public var updatedAt: Temporal.DateTime?

    public init(
        id: String = UUID().uuidString,
        name: String,
        mood: Mood? = nil,
        home: Address? = nil,
        books: List<Book>? = [],
        passport: Passport? = nil,
        authorPassportId: String? = nil
    ) {
        self.init(
            id: id,
            name: name,
            mood: mood,
            home: home,
            books: books,
            passport: passport,
            authorPassportId: authorPassportId,
            createdAt: nil,
            updatedAt: nil)
    }

    internal init(
        id: String = UUID().uuidString,
        name: String,
        mood: Mood? = nil,
        home: Address? = nil,
        books: List<Book>? = [],
        passport: Passport? = nil,
        authorPassportId: String? = nil,
        createdAt: Temporal.DateTime? = nil,
        updatedAt: Temporal.DateTime? = nil
    ) {
        self.id = id
        self.name = name
        self.mood = mood
        self.home = home
        self.books = books
        self._passport = LazyReference(passport)
        self.authorPassportId = authorPassportId
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    public mutating func setPassport(_ passport: Passport? = nil) {
        self._passport = LazyReference(passport)
    }

    public init(from decoder: Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        name = try values.decode(String.self, forKey: .name)
        mood = try? values.decode(Mood?.self, forKey: .mood)
        home = try? values.decode(Address?.self, forKey: .home)
        books = try values.decodeIfPresent(List<Book>?.self, forKey: .books) ?? .init()
        _passport = try values.decodeIfPresent(LazyReference<Passport>.self, forKey: .passport) ?? LazyReference(identifiers: nil)
        authorPassportId = try? values.decode(String?.self, forKey: .authorPassportId)
        createdAt = try? values.decode(Temporal.DateTime?.self, forKey: .createdAt)
        updatedAt = try? values.decode(Temporal.DateTime?.self, forKey: .updatedAt)
    }

    public func encode(to encoder: Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(mood, forKey: .mood)
        try container.encode(home, forKey: .home)
        try container.encode(books, forKey: .books)
        try container.encode(_passport, forKey: .passport)
        try container.encode(authorPassportId, forKey: .authorPassportId)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(updatedAt, forKey: .updatedAt)
    }
}
