/// Swift code under construction: lines with their indentation, none longer than it has to be.
struct SwiftText {
    static let lineLength = 120
    private(set) var lines: [String] = []
    private var depth = 0

    var text: String { lines.joined(separator: "\n") + "\n" }

    mutating func line(_ text: String = "") {
        lines.append(text.isEmpty ? "" : indentation + text)
    }

    private var indentation: String { String(repeating: "    ", count: depth) }

    /// A line that opens a brace, what is in it, and the brace's end.
    mutating func block(_ head: String, _ body: (inout SwiftText) -> Void) {
        // A closure's head brings its brace, since parameters come after it.
        line(head.hasSuffix(" in") ? head : head + " {")
        depth += 1
        body(&self)
        depth -= 1
        line("}")
    }

    /// What an author says of something, as a documentation comment.
    mutating func documentation(_ description: String?) {
        guard let description, !description.isEmpty else { return }
        for part in description.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            for row in wrapped(part) { line(row.isEmpty ? "///" : "/// " + row) }
        }
    }

    private func wrapped(_ text: Substring) -> [String] {
        var rows: [String] = []
        var row = ""
        for word in text.split(separator: " ") {
            if !row.isEmpty, indentation.count + 5 + row.count + word.count > Self.lineLength {
                rows.append(row)
                row = ""
            }
            row += (row.isEmpty ? "" : " ") + word
        }
        return rows + [row]
    }

    /// Writes a group of code on one line if it fits, otherwise with one item on each line.
    mutating func group(_ group: Group, suffix: String = "") {
        group.write(to: &self, suffix: suffix)
    }

    /// Code with brackets around items.
    indirect enum Group {
        case text(String)
        case list(String, [Group], String, isArray: Bool = false)

        var flat: String {
            switch self {
            case .text(let text): text
            case .list(let head, let items, let tail, _): head + items.map(\.flat).joined(separator: ", ") + tail
            }
        }

        fileprivate func write(to text: inout SwiftText, suffix: String) {
            guard case .list(let head, let items, let tail, let isArray) = self, !items.isEmpty,
                text.indentation.count + flat.count + suffix.count > SwiftText.lineLength
            else {
                text.line(flat + suffix)
                return
            }
            text.line(head)
            text.depth += 1
            for (index, item) in items.enumerated() {
                item.write(to: &text, suffix: index < items.count - 1 || isArray ? "," : "")
            }
            text.depth -= 1
            text.line(tail + suffix)
        }
    }

    /// A group that always has one item on each line.
    mutating func column(_ head: String, _ items: [Group], _ tail: String, isArray: Bool = false) {
        line(head)
        depth += 1
        for (index, item) in items.enumerated() {
            item.write(to: &self, suffix: index < items.count - 1 || isArray ? "," : "")
        }
        depth -= 1
        line(tail)
    }

    /// Lines one step further in.
    mutating func indented(_ body: (inout SwiftText) -> Void) {
        depth += 1
        body(&self)
        depth -= 1
    }
}

/// A Swift string literal.
func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": result += "\\\""
        case "\\": result += "\\\\"
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\t": result += "\\t"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result + "\""
}
