/// Cuts UTF-8 text into tokens, one at a time, and knows where each one is.
///
/// The text has been checked to be UTF-8. Comments, commas, white space and byte order marks are skipped.
struct Lexer {
    let bytes: UnsafeBufferPointer<UInt8>
    private let source: UInt32
    private let keepsLocations: Bool
    private let tokenLimit: Int
    private let nameLimit: Int

    /// The kind of the current token.
    private(set) var kind = TokenKind.endOfSource
    /// The first byte of the current token.
    private(set) var start = 0
    /// The byte after the current token.
    private(set) var end = 0
    /// Whether the current token is a string that contains a backslash.
    private(set) var hasEscapes = false

    private var line: UInt32 = 1
    /// The byte from which columns count: the start of the line, moved by the continuation bytes passed on it.
    private var columnBase = 0
    private var startLine: UInt32 = 1
    private var startColumn: UInt32 = 1
    private var tokenCount = 0

    init(bytes: UnsafeBufferPointer<UInt8>, source: UInt32, keepsLocations: Bool, limits: SyntaxLimits) {
        self.bytes = bytes
        self.source = source
        self.keepsLocations = keepsLocations
        tokenLimit = limits.tokenCount
        nameLimit = limits.nameByteCount
        if isByteOrderMark(at: 0) {
            end = 3
            columnBase = 3
        }
    }

    /// Where the current token starts.
    @inline(__always)
    var location: Location {
        keepsLocations
            ? Location(line: startLine, column: startColumn, offset: UInt32(truncatingIfNeeded: start), source: source)
            : .none
    }

    /// Where the current token starts, for errors, which keep their location always.
    var errorLocation: Location {
        Location(line: startLine, column: startColumn, offset: UInt32(truncatingIfNeeded: start), source: source)
    }

    /// The place of a byte in the source, counted from the start.
    ///
    /// - Complexity: O(offset); for errors only.
    func location(ofByte offset: Int) -> Location {
        var line: UInt32 = 1
        var column: UInt32 = 1
        var index = isByteOrderMark(at: 0) ? min(3, offset) : 0
        while index < offset {
            let byte = bytes[index]
            if byte == 0x0A || (byte == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A)) {
                line &+= 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column &+= 1
            }
            index += 1
        }
        return Location(line: line, column: column, offset: UInt32(truncatingIfNeeded: offset), source: source)
    }

    /// Moves to the next token; stays at the end of the source.
    @inline(__always)
    mutating func advance() throws(GraphQLSyntaxError) {
        var position = skipIgnored()
        start = position
        startLine = line
        startColumn = UInt32(truncatingIfNeeded: position &- columnBase &+ 1)
        guard position < bytes.count else {
            end = position
            kind = .endOfSource
            return
        }
        tokenCount &+= 1
        if tokenCount > tokenLimit {
            throw GraphQLSyntaxError(
                kind: .limit, message: "the text has more than \(tokenLimit) tokens", location: errorLocation)
        }
        let byte = bytes[position]
        if ASCII.isNameStart(byte) {
            repeat { position &+= 1 } while position < bytes.count && ASCII.isNameContinue(bytes[position])
            end = position
            kind = .name
            if position &- start > nameLimit {
                throw GraphQLSyntaxError(
                    kind: .limit, message: "a name has more than \(nameLimit) bytes", location: errorLocation)
            }
        } else {
            try advanceOverOther(byte)
        }
    }

    private mutating func advanceOverOther(_ byte: UInt8) throws(GraphQLSyntaxError) {
        let position = start
        end = position &+ 1
        switch byte {
        case UInt8(ascii: "!"): kind = .exclamationMark
        case UInt8(ascii: "$"): kind = .dollar
        case UInt8(ascii: "&"): kind = .ampersand
        case UInt8(ascii: "("): kind = .leftParenthesis
        case UInt8(ascii: ")"): kind = .rightParenthesis
        case UInt8(ascii: ":"): kind = .colon
        case UInt8(ascii: "="): kind = .equals
        case UInt8(ascii: "@"): kind = .at
        case UInt8(ascii: "["): kind = .leftBracket
        case UInt8(ascii: "]"): kind = .rightBracket
        case UInt8(ascii: "{"): kind = .leftBrace
        case UInt8(ascii: "|"): kind = .verticalBar
        case UInt8(ascii: "}"): kind = .rightBrace
        case UInt8(ascii: "."):
            guard byteAt(position &+ 1) == byte, byteAt(position &+ 2) == byte else {
                throw error(at: position, "\".\" has no meaning here", expected: "\"...\"", hint: dotHint(position))
            }
            end = position &+ 3
            kind = .spread
        case UInt8(ascii: "\""):
            if byteAt(position &+ 1) == byte, byteAt(position &+ 2) == byte {
                try blockString()
            } else {
                try string()
            }
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try number()
        default:
            throw unknownCharacter()
        }
    }

    /// The current position after everything that has no meaning.
    @inline(__always)
    private mutating func skipIgnored() -> Int {
        var position = end
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, UInt8(ascii: ","):
                position &+= 1
            case 0x0A:
                position &+= 1
                line &+= 1
                columnBase = position
            case 0x0D:
                position &+= byteAt(position &+ 1) == 0x0A ? 2 : 1
                line &+= 1
                columnBase = position
            case UInt8(ascii: "#"):
                repeat {
                    if bytes[position] & 0xC0 == 0x80 { columnBase &+= 1 }
                    position &+= 1
                } while position < bytes.count && bytes[position] != 0x0A && bytes[position] != 0x0D
            case 0xEF where isByteOrderMark(at: position):
                position &+= 3
                columnBase &+= 2
            default:
                return position
            }
        }
        return position
    }

    /// The byte at an index; zero beyond the end.
    @inline(__always)
    private func byteAt(_ index: Int) -> UInt8 {
        index < bytes.count ? bytes[index] : 0
    }

    private func isByteOrderMark(at index: Int) -> Bool {
        index &+ 2 < bytes.count && bytes[index] == 0xEF && bytes[index &+ 1] == 0xBB && bytes[index &+ 2] == 0xBF
    }
}

// MARK: - Strings

extension Lexer {
    private mutating func string() throws(GraphQLSyntaxError) {
        var position = start &+ 1
        var escapes = false
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                end = position &+ 1
                kind = .string
                hasEscapes = escapes
                return
            case UInt8(ascii: "\\"):
                escapes = true
                position &+= 1
                // What is escaped is checked when the value is read; only a quotation mark must not end the string.
                if byteAt(position) == UInt8(ascii: "\"") || byteAt(position) == UInt8(ascii: "\\") { position &+= 1 }
            case 0x0A, 0x0D:
                throw error(
                    at: position, "the string is not closed at the end of the line", expected: "\"\\\"\"",
                    hint: "Put a string of several lines between three quotation marks.")
            default:
                if byte & 0xC0 == 0x80 { columnBase &+= 1 }
                position &+= 1
            }
        }
        throw error(
            at: bytes.count, "the string is not closed", expected: "\"\\\"\"",
            hint: "It starts at \(errorLocation).")
    }

    private mutating func blockString() throws(GraphQLSyntaxError) {
        let quote = UInt8(ascii: "\"")
        var position = start &+ 3
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case quote where byteAt(position &+ 1) == quote && byteAt(position &+ 2) == quote:
                end = position &+ 3
                kind = .blockString
                return
            case UInt8(ascii: "\\")
            where byteAt(position &+ 1) == quote && byteAt(position &+ 2) == quote && byteAt(position &+ 3) == quote:
                position &+= 4
            case 0x0A:
                position &+= 1
                line &+= 1
                columnBase = position
            case 0x0D:
                position &+= byteAt(position &+ 1) == 0x0A ? 2 : 1
                line &+= 1
                columnBase = position
            default:
                if byte & 0xC0 == 0x80 { columnBase &+= 1 }
                position &+= 1
            }
        }
        throw error(
            at: bytes.count, "the block string is not closed", expected: "three quotation marks",
            hint: "It starts at \(errorLocation).")
    }
}

// MARK: - Numbers

extension Lexer {
    private mutating func number() throws(GraphQLSyntaxError) {
        var position = start
        var found = TokenKind.int
        if bytes[position] == UInt8(ascii: "-") { position &+= 1 }
        if byteAt(position) == UInt8(ascii: "0") {
            position &+= 1
            if ASCII.isDigit(byteAt(position)) {
                throw error(
                    at: position, "a digit follows a leading zero", expected: "\".\", \"e\" or the end of the number",
                    hint: "Remove the zero.")
            }
        } else {
            try digits(&position)
        }
        if byteAt(position) == UInt8(ascii: ".") {
            found = .float
            position &+= 1
            try digits(&position)
        }
        if byteAt(position) | 0x20 == UInt8(ascii: "e") {
            found = .float
            position &+= 1
            if byteAt(position) == UInt8(ascii: "+") || byteAt(position) == UInt8(ascii: "-") { position &+= 1 }
            try digits(&position)
        }
        let next = byteAt(position)
        if next == UInt8(ascii: ".") || ASCII.isNameStart(next) {
            throw error(
                at: position, "the number is followed by \(character(at: position))", expected: "the end of the number",
                hint: "Put a space between a number and what follows it.")
        }
        end = position
        kind = found
    }

    private func digits(_ position: inout Int) throws(GraphQLSyntaxError) {
        guard ASCII.isDigit(byteAt(position)) else {
            let found = position < bytes.count ? character(at: position) : TokenKind.endOfSource.phrase
            throw error(at: position, "\(found) is not allowed in a number", expected: "a digit")
        }
        repeat { position &+= 1 } while ASCII.isDigit(byteAt(position))
    }
}

// MARK: - Errors

extension Lexer {
    func error(
        at offset: Int, _ message: String, expected: String? = nil, hint: String? = nil
    ) -> GraphQLSyntaxError {
        GraphQLSyntaxError(
            message: message, location: location(ofByte: min(offset, bytes.count)), expected: expected, hint: hint)
    }

    private func dotHint(_ position: Int) -> String? {
        ASCII.isDigit(byteAt(position &+ 1)) ? "A number needs a digit before the point." : nil
    }

    /// A character as messages show it.
    func character(at offset: Int) -> String {
        let lead = bytes[offset]
        let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        let slice = UnsafeBufferPointer(rebasing: bytes[offset..<min(offset + length, bytes.count)])
        let text = String(decoding: slice, as: UTF8.self)
        guard let scalar = text.unicodeScalars.first else { return TokenKind.endOfSource.phrase }
        let code = "U+" + String(repeating: "0", count: max(0, 4 - hex(scalar).count)) + hex(scalar)
        return scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? code : "\"\(text)\""
    }

    private func hex(_ scalar: Unicode.Scalar) -> String {
        String(scalar.value, radix: 16, uppercase: true)
    }

    private func unknownCharacter() -> GraphQLSyntaxError {
        let hint: String? =
            switch bytes[start] {
            case UInt8(ascii: "'"): "Put strings between double quotation marks."
            case UInt8(ascii: ";"): "GraphQL needs no semicolons."
            case UInt8(ascii: "/"): "Comments start with \"#\"."
            case UInt8(ascii: "+"): "A positive number has no sign."
            case 0x80...: "Names consist of the letters A to Z, digits and \"_\"."
            default: nil
            }
        return error(at: start, "\(character(at: start)) has no meaning here", hint: hint)
    }
}
