/// A piece of HTML.
///
/// Text that is interpolated into it is escaped; other HTML is not. The literal parts are ours. They are well-formed
/// XML, so that a test can parse every page.
package struct HTML: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The HTML.
    package private(set) var text: String

    package init(stringLiteral value: String) { text = value }

    package init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

    /// What is between backticks in a text is set as code.
    package init(prose: String) {
        let parts = Markup.escaped(prose).split(separator: "`", omittingEmptySubsequences: false)
        text = parts.enumerated().map { $0.isMultiple(of: 2) ? String($1) : "<code>\($1)</code>" }.joined()
    }

    /// Whether there is nothing.
    package var isEmpty: Bool { text.isEmpty }

    /// The parts of a literal.
    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        package mutating func appendLiteral(_ literal: String) { text += literal }

        package mutating func appendInterpolation(_ value: String) { text += Markup.escaped(value) }

        package mutating func appendInterpolation(_ value: HTML) { text += value.text }

        package mutating func appendInterpolation(_ value: some BinaryInteger) { text += "\(value)" }

        /// A length or a place in a drawing: at most two digits after the decimal point.
        package mutating func appendInterpolation(_ value: Double) {
            text += NumberText.fixed(value, 2, isTrimmed: true)
        }
    }
}

extension Sequence where Element == HTML {
    /// The pieces, one on a line.
    package func joined() -> HTML {
        var result: HTML = ""
        for piece in self { result = result.isEmpty ? piece : "\(result)\n\(piece)" }
        return result
    }
}
