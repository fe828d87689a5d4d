/// Block strings: text between three quotation marks, without its common indentation.
enum BlockString {
    /// The value of a block string.
    ///
    /// - Parameter raw: What is between the quotation marks.
    /// - Returns: The text, without the common indentation and without blank lines at the start and the end.
    /// - Complexity: O(n).
    static func value(of raw: UnsafeBufferPointer<UInt8>) -> String {
        let lines = lines(of: raw)
        var common = Int.max
        for line in lines.dropFirst() {
            let indent = indentation(of: line, in: raw)
            if indent < line.count { common = min(common, indent) }
        }
        let isBlank = { (line: Range<Int>) in indentation(of: line, in: raw) == line.count }
        guard let first = lines.firstIndex(where: { !isBlank($0) }),
            let last = lines.lastIndex(where: { !isBlank($0) })
        else { return "" }

        var output: [UInt8] = []
        output.reserveCapacity(raw.count)
        for index in first...last {
            if index > first { output.append(0x0A) }
            let line = lines[index]
            let content = index == 0 ? line : (line.lowerBound + min(common, line.count))..<line.upperBound
            appendContent(content, of: raw, to: &output)
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Whether a text can be written as an indented block string and read back unchanged.
    static func canHold(_ text: String) -> Bool {
        var commonIsZero = false
        var lineIsBlank = true
        var lineIsIndented = false
        var firstIsBlank: Bool?
        var columnIsFirst = true
        for byte in text.utf8 {
            if byte == 0x0A {
                if firstIsBlank == nil { firstIsBlank = lineIsBlank }
                if !lineIsBlank && !lineIsIndented { commonIsZero = true }
                (lineIsBlank, lineIsIndented, columnIsFirst) = (true, false, true)
                continue
            }
            if byte == 0x20 || byte == 0x09 {
                if columnIsFirst { lineIsIndented = true }
            } else {
                // Other control characters are only legible when escaped.
                if byte < 0x20 || byte == 0x7F { return false }
                lineIsBlank = false
            }
            columnIsFirst = false
        }
        if !lineIsBlank && !lineIsIndented { commonIsZero = true }
        return commonIsZero && !lineIsBlank && !(firstIsBlank ?? lineIsBlank)
    }

    private static func lines(of raw: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = 0
        var position = 0
        while position < raw.count {
            let byte = raw[position]
            guard byte == 0x0A || byte == 0x0D else {
                position += 1
                continue
            }
            lines.append(start..<position)
            position += byte == 0x0D && position + 1 < raw.count && raw[position + 1] == 0x0A ? 2 : 1
            start = position
        }
        lines.append(start..<raw.count)
        return lines
    }

    private static func indentation(of line: Range<Int>, in raw: UnsafeBufferPointer<UInt8>) -> Int {
        var position = line.lowerBound
        while position < line.upperBound, raw[position] == 0x20 || raw[position] == 0x09 { position += 1 }
        return position - line.lowerBound
    }

    private static func appendContent(
        _ range: Range<Int>, of raw: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]
    ) {
        let quote = UInt8(ascii: "\"")
        var position = range.lowerBound
        while position < range.upperBound {
            let isEscape =
                raw[position] == UInt8(ascii: "\\") && position + 3 < range.upperBound && raw[position + 1] == quote
                && raw[position + 2] == quote && raw[position + 3] == quote
            if isEscape {
                output.append(contentsOf: [quote, quote, quote])
                position += 4
            } else {
                output.append(raw[position])
                position += 1
            }
        }
    }
}
