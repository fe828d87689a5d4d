// The shape of a generated file.
import Foundation
import HoldfastModel

public struct Critique: Model {
    public let id: String
    public var content: String
    public var albumCritiquesIsbn: String?
    public var albumCritiquesEdition: Int?
    public var createdAt: Temporal.DateTime?
    public var updatedAt: Temporal.DateTime?

    public init(
        id: String = UUID().uuidString,
        content: String,
        albumCritiquesIsbn: String? = nil,
        albumCritiquesEdition: Int? = nil
    ) {
        self.init(
            id: id,
            content: content,
            albumCritiquesIsbn: albumCritiquesIsbn,
            albumCritiquesEdition: albumCritiquesEdition,
            createdAt: nil,
            updatedAt: nil)
    }

    internal init(
        id: String = UUID().uuidString,
        content: String,
        albumCritiquesIsbn: String? = nil,
        albumCritiquesEdition: Int? = nil,
        createdAt: Temporal.DateTime? = nil,
        updatedAt: Temporal.DateTime? = nil
    ) {
        self.id = id
        self.content = content
        self.albumCritiquesIsbn = albumCritiquesIsbn
        self.albumCritiquesEdition = albumCritiquesEdition
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    public init(from decoder: Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        content = try values.decode(String.self, forKey: .content)
        albumCritiquesIsbn = try? values.decode(String?.self, forKey: .albumCritiquesIsbn)
        albumCritiquesEdition = try? values.decode(Int?.self, forKey: .albumCritiquesEdition)
        createdAt = try? values.decode(Temporal.DateTime?.self, forKey: .createdAt)
        updatedAt = try? values.decode(Temporal.DateTime?.self, forKey: .updatedAt)
    }

    public func encode(to encoder: Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(content, forKey: .content)
        try container.encode(albumCritiquesIsbn, forKey: .albumCritiquesIsbn)
        try container.encode(albumCritiquesEdition, forKey: .albumCritiquesEdition)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(updatedAt, forKey: .updatedAt)
    }
}
