/// A type that lives inside a model's field: stored as a JSON object, without a key or table of its own.
public protocol Embeddable: Codable, Sendable {}
