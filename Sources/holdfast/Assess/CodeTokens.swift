#if CLI

/// A word, a text, or a sign of Swift, TypeScript, or JSON, with its line; comments are left out.
struct CodeToken: Equatable {
    enum Kind { case word, text, sign }

    let kind: Kind
    /// Of a text what is between the quotation marks, as it is written.
    let text: String
    /// From 1.
    let line: Int

    func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }
}

/// Splits code into tokens.
///
/// It recognizes only comments and texts, so that what they contain is not taken for code.
struct CodeTokens {
    private let characters: [UInt8]
    private var position = 0
    private var line = 1
    private var tokens: [CodeToken] = []

    /// The tokens of code.
    static func of(_ code: String) -> [CodeToken] {
        var reader = CodeTokens(code)
        reader.read()
        return reader.tokens
    }

    private init(_ code: String) { characters = Array(code.utf8) }

    private func at(_ offset: Int) -> UInt8 {
        position + offset < characters.count ? characters[position + offset] : 0
    }

    private func sees(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { text in text.indices.allSatisfy { at($0) == text[$0] } }
    }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where position < characters.count {
            if characters[position] == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }
    }

    private mutating func read() {
        while position < characters.count {
            if sees("//") {
                while position < characters.count && at(0) != UInt8(ascii: "\n") { advance() }
            } else if sees("/*") {
                skipComment()
            } else if at(0) == UInt8(ascii: "#"), at(1) == UInt8(ascii: "\"") || at(1) == UInt8(ascii: "#") {
                readRawText()
            } else if sees("\"\"\"") {
                readText(closedBy: Array("\"\"\"".utf8))
            } else if [UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`")].contains(at(0)) {
                readText(closedBy: [at(0)])
            } else if Self.isWord(at(0)) {
                let start = position
                while Self.isWord(at(0)) { advance() }
                add(.word, start..<position, line)
            } else {
                if !Self.isSpace(at(0)) { add(.sign, position..<position + 1, line) }
                advance()
            }
        }
    }

    private mutating func add(_ kind: CodeToken.Kind, _ range: Range<Int>, _ line: Int) {
        tokens.append(
            CodeToken(kind: kind, text: String(decoding: characters[range], as: UTF8.self), line: line))
    }

    /// Comments of Swift may contain others.
    private mutating func skipComment() {
        var depth = 0
        repeat {
            if sees("/*") {
                depth += 1
                advance(2)
            } else if sees("*/") {
                depth -= 1
                advance(2)
            } else {
                advance()
            }
        } while depth > 0 && position < characters.count
    }

    private mutating func readText(closedBy end: [UInt8]) {
        let first = line
        advance(end.count)
        let start = position
        while position < characters.count {
            if end.indices.allSatisfy({ at($0) == end[$0] }) { break }
            // A text on one line that is not closed ends with it: a regular expression has an apostrophe, for instance.
            if end.count == 1 && end[0] != UInt8(ascii: "`") && at(0) == UInt8(ascii: "\n") { break }
            advance(at(0) == UInt8(ascii: "\\") ? 2 : 1)
        }
        // Swift writes keywords as names in back-ticks.
        add(end == [UInt8(ascii: "`")] ? .word : .text, start..<min(position, characters.count), first)
        if at(0) == end[0] { advance(end.count) }
    }

    /// `#"…"#`, in which a backslash is nothing special.
    private mutating func readRawText() {
        var pounds = 0
        while at(pounds) == UInt8(ascii: "#") { pounds += 1 }
        guard at(pounds) == UInt8(ascii: "\"") else { return advance(pounds) }
        let first = line
        advance(pounds + 1)
        let start = position
        while position < characters.count {
            if at(0) == UInt8(ascii: "\""), (1...pounds).allSatisfy({ at($0) == UInt8(ascii: "#") }) { break }
            advance()
        }
        add(.text, start..<position, first)
        advance(pounds + 1)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }
}
#endif
