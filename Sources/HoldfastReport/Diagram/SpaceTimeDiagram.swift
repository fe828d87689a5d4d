/// A space-time diagram as a drawing with a table of the same: one line for each that takes part, arrows for
/// messages, and shapes for what happens.
package struct SpaceTimeDiagram: Sendable {
    private let title: String
    private let content: SpaceTime
    private let layout: SpaceTimeLayout

    /// How far the lanes are from each other, and from the edges, in pixels.
    private static let (gutter, margin) = (66.0, 210.0)

    /// Creates a diagram.
    ///
    /// - Parameters:
    ///   - title: What it shows, for those who hear it.
    ///   - content: What is drawn.
    package init(_ title: String, _ content: SpaceTime) {
        self.title = title
        self.content = content
        layout = SpaceTimeLayout(content)
    }

    /// The drawing, its legend, and the table.
    package var html: HTML {
        """
        \(Self.legend)
        <div class="scroll" tabindex="0" role="region" aria-label="\(title)">
        <svg class="spacetime" width="\(width)" height="\(layout.height)" role="img" aria-label="\(title); the table below says the same">
        \(lanes.joined())
        \(pauses.joined())
        \(zip(content.messages, layout.arrows).map(arrow).joined())
        \(zip(content.marks, layout.marks).map(shape).joined())
        \(zip(content.messages, layout.arrows).map(text).joined())
        \(zip(content.marks, layout.marks).map(text).joined())
        \(times.joined())
        </svg>
        </div>
        <details><summary>The same as a table</summary>
        \(table)
        </details>
        """
    }

    private var width: Double {
        Self.gutter + 2 * Self.margin + Double(max(0, content.lanes.count - 1)) * distance
    }

    /// A few lanes fill the page; more of them keep room for texts, and the drawing scrolls.
    private var distance: Double { max(190, min(300, 700 / Double(max(1, content.lanes.count - 1)))) }

    private func x(_ lane: Int) -> Double { Self.gutter + Self.margin + Double(lane) * distance }

    // MARK: - Lines

    private var lanes: [HTML] {
        content.lanes.enumerated().map { index, lane in
            """
            <line class="lane" x1="\(x(index))" x2="\(x(index))" y1="34" y2="\(layout.height - 8)" />
            <text class="head" x="\(x(index))" y="24" text-anchor="middle">\(lane.name)</text>
            """
        }
    }

    private var times: [HTML] {
        layout.labels.map { label in
            """
            <text class="time" x="\(Self.gutter - 8)" y="\(label.y + 4)" text-anchor="end">\(label.text)</text>
            """
        }
    }

    private var pauses: [HTML] {
        layout.pauses.map { pause in
            """
            <line class="gap" x1="\(Self.gutter)" x2="\(width - 16)" y1="\(pause.y)" y2="\(pause.y)" />
            <text class="time" x="12" y="\(pause.y + 4)">\(pause.text)</text>
            """
        }
    }

    // MARK: - Messages

    private func arrow(_ message: SpaceTime.Message, _ arrow: SpaceTimeLayout.Arrow) -> HTML {
        let start = x(message.from)
        let isLost = message.arrivedAt == nil
        // What is lost ends half-way.
        let end = isLost ? (start + x(message.to)) / 2 : x(message.to)
        let (name, tip) =
            switch message.kind {
            case .request: ("message", "tip")
            case .answer: ("answer", "answer-tip")
            case .event: ("event", "event-tip")
            }
        let line: HTML = """
            <line class="\(isLost ? "lost" : name)" x1="\(start)" y1="\(arrow.start)" x2="\(end)" y2="\(arrow.end)" />
            """
        if isLost {
            return """
                \(line)
                <path class="fault" d="M\(end - 5) \(arrow.end - 5)L\(end + 5) \(arrow.end + 5)M\(end - 5) \(arrow.end + 5)L\(end + 5) \(arrow.end - 5)" />
                """
        }
        return """
            \(line)
            <path class="\(tip)" d="\(Self.head(from: (start, arrow.start), to: (end, arrow.end)))" />
            """
    }

    /// A triangle at the end of a line, which ends at a lane.
    private static func head(from start: (x: Double, y: Double), to end: (x: Double, y: Double)) -> HTML {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let length = max((dx * dx + dy * dy).squareRoot(), 1)
        let (ux, uy) = (dx / length, dy / length)
        let back = (x: end.x - 9 * ux, y: end.y - 9 * uy)
        return
            "M\(end.x) \(end.y)L\(back.x - 3.5 * uy) \(back.y + 3.5 * ux)L\(back.x + 3.5 * uy) \(back.y - 3.5 * ux)Z"
    }

    private func text(_ message: SpaceTime.Message, _ arrow: SpaceTimeLayout.Arrow) -> HTML {
        beside(message.from, arrow.start, message.text, style: "on")
    }

    // MARK: - Marks

    private func shape(_ mark: SpaceTime.Mark, _ y: Double) -> HTML {
        guard let lane = mark.lane else {
            return "<line class=\"moment\" x1=\"\(Self.gutter)\" x2=\"\(width - 16)\" y1=\"\(y)\" y2=\"\(y)\" />"
        }
        return "<g transform=\"translate(\(x(lane)) \(y))\">\(Self.shape(mark.kind))</g>"
    }

    /// A shape for each kind, so that no color is needed.
    private static func shape(_ kind: SpaceTime.Mark.Kind) -> HTML {
        switch kind {
        case .edit: "<circle class=\"edit\" r=\"5\" />"
        case .commit: "<rect class=\"commit\" x=\"-4\" y=\"-4\" width=\"8\" height=\"8\" />"
        case .fault: "<path class=\"fault\" d=\"M-5 -5L5 5M-5 5L5 -5\" />"
        case .note: "<circle class=\"note\" r=\"3.5\" />"
        case .violation: "<path class=\"violation-mark\" d=\"M0 -9L9 7L-9 7Z\" />"
        }
    }

    private func text(_ mark: SpaceTime.Mark, _ y: Double) -> HTML {
        let style =
            switch mark.kind {
            case .violation: "violation-text"
            case .fault: "fault-text"
            case .note: "on"
            case .edit, .commit: ""
            }
        guard let lane = mark.lane else {
            return
                "<text class=\"\(style)\" x=\"\(Self.gutter + 6)\" y=\"\(y - 4)\">\(Self.short(mark.text, 90))</text>"
        }
        return beside(lane, y, mark.text, style: style)
    }

    private func beside(_ lane: Int, _ y: Double, _ text: String, style: String) -> HTML {
        if text.isEmpty { return "" }
        let isLeft = content.lanes[lane].hasTextOnLeft
        return """
            <text class="\(style)" x="\(x(lane) + (isLeft ? -11 : 11))" y="\(y + 4)" text-anchor="\(isLeft ? "end" : "start")">\
            \(Self.short(text, style.isEmpty || style == "on" ? 34 : 28))<title>\(text)</title></text>
            """
    }

    private static func short(_ text: String, _ count: Int) -> String {
        text.count > count ? text.prefix(count - 1) + "…" : text
    }

    private static let legend: HTML = {
        let kinds: [(SpaceTime.Mark.Kind, String)] = [
            (.edit, "change or command"), (.commit, "commit"), (.fault, "fault"), (.note, "event"),
            (.violation, "violation"),
        ]
        let marks = kinds.map { kind, name -> HTML in
            """
            <li><svg class="spacetime" width="20" height="20" aria-hidden="true"><g transform="translate(10 10)">\
            \(shape(kind))</g></svg> \(name)</li>
            """
        }
        let lines = [
            ("message", "request"), ("answer", "answer"), ("event", "subscription event"), ("lost", "lost"),
        ].map { style, name -> HTML in
            """
            <li><svg class="spacetime" width="28" height="12" aria-hidden="true"><line class="\(style)" x1="1" x2="27" y1="6" y2="6" />\
            </svg> \(name)</li>
            """
        }
        return "<ul class=\"legend\">\n\((marks + lines).joined())\n</ul>"
    }()

    // MARK: - Table

    private var table: HTML {
        let marks = content.marks.enumerated().map { index, mark in
            (
                mark.at, index,
                DataTable.Row([
                    "\(SpaceTimeLayout.seconds(mark.at))", "\(mark.lane.map { content.lanes[$0].name } ?? "all")",
                    "\(mark.kind.rawValue)", "\(mark.text)",
                ])
            )
        }
        let messages = content.messages.enumerated().map { index, message in
            let end = message.arrivedAt.map { "arrives at \(SpaceTimeLayout.seconds($0))" } ?? "is lost"
            return (
                message.sentAt, content.marks.count + index,
                DataTable.Row([
                    "\(SpaceTimeLayout.seconds(message.sentAt))", "\(content.lanes[message.from].name)",
                    "\(message.kind.rawValue)", "\(message.text) to \(content.lanes[message.to].name), \(end)",
                ])
            )
        }
        let rows = (marks + messages).sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
        let columns: [DataTable.Column] = [.init("seconds", .number), .init("where"), .init("what"), .init("text")]
        return DataTable("\(title), as a table", columns, rows).html
    }
}
