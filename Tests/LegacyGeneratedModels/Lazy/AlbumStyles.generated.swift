// The shape of a generated file.
import Foundation
import HoldfastModel

public struct AlbumStyles: Model {
    public let id: String
    internal var _album: LazyReference<Album>
    public var album: Album {
        get async throws {
            try await _album.require()
        }
    }
    internal var _style: LazyReference<Style>
    public var style: Style {
        get async throws {
            try await _style.require()
        }
    }
    public var createdAt: Temporal.DateTime?
    public var updatedAt: Temporal.DateTime?

    public init(
        id: String = UUID().uuidString,
        album: Album,
        style: Style
    ) {
        self.init(
            id: id,
            album: album,
            style: style,
            createdAt: nil,
            updatedAt: nil)
    }

    internal init(
        id: String = UUID().uuidString,
        album: Album,
        style: Style,
        createdAt: Temporal.DateTime? = nil,
        updatedAt: Temporal.DateTime? = nil
    ) {
        self.id = id
        self._album = LazyReference(album)
        self._style = LazyReference(style)
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    public mutating func setAlbum(_ album: Album) {
        self._album = LazyReference(album)
    }

    public mutating func setStyle(_ style: Style) {
        self._style = LazyReference(style)
    }

    public init(from decoder: Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        _album = try values.decodeIfPresent(LazyReference<Album>.self, forKey: .album) ?? LazyReference(identifiers: nil)
        _style = try values.decodeIfPresent(LazyReference<Style>.self, forKey: .style) ?? LazyReference(identifiers: nil)
        createdAt = try? values.decode(Temporal.DateTime?.self, forKey: .createdAt)
        updatedAt = try? values.decode(Temporal.DateTime?.self, forKey: .updatedAt)
    }

    public func encode(to encoder: Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(_album, forKey: .album)
        try container.encode(_style, forKey: .style)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(updatedAt, forKey: .updatedAt)
    }
}
