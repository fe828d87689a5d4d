/// One file of generated Swift.
public struct GeneratedFile: Hashable, Sendable {
    /// The file's name, without a directory.
    public let path: String
    /// The whole text.
    public let contents: String

    /// Makes a file.
    public init(path: String, contents: String) {
        self.path = path
        self.contents = contents
    }
}
