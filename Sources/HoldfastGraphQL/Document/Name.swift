/// A name and where it is in the source.
public struct Name: Hashable, Sendable {
    /// The letters, digits and underscores.
    public var text: String
    /// Where the name starts.
    public var location: Location

    /// Makes a name.
    public init(_ text: String, location: Location = .none) {
        self.text = text
        self.location = location
    }
}

extension Name: ExpressibleByStringLiteral {
    /// Makes a name that is not in a source.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension Name: CustomStringConvertible {
    /// The name itself.
    public var description: String { text }
}
