import HoldfastStorage

extension Clause {
    /// Text: bytes, order, matching, keys.
    static let text: [Clause] = textStorage + textOrder + textMatching + textKeys + longIndexedText
}

extension EntitySchema {
    /// `Text(id, text)`: what most checks of text need.
    static let texts = EntitySchema("Text", fields: [FieldSchema("id", .id), FieldSchema("text", .string)])

    /// `Line(id, text, tags)`: text as key, as field and as list element.
    static let lines = EntitySchema(
        "Line",
        fields: [
            FieldSchema("id", .id), FieldSchema("text", .string),
            FieldSchema("tags", .list(of: .string, elementsAreRequired: false)),
        ])
}

/// Texts that checks share.
enum SampleText {
    /// Pairs that one normal form or another makes equal.
    static let normalForms: [(String, String)] = [
        ("cafe\u{301}", "caf\u{E9}"), ("\u{212B}", "\u{C5}"), ("\u{2126}", "\u{3A9}"), ("\u{AC00}", "\u{1100}\u{1161}"),
        ("q\u{307}\u{323}", "q\u{323}\u{307}"), ("\u{FB01}", "fi"), ("\u{1E9B}\u{323}", "\u{17F}\u{323}\u{307}"),
        ("\u{FF21}", "A"),
    ]

    /// Texts that collations, UTF-16 and case folding put into other orders than their bytes.
    static let unordered = [
        "", "a", "A", "b", "B", "Z", "z", "aa", "ab", "a b", "a-b", "a_b", "a.b", "ab ", "10", "9", "09", "\u{E9}",
        "e\u{301}", "e", "f", "\u{C4}", "ss", "\u{DF}", "st", "\u{FB00}", "\u{FFFD}", "\u{FF21}", "\u{1F600}",
        "\u{10FFFF}", "\u{E000}", "\u{1}", "~", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{10000}",
        "I", "i", "\u{130}", "\u{131}", "ch", "ci", "cz", "ll", "lz", "'", "\"", "%", "_", "\\",
    ]

    /// Texts that differ only in white space.
    static let spaced = [
        "a", "a ", "a  ", " a", "a\t", "a\n", "a\r", "a\r\n", "a\n\r", "a\u{A0}", "a\u{2003}", "a\u{200B}", "a\u{2028}",
        "a\u{85}", " ", "  ", "\t", "\n",
    ]

    /// Texts that software is known to change on the way.
    static let naughty = [
        "\u{FEFF}", "\u{FEFF}begins with a mark", "a\u{FEFF}b", "\u{200D}",
        "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}",
        "\u{202E}back\u{202C}", "\u{2066}\u{2069}", "\u{200E}\u{200F}", "\u{AD}", "\u{378}", "\u{E000}\u{F8FF}",
        "\u{FFFE}", "\u{FFFF}", "\u{1FFFF}", "\u{10FFFE}", "\u{F0000}", "\u{FFFD}", "\u{2028}", "\u{2029}", "\u{85}",
        "\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}\u{8}\u{B}\u{C}\u{E}\u{F}", "\u{10}\u{1A}\u{1B}[31m\u{1F}",
        "\u{7F}\u{80}\u{9F}",
        "\r", "\n", "\r\n", "\t", "'", "''", "\"", "\"\"", "`", "\\", "\\\\", "\\n", "\\u0041", "\\0", "O'Neil",
        "a\\'b",
        "'; DROP TABLE \"Line\"; --", "' OR '1'='1", "\") OR 1=1 --", "$1", "?1", ":name", "@p", "%s%n", "%00", "{}",
        "{0}",
        "${HOME}", "&amp;", "<b>&</b>", "&#39;", "NULL", "null", "nil", "None", "undefined", "NaN", "true", "[]",
        "[null]",
        "{\"a\":1}", "x'00'", "0x00", "E'\\x41'", "\u{1F1E9}\u{1F1EA}", "\u{1F469}\u{1F3FD}",
        "Z\u{351}\u{36B}\u{343}a\u{34E}",
        "\u{645}\u{631}\u{62D}\u{628}\u{627}", "\u{7530}\u{4E2D}", "\u{20000}", "\u{1D11E}",
    ]

    /// One row per text, its key made of its number, in key order.
    static func rows(_ texts: [String]) -> [[Value]] {
        texts.enumerated().map { [.text(key($0)), .text($1)] }
    }

    /// A key that sorts by its number.
    static func key(_ number: Int) -> String {
        let digits = String(number)
        return "k" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }
}
