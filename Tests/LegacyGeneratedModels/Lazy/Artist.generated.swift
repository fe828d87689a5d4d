// The shape of a generated file.
import Foundation
import HoldfastModel

public struct Artist: Model {
    public let id: String
    public var name: String
    public var tempo: Tempo?
    public var home: Venue?
    public var albums: List<Album>?
    internal var _badge: LazyReference<Badge>
    public var badge: Badge? {
        get async throws {
            try await _badge.get()
        }
    }
    public var artistBadgeId: String?
    public var createdAt: Temporal.DateTime?
    public var updatedAt: Temporal.DateTime?

    public init(
        id: String = UUID().uuidString,
        name: String,
        tempo: Tempo? = nil,
        home: Venue? = nil,
        albums: List<Album>? = [],
        badge: Badge? = nil,
        artistBadgeId: String? = nil
    ) {
        self.init(
            id: id,
            name: name,
            tempo: tempo,
            home: home,
            albums: albums,
            badge: badge,
            artistBadgeId: artistBadgeId,
            createdAt: nil,
            updatedAt: nil)
    }

    internal init(
        id: String = UUID().uuidString,
        name: String,
        tempo: Tempo? = nil,
        home: Venue? = nil,
        albums: List<Album>? = [],
        badge: Badge? = nil,
        artistBadgeId: String? = nil,
        createdAt: Temporal.DateTime? = nil,
        updatedAt: Temporal.DateTime? = nil
    ) {
        self.id = id
        self.name = name
        self.tempo = tempo
        self.home = home
        self.albums = albums
        self._badge = LazyReference(badge)
        self.artistBadgeId = artistBadgeId
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    public mutating func setBadge(_ badge: Badge? = nil) {
        self._badge = LazyReference(badge)
    }

    public init(from decoder: Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        name = try values.decode(String.self, forKey: .name)
        tempo = try? values.decode(Tempo?.self, forKey: .tempo)
        home = try? values.decode(Venue?.self, forKey: .home)
        albums = try values.decodeIfPresent(List<Album>?.self, forKey: .albums) ?? .init()
        _badge = try values.decodeIfPresent(LazyReference<Badge>.self, forKey: .badge) ?? LazyReference(identifiers: nil)
        artistBadgeId = try? values.decode(String?.self, forKey: .artistBadgeId)
        createdAt = try? values.decode(Temporal.DateTime?.self, forKey: .createdAt)
        updatedAt = try? values.decode(Temporal.DateTime?.self, forKey: .updatedAt)
    }

    public func encode(to encoder: Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(tempo, forKey: .tempo)
        try container.encode(home, forKey: .home)
        try container.encode(albums, forKey: .albums)
        try container.encode(_badge, forKey: .badge)
        try container.encode(artistBadgeId, forKey: .artistBadgeId)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(updatedAt, forKey: .updatedAt)
    }
}
