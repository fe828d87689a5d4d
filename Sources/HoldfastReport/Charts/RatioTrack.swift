/// A ratio in a row of a table: where it is between its neighbors, the range of its passes, and its goal.
///
/// All places are shares of the width, so that the drawing is as wide as its column.
package struct RatioTrack: Sendable {
    private let axis: Axis
    private static let height = 26.0

    /// Creates the tracks of one column.
    ///
    /// - Parameter ratios: All that the column shows; 1 is always on the axis.
    package init(_ ratios: [Double]) { axis = Axis(logarithmic: ratios + [0.5, 2]) }

    /// The scale, for the head of the column.
    package var head: HTML {
        let labels = axis.ticks.map { tick -> HTML in
            let position = axis.position(of: tick)
            let anchor = position < 0.02 ? "start" : position > 0.98 ? "end" : "middle"
            return "<text x=\"\(position * 100)%\" y=\"12\" text-anchor=\"\(anchor)\">\(NumberText.short(tick))×</text>"
        }
        return """
            <svg class="track" width="100%" height="16" aria-hidden="true">\(labels.joined())</svg>
            """
    }

    /// One row.
    ///
    /// - Parameters:
    ///   - ratio: What was measured.
    ///   - range: The smallest and the largest of several passes.
    ///   - goal: What was to be reached at most.
    ///   - verdict: Whether the goal was reached, which decides the shape of the mark.
    /// - Returns: A drawing for one cell of the table.
    package func row(
        _ ratio: Double, _ range: ClosedRange<Double>?, goal: Double?, _ verdict: GoalVerdict?
    ) -> HTML {
        let middle = Self.height / 2
        var parts: [HTML] = axis.ticks.map { tick in
            let x = axis.position(of: tick) * 100
            return "<line class=\"grid\" x1=\"\(x)%\" x2=\"\(x)%\" y1=\"0\" y2=\"\(Self.height)\" />"
        }
        let one = axis.position(of: 1) * 100
        parts.append("<line class=\"one\" x1=\"\(one)%\" x2=\"\(one)%\" y1=\"0\" y2=\"\(Self.height)\" />")
        if let goal {
            let x = axis.position(of: goal) * 100
            parts.append("<line class=\"goal\" x1=\"\(x)%\" x2=\"\(x)%\" y1=\"3\" y2=\"\(Self.height - 3)\" />")
        }
        if let range {
            let (low, high) = (axis.position(of: range.lowerBound) * 100, axis.position(of: range.upperBound) * 100)
            parts.append("<line class=\"range\" x1=\"\(low)%\" x2=\"\(high)%\" y1=\"\(middle)\" y2=\"\(middle)\" />")
        }
        let x = axis.position(of: ratio) * 100
        let style = verdict?.rawValue ?? "plain"
        parts.append(
            "<svg x=\"\(x)%\" y=\"\(middle)\" overflow=\"visible\" class=\"\(style)\">\(Self.shape(verdict))</svg>")
        return """
            <svg class="track" width="100%" height="\(Self.height)" role="img" aria-label="\(Self.words(ratio, range, goal))">
            \(parts.joined())
            </svg>
            """
    }

    /// The mark of a verdict, for a legend.
    package static func sample(_ verdict: GoalVerdict?) -> HTML {
        """
        <svg class="track" width="18" height="16" aria-hidden="true"><svg x="9" y="8" overflow="visible" \
        class="\(verdict?.rawValue ?? "plain")">\(shape(verdict))</svg></svg>
        """
    }

    /// A shape for each verdict, so that no color is needed.
    private static func shape(_ verdict: GoalVerdict?) -> HTML {
        switch verdict {
        case .reached?: "<circle class=\"mark\" r=\"5\" />"
        case .open?: "<circle class=\"mark hollow\" r=\"5\" />"
        case .missed?: "<path class=\"mark\" d=\"M0 -7L7 0L0 7L-7 0Z\" />"
        case nil: "<rect class=\"mark\" x=\"-4\" y=\"-4\" width=\"8\" height=\"8\" />"
        }
    }

    private static func words(_ ratio: Double, _ range: ClosedRange<Double>?, _ goal: Double?) -> String {
        var words = "\(NumberText.fixed(ratio, 2)) times"
        if let range {
            words += ", from \(NumberText.fixed(range.lowerBound, 2)) to \(NumberText.fixed(range.upperBound, 2))"
        }
        if let goal { words += ", goal at most \(NumberText.fixed(goal, 2))" }
        return words
    }
}

/// What all passes together say about a goal.
package enum GoalVerdict: String, Sendable, Hashable {
    /// Every pass reached it.
    case reached
    /// Some passes did.
    case open
    /// No pass did.
    case missed

    /// The verdict as a sign and a word.
    package var html: HTML {
        switch self {
        case .reached: "<span class=\"good\">✓ reached</span>"
        case .open: "<span class=\"open\">~ in some passes</span>"
        case .missed: "<span class=\"bad\">✗ missed</span>"
        }
    }
}
