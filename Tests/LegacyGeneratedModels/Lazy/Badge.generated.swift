// The shape of a generated file.
import Foundation
import HoldfastModel

public struct Badge: Model {
    public let id: String
    public var number: Int
    internal var _artist: LazyReference<Artist>
    public var artist: Artist {
        get async throws {
            try await _artist.require()
        }
    }
    public var createdAt: Temporal.DateTime?
    public var updatedAt: Temporal.DateTime?

    public init(
        id: String = UUID().uuidString,
        number: Int,
        artist: Artist
    ) {
        self.init(
            id: id,
            number: number,
            artist: artist,
            createdAt: nil,
            updatedAt: nil)
    }

    internal init(
        id: String = UUID().uuidString,
        number: Int,
        artist: Artist,
        createdAt: Temporal.DateTime? = nil,
        updatedAt: Temporal.DateTime? = nil
    ) {
        self.id = id
        self.number = number
        self._artist = LazyReference(artist)
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    public mutating func setArtist(_ artist: Artist) {
        self._artist = LazyReference(artist)
    }

    public init(from decoder: Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        number = try values.decode(Int.self, forKey: .number)
        _artist = try values.decodeIfPresent(LazyReference<Artist>.self, forKey: .artist) ?? LazyReference(identifiers: nil)
        createdAt = try? values.decode(Temporal.DateTime?.self, forKey: .createdAt)
        updatedAt = try? values.decode(Temporal.DateTime?.self, forKey: .updatedAt)
    }

    public func encode(to encoder: Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(number, forKey: .number)
        try container.encode(_artist, forKey: .artist)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(updatedAt, forKey: .updatedAt)
    }
}
