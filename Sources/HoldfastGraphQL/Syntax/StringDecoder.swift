/// Reads the values of string tokens.
struct StringDecoder {
    private let lexer: Lexer
    private var output: [UInt8] = []

    private init(_ lexer: Lexer) {
        self.lexer = lexer
    }

    /// The value of the current token of a lexer, which is a string or a block string.
    static func value(of lexer: borrowing Lexer) throws(GraphQLSyntaxError) -> String {
        if lexer.kind == .blockString {
            return BlockString.value(
                of: UnsafeBufferPointer(rebasing: lexer.bytes[(lexer.start + 3)..<(lexer.end - 3)]))
        }
        let content = (lexer.start + 1)..<(lexer.end - 1)
        guard lexer.hasEscapes else {
            return String(decoding: UnsafeBufferPointer(rebasing: lexer.bytes[content]), as: UTF8.self)
        }
        var decoder = StringDecoder(copy lexer)
        return try decoder.decode(content)
    }

    private mutating func decode(_ range: Range<Int>) throws(GraphQLSyntaxError) -> String {
        let bytes = lexer.bytes
        output.reserveCapacity(range.count)
        var position = range.lowerBound
        while position < range.upperBound {
            let byte = bytes[position]
            guard byte == UInt8(ascii: "\\") else {
                output.append(byte)
                position += 1
                continue
            }
            position += 1
            switch bytes[position] {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): output.append(bytes[position])
            case UInt8(ascii: "b"): output.append(0x08)
            case UInt8(ascii: "f"): output.append(0x0C)
            case UInt8(ascii: "n"): output.append(0x0A)
            case UInt8(ascii: "r"): output.append(0x0D)
            case UInt8(ascii: "t"): output.append(0x09)
            case UInt8(ascii: "u"):
                position = try unicodeEscape(at: position + 1, end: range.upperBound)
                continue
            default:
                throw lexer.error(
                    at: position, "\(lexer.character(at: position)) cannot be escaped",
                    expected: "one of \" \\ / b f n r t u after the backslash",
                    hint: "A backslash itself is written twice.")
            }
            position += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Reads what follows `\u`; the position after it.
    private mutating func unicodeEscape(at start: Int, end: Int) throws(GraphQLSyntaxError) -> Int {
        if start < end, lexer.bytes[start] == UInt8(ascii: "{") {
            return try bracedEscape(at: start + 1, end: end)
        }
        var position = start
        var code = try fourDigits(at: &position, end: end)
        if (0xD800...0xDBFF).contains(code), position + 1 < end, lexer.bytes[position] == UInt8(ascii: "\\"),
            lexer.bytes[position + 1] == UInt8(ascii: "u")
        {
            position += 2
            let trail = try fourDigits(at: &position, end: end)
            guard (0xDC00...0xDFFF).contains(trail) else { throw loneSurrogate(at: start) }
            code = 0x10000 + ((code - 0xD800) << 10) + (trail - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw loneSurrogate(at: start) }
        output.append(contentsOf: scalar.utf8)
        return position
    }

    private mutating func bracedEscape(at start: Int, end: Int) throws(GraphQLSyntaxError) -> Int {
        var position = start
        var code: UInt32 = 0
        while position < end, let digit = ASCII.hexValue(lexer.bytes[position]) {
            code = min(code, 0x110000) * 16 + digit
            position += 1
        }
        guard position > start, position < end, lexer.bytes[position] == UInt8(ascii: "}") else {
            throw lexer.error(
                at: position, "the escape \\u{ is not complete", expected: "hexadecimal digits and \"}\"")
        }
        guard let scalar = Unicode.Scalar(code) else {
            throw lexer.error(
                at: start, "the escape names no character", expected: "0 to D7FF or E000 to 10FFFF")
        }
        output.append(contentsOf: scalar.utf8)
        return position + 1
    }

    private func fourDigits(at position: inout Int, end: Int) throws(GraphQLSyntaxError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard position < end, let digit = ASCII.hexValue(lexer.bytes[position]) else {
                throw lexer.error(at: position, "the escape \\u is not complete", expected: "four hexadecimal digits")
            }
            code = code * 16 + digit
            position += 1
        }
        return code
    }

    private func loneSurrogate(at offset: Int) -> GraphQLSyntaxError {
        lexer.error(
            at: offset, "the escape is half of a surrogate pair", expected: "a pair, or the character itself",
            hint: "Characters beyond U+FFFF can be written \\u{...}.")
    }
}
