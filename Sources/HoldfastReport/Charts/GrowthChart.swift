/// How something grows: lines through points, both axes logarithmic.
///
/// A constant is a flat line.
package struct GrowthChart: Sendable {
    /// One line.
    package struct Series: Sendable {
        var name: String
        var points: [(x: Double, y: Double)]

        package init(_ name: String, _ points: [(x: Double, y: Double)]) {
            self.name = name
            self.points = points
        }
    }

    private let title: String
    private let xTitle: String
    private let unit: String
    private let series: [Series]
    private let across: Axis
    private let up: Axis

    /// The drawing in pixels from above, and in shares of the width.
    private static let (top, bottom, height) = (14.0, 206.0, 236.0)
    private static let (left, right) = (15.0, 80.0)

    /// Creates a chart.
    ///
    /// - Parameters:
    ///   - title: What the chart shows.
    ///   - xTitle: What grows from left to right.
    ///   - unit: What the points measure.
    ///   - series: The lines.
    package init(_ title: String, x xTitle: String, unit: String, _ series: [Series]) {
        self.title = title
        self.xTitle = xTitle
        self.unit = unit
        self.series = series
        across = Axis(logarithmic: series.flatMap { $0.points.map(\.x) })
        let values = series.flatMap { $0.points.map(\.y) }
        // A flat line must not look steep: at least a decade.
        up = Axis(logarithmic: values + [(values.max() ?? 1) / 10])
    }

    /// The chart, with a table of the same numbers.
    package var html: HTML {
        """
        <div class="plot" role="group" aria-label="\(title)">
        <p><b>\(title)</b> <span class="quiet">\(unit), by \(xTitle)</span></p>
        <svg width="100%" height="\(Self.height)" role="img" aria-label="\(title): lines by \(xTitle); the table below has the numbers">
        \(grid)
        \(zip(series, labelPositions).enumerated().map { line($1.0, number: $0, label: $1.1) }.joined())
        </svg>
        <details><summary>Numbers</summary>
        \(table)
        </details>
        </div>
        """
    }

    private func x(_ value: Double) -> Double { Self.left + (Self.right - Self.left) * across.position(of: value) }

    private func y(_ value: Double) -> Double { Self.bottom - (Self.bottom - Self.top) * up.position(of: value) }

    private var grid: HTML {
        let rows = up.ticks.map { tick -> HTML in
            """
            <line class="grid" x1="\(Self.left)%" x2="\(Self.right)%" y1="\(y(tick))" y2="\(y(tick))" />
            <text x="\(Self.left - 1.5)%" y="\(y(tick) + 4)" text-anchor="end">\(NumberText.short(tick))</text>
            """
        }
        let columns = across.ticks.map { tick -> HTML in
            """
            <text x="\(x(tick))%" y="\(Self.height - 10)" text-anchor="middle">\(NumberText.short(tick))</text>
            """
        }
        return (rows + columns).joined()
    }

    /// The positions of the names of lines: at the ends of the lines, without overlap.
    private var labelPositions: [Double] {
        var positions = Array(repeating: 0.0, count: series.count)
        var next = Self.top
        let ends = series.indices.sorted { y(series[$0].points.last?.y ?? 0) < y(series[$1].points.last?.y ?? 0) }
        for index in ends {
            positions[index] = max(next, y(series[index].points.last?.y ?? 0))
            next = positions[index] + 15
        }
        return positions
    }

    private func line(_ series: Series, number: Int, label: Double) -> HTML {
        let segments = zip(series.points, series.points.dropFirst()).map { from, to -> HTML in
            """
            <line x1="\(x(from.x))%" y1="\(y(from.y))" x2="\(x(to.x))%" y2="\(y(to.y))" />
            """
        }
        let marks = series.points.map { point -> HTML in
            """
            <svg x="\(x(point.x))%" y="\(y(point.y))" overflow="visible">\(Self.shape(number))</svg>
            """
        }
        return """
            <g class="series s\(number % 5)">
            \((segments + marks).joined())
            <text x="\(Self.right + 3)%" y="\(label + 4)">\(series.name)</text>
            </g>
            """
    }

    /// A shape for each line, so that no color is needed.
    private static func shape(_ number: Int) -> HTML {
        switch number % 5 {
        case 0: "<circle r=\"4.5\" />"
        case 1: "<rect x=\"-4\" y=\"-4\" width=\"8\" height=\"8\" />"
        case 2: "<path d=\"M0 -5.5L5.5 4.5L-5.5 4.5Z\" />"
        case 3: "<path d=\"M0 -6L6 0L0 6L-6 0Z\" />"
        default: "<path d=\"M0 5.5L5.5 -4.5L-5.5 -4.5Z\" />"
        }
    }

    private var table: HTML {
        var numbers: [Double] = []
        for x in series.flatMap({ $0.points.map(\.x) }) where !numbers.contains(x) { numbers.append(x) }
        let columns = [DataTable.Column("\(xTitle)", .number)] + series.map { DataTable.Column("\($0.name)", .number) }
        let rows = numbers.sorted().map { number in
            DataTable.Row(
                ["\(NumberText.grouped(number))"]
                    + series.map { series in
                        "\(series.points.first { $0.x == number }.map { NumberText.grouped($0.y) } ?? "–")"
                    })
        }
        return DataTable("\(title), \(unit)", columns, rows).html
    }
}
