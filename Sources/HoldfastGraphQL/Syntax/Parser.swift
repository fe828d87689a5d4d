/// Reads definitions from tokens by recursive descent, with one token of lookahead.
struct Parser {
    private(set) var lexer: Lexer
    private let nestingLimit: Int
    private var nesting = 0
    /// The texts of earlier names, by a hash of their bytes, so that a long name is allocated once.
    private var knownNames: [KnownName]

    private struct KnownName {
        var start: Int32 = 0
        var count: Int32 = 0
        var text = ""
    }

    private init(bytes: UnsafeBufferPointer<UInt8>, source: UInt32, options: ParseOptions) {
        lexer = Lexer(
            bytes: bytes, source: source, keepsLocations: options.keepsLocations, limits: options.limits)
        nestingLimit = options.limits.nesting
        knownNames = Array(repeating: KnownName(), count: bytes.count > 4096 ? 1024 : 64)
    }

    /// Reads a whole source with a production of the grammar.
    static func read<Node>(
        _ source: Source, _ options: ParseOptions,
        _ production: (inout Parser) throws(GraphQLSyntaxError) -> Node
    ) throws(GraphQLSyntaxError) -> Node {
        let limit = min(options.limits.byteCount, Int(Int32.max))
        guard source.bytes.count <= limit else {
            throw GraphQLSyntaxError(
                kind: .limit, message: "the text has \(source.bytes.count) bytes, more than \(limit)",
                location: Location(line: 1, column: 1, offset: 0, source: source.index))
        }
        let result = source.bytes.withUnsafeBufferPointer { (bytes) -> Result<Node, GraphQLSyntaxError> in
            do throws(GraphQLSyntaxError) {
                var parser = Parser(bytes: bytes, source: source.index, options: options)
                if let fault = UTF8Check.firstFault(in: bytes) {
                    throw GraphQLSyntaxError(
                        kind: .encoding, message: "the byte at offset \(fault) is not UTF-8",
                        location: parser.lexer.location(ofByte: fault), expected: "text encoded as UTF-8",
                        hint: "Save the file as UTF-8.")
                }
                try parser.lexer.advance()
                let node = try production(&parser)
                guard parser.kind == .endOfSource else { throw parser.unexpected(TokenKind.endOfSource.phrase) }
                return .success(node)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    // MARK: - Tokens

    /// The kind of the current token.
    @inline(__always)
    var kind: TokenKind { lexer.kind }

    /// Where the current token starts.
    @inline(__always)
    var location: Location { lexer.location }

    @inline(__always)
    mutating func advance() throws(GraphQLSyntaxError) {
        try lexer.advance()
    }

    /// Passes a token if it is of a kind.
    @inline(__always)
    mutating func skip(_ kind: TokenKind) throws(GraphQLSyntaxError) -> Bool {
        guard lexer.kind == kind else { return false }
        try lexer.advance()
        return true
    }

    /// Passes a token that must be of a kind.
    @inline(__always)
    mutating func expect(_ kind: TokenKind, hint: String? = nil) throws(GraphQLSyntaxError) {
        guard lexer.kind == kind else { throw unexpected(kind.phrase, hint: hint) }
        try lexer.advance()
    }

    /// Whether the current token is a certain name.
    @inline(__always)
    func isKeyword(_ word: StaticString) -> Bool {
        guard lexer.kind == .name, lexer.end &- lexer.start == word.utf8CodeUnitCount else { return false }
        for index in 0..<word.utf8CodeUnitCount where lexer.bytes[lexer.start &+ index] != word.utf8Start[index] {
            return false
        }
        return true
    }

    /// Passes a certain name if it is the current token.
    mutating func skipKeyword(_ word: StaticString) throws(GraphQLSyntaxError) -> Bool {
        guard isKeyword(word) else { return false }
        try lexer.advance()
        return true
    }

    /// The text of the current token.
    var text: String {
        String(decoding: UnsafeBufferPointer(rebasing: lexer.bytes[lexer.start..<lexer.end]), as: UTF8.self)
    }

    /// Reads a name.
    @inline(__always)
    mutating func name(_ expectation: @autoclosure () -> String = "a name") throws(GraphQLSyntaxError) -> Name {
        guard lexer.kind == .name else { throw unexpected(expectation()) }
        let name = Name(nameText(), location: lexer.location)
        try lexer.advance()
        return name
    }

    /// The text of the current token, which is a name; short ones need no memory, long ones are shared.
    private mutating func nameText() -> String {
        let start = lexer.start
        let count = lexer.end &- start
        let bytes = UnsafeBufferPointer(rebasing: lexer.bytes[start..<lexer.end])
        guard count > 15 else { return String(decoding: bytes, as: UTF8.self) }
        var hash: UInt32 = 2_166_136_261
        for byte in bytes { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        let slot = Int(truncatingIfNeeded: (hash ^ hash >> 15) & UInt32(knownNames.count &- 1))
        if Int(knownNames[slot].count) == count {
            let known = Int(knownNames[slot].start)
            var index = 0
            while index < count, lexer.bytes[known &+ index] == bytes[index] { index &+= 1 }
            if index == count { return knownNames[slot].text }
        }
        let text = String(decoding: bytes, as: UTF8.self)
        knownNames[slot] = KnownName(start: Int32(start), count: Int32(count), text: text)
        return text
    }

    // MARK: - Combinations

    /// Enters a level of nesting.
    mutating func enter() throws(GraphQLSyntaxError) {
        nesting += 1
        if nesting > nestingLimit {
            throw GraphQLSyntaxError(
                kind: .limit, message: "more than \(nestingLimit) levels are nested", location: lexer.errorLocation)
        }
    }

    /// Leaves a level of nesting.
    mutating func leave() {
        nesting -= 1
    }

    /// Reads one or more nodes between two tokens, the first of which is the current one.
    @inline(__always)
    mutating func many<Node>(
        _ close: TokenKind, _ what: StaticString, _ node: (inout Parser) throws(GraphQLSyntaxError) -> Node
    ) throws(GraphQLSyntaxError) -> [Node] {
        let open = lexer.errorLocation
        try advance()
        guard kind != close else {
            throw unexpected("\(what)", hint: "Remove the empty \(close == .rightBrace ? "braces" : "parentheses").")
        }
        var nodes: [Node] = []
        repeat {
            if kind == .endOfSource {
                throw unexpected(close.phrase, hint: "What is not closed was opened at \(open).")
            }
            nodes.append(try node(&self))
        } while kind != close
        try advance()
        return nodes
    }

    /// Reads names with a separator between them, and perhaps one before the first.
    mutating func names(separator: TokenKind, _ expectation: String) throws(GraphQLSyntaxError) -> [Name] {
        _ = try skip(separator)
        var names: [Name] = []
        repeat {
            names.append(try name(expectation))
        } while try skip(separator)
        return names
    }

    /// Reads a string, if the current token is one.
    mutating func optionalDescription() throws(GraphQLSyntaxError) -> String? {
        guard kind == .string || kind == .blockString else { return nil }
        return try string()
    }

    /// Reads a string.
    mutating func string() throws(GraphQLSyntaxError) -> String {
        let value = try StringDecoder.value(of: lexer)
        try advance()
        return value
    }

    // MARK: - Errors

    /// The error that the current token is not allowed where it is.
    func unexpected(_ expected: String, hint: String? = nil) -> GraphQLSyntaxError {
        let found: String =
            switch kind {
            case .name: "the name \"\(shortText)\""
            case .int, .float: "the number \(shortText)"
            default: kind.phrase
            }
        return GraphQLSyntaxError(
            message: "\(found) is not allowed here", location: lexer.errorLocation, expected: expected, hint: hint)
    }

    /// The text of the current token, cut when it is long.
    private var shortText: String {
        let end = min(lexer.end, lexer.start + 60)
        let text = String(decoding: UnsafeBufferPointer(rebasing: lexer.bytes[lexer.start..<end]), as: UTF8.self)
        return end < lexer.end ? text + "…" : text
    }
}
