import Foundation

/// Writes lines at once, also into files and pipes.
enum Terminal {
    static let isTerminal = isatty(STDOUT_FILENO) == 1

    static func line(_ text: String = "") {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }

    /// Shows how far something is: on a terminal in one line that changes, elsewhere in lines of their own.
    static func progress(_ text: String, isLast: Bool = false) {
        guard isTerminal else { return line(text) }
        FileHandle.standardOutput.write(Data(("\r\u{1B}[K" + text + (isLast ? "\n" : "")).utf8))
    }

    static func failure(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}

extension Int {
    /// The number with its thousands separated, the same in every language.
    var grouped: String {
        var digits = String(magnitude)
        var offset = digits.count - 3
        while offset > 0 {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: offset))
            offset -= 3
        }
        return self < 0 ? "-" + digits : digits
    }
}

extension Duration {
    var milliseconds: Double { self / .milliseconds(1) }
}

extension String {
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - count))
    }

    func leftPadded(to width: Int, with character: Character = " ") -> String {
        String(repeating: character, count: Swift.max(0, width - count)) + self
    }
}
