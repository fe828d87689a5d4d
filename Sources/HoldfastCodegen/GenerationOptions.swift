/// What generated files look like.
public struct GenerationOptions: Hashable, Sendable {
    /// How models hold related records; `.lazy` by default.
    public var style: ModelStyle
    /// The module that generated files import; `HoldfastModel` by default, `Amplify` for existing projects.
    public var importedModule: String
    /// The command that the first line of each file names.
    public var command: String
    /// What file names end in; `swift` by default.
    public var fileExtension: String
    /// The name of the one file that everything goes to; `nil`, the default, for a file per type and purpose.
    public var singleFile: String?
    /// Whether models get row codecs of their own, which read several times as fast as `Codable`; `true` by default.
    public var includesRowCodecs: Bool

    /// Makes options.
    public init(
        style: ModelStyle = .lazy, importedModule: String = "HoldfastModel",
        command: String = "holdfast codegen models", fileExtension: String = "swift", singleFile: String? = nil,
        includesRowCodecs: Bool = true
    ) {
        self.style = style
        self.importedModule = importedModule
        self.command = command
        self.fileExtension = fileExtension
        self.singleFile = singleFile
        self.includesRowCodecs = includesRowCodecs
    }
}
