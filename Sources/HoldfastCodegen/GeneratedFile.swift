/// One file of generated Swift.
public struct GeneratedFile: Hashable, Sendable {
    /// The file's name, without a folder.
    public let path: String
    /// The whole text.
    public let contents: String

    /// Makes a file.
    public init(path: String, contents: String) {
        self.path = path
        self.contents = contents
    }
}
