extension String {
    /// The text with its first character in upper case.
    public func pascalCased() -> String { prefix(1).uppercased() + dropFirst() }

    /// The text with its first character in lower case.
    public func camelCased() -> String { prefix(1).lowercased() + dropFirst() }
}
