/// How text is read.
public struct ParseOptions: Hashable, Sendable {
    /// How much text is read before the parser gives up.
    public var limits: SyntaxLimits
    /// Whether nodes know where they are in the source; `true` by default.
    ///
    /// Without locations two documents are equal when they say the same, however they are written.
    public var keepsLocations: Bool

    /// Makes options.
    public init(limits: SyntaxLimits = SyntaxLimits(), keepsLocations: Bool = true) {
        self.limits = limits
        self.keepsLocations = keepsLocations
    }
}

extension GraphQLDocument {
    /// Reads a document.
    ///
    /// - Parameters:
    ///   - source: The text; any bytes.
    ///   - options: Limits, and whether locations are kept.
    /// - Throws: ``GraphQLSyntaxError`` for the first place where the text breaks the grammar or a limit.
    /// - Complexity: O(n) in bytes. Recurses once per nesting level, which the limits bound.
    public init(parsing source: Source, options: ParseOptions = ParseOptions()) throws(GraphQLSyntaxError) {
        self = try Parser.read(source, options) { (parser) throws(GraphQLSyntaxError) in try parser.document() }
    }

    /// Reads a document from text.
    ///
    /// - Throws: ``GraphQLSyntaxError`` for the first place where the text breaks the grammar or a limit.
    public init(parsing text: String, options: ParseOptions = ParseOptions()) throws(GraphQLSyntaxError) {
        try self.init(parsing: Source(text), options: options)
    }
}

extension GraphQLValue {
    /// Reads one value, which may contain variables.
    ///
    /// - Throws: ``GraphQLSyntaxError`` when the text is not one value and nothing else.
    public init(parsing text: String, options: ParseOptions = ParseOptions()) throws(GraphQLSyntaxError) {
        self = try Parser.read(Source(text), options) { (parser) throws(GraphQLSyntaxError) in
            try parser.value(isConstant: false)
        }
    }
}

extension TypeReference {
    /// Reads one type, such as `[String!]!`.
    ///
    /// - Throws: ``GraphQLSyntaxError`` when the text is not one type and nothing else.
    public init(parsing text: String, options: ParseOptions = ParseOptions()) throws(GraphQLSyntaxError) {
        self = try Parser.read(Source(text), options) { (parser) throws(GraphQLSyntaxError) in
            try parser.typeReference()
        }
    }
}
