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

extension [GeneratedFile] {
    /// The first of the files that would replace one that no generator wrote; `nil` if there is none.
    ///
    /// A file of this generator, or of Amplify's, may be replaced.
    ///
    /// - Parameter existing: The text of the file of a name where these are to be written; `nil` if there is none.
    /// - Returns: The name of the file.
    public func firstConflict(_ existing: (_ path: String) throws -> String?) rethrows -> String? {
        try first { file in
            guard let text = try existing(file.path), text != file.contents else { return false }
            let marks = [GeneratedFileWriter.mark, "// swiftlint:disable all\nimport Amplify"]
            return !marks.contains(where: text.hasPrefix)
        }?.path
    }
}
