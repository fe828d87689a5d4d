/// Where the parts of a space-time diagram are.
///
/// Time goes downward; long pauses are short in the drawing.
package struct SpaceTimeLayout: Sendable {
    /// A time at the edge of the drawing.
    package struct Label: Sendable, Hashable {
        package var y: Double
        package var text: String
    }

    /// A message in the drawing.
    package struct Arrow: Sendable, Hashable {
        package var start: Double
        /// Where it arrives, or where it is lost.
        package var end: Double
    }

    /// The height of a line of text.
    static let line = 15.0
    private static let top = 58.0

    /// The place of each mark from above, in the order of the marks.
    package private(set) var marks: [Double]
    /// The places of each message, in the order of the messages.
    package private(set) var arrows: [Arrow]
    /// The times beside the drawing.
    package private(set) var labels: [Label] = []
    /// Pauses that are longer than they look: where they are, and how long.
    package private(set) var pauses: [Label] = []
    /// The height of everything.
    package private(set) var height = 0.0

    private enum Point {
        case mark(Int)
        case departure(Int)
        case arrival(Int)
    }

    package init(_ content: SpaceTime) {
        marks = Array(repeating: 0, count: content.marks.count)
        arrows = Array(repeating: Arrow(start: 0, end: 0), count: content.messages.count)
        var points: [(time: Int64, point: Point)] = content.marks.indices.map { (content.marks[$0].at, .mark($0)) }
        for (index, message) in content.messages.enumerated() {
            points.append((message.sentAt, .departure(index)))
            if let time = message.arrivedAt { points.append((time, .arrival(index))) }
        }
        // What happens at one time keeps its order: arrivals, marks, departures.
        points = points.enumerated().sorted { left, right in
            let (first, second) = (left.element, right.element)
            if first.time != second.time { return first.time < second.time }
            let (a, b) = (Self.rank(first.point), Self.rank(second.point))
            return a != b ? a < b : left.offset < right.offset
        }.map(\.element)

        var y = Self.top
        var last: Int64?
        var textEnds: [Int: Double] = [:]
        for (time, point) in points {
            if let last, time > last { y = next(y, from: last, to: time) }
            // Texts of one lane never overlap.
            if let lane = Self.laneOfText(point, content) {
                for lane in lane == -1 ? Array(content.lanes.indices) : [lane] { y = max(y, textEnds[lane] ?? 0) }
                for lane in lane == -1 ? Array(content.lanes.indices) : [lane] { textEnds[lane] = y + Self.line }
            }
            switch point {
            case .mark(let index): marks[index] = y
            case .departure(let index): arrows[index] = Arrow(start: y, end: y + Self.line)
            case .arrival(let index): arrows[index].end = max(y, arrows[index].start)
            }
            if last != time, y >= (labels.last?.y ?? -100) + Self.line {
                labels.append(Label(y: y, text: Self.seconds(time)))
            }
            last = time
        }
        height = y + 2 * Self.line + 10
    }

    private mutating func next(_ y: Double, from last: Int64, to time: Int64) -> Double {
        let milliseconds = Double(time - last) / 1_000
        if milliseconds >= 5_000 {
            pauses.append(Label(y: y + 24, text: "\(Self.duration(time - last)) later"))
            return y + 48
        }
        return y + min(26, 5 + 2.2 * Logarithm.base2(1 + milliseconds))
    }

    /// The lane whose text a point needs room for; -1 for all.
    private static func laneOfText(_ point: Point, _ content: SpaceTime) -> Int? {
        switch point {
        case .mark(let index):
            content.marks[index].text.isEmpty ? nil : content.marks[index].lane ?? -1
        case .departure(let index): content.messages[index].text.isEmpty ? nil : content.messages[index].from
        case .arrival: nil
        }
    }

    private static func rank(_ point: Point) -> Int {
        switch point {
        case .arrival: 0
        case .mark: 1
        case .departure: 2
        }
    }

    /// A time in microseconds as seconds.
    package static func seconds(_ time: Int64) -> String { NumberText.fixed(Double(time) / 1e6, 3) }

    /// How long something takes, in microseconds.
    static func duration(_ time: Int64) -> String {
        let seconds = time / 1_000_000
        if seconds < 120 { return "\(seconds) s" }
        return seconds < 7_200 ? "\(seconds / 60) min" : "\(seconds / 3_600) h"
    }
}
