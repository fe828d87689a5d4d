import HoldfastTestSupport
import Testing

@testable import HoldfastReport

@Suite struct EscapingTests {
    private static let hostile = "<script>alert(\"1\")</script> & 'a' \u{0}\u{8} ]]> </style>"

    @Test func whatIsInterpolatedIsEscapedAndOtherHTMLIsNot() {
        let name = "a < b & \"c\""
        let inner: HTML = "<b>\(name)</b>"
        let outer: HTML = "<p title=\"\(name)\">\(inner)</p>"
        #expect(outer.text == "<p title=\"a &lt; b &amp; &quot;c&quot;\"><b>a &lt; b &amp; &quot;c&quot;</b></p>")
    }

    @Test func whatXMLCannotHoldIsReplaced() {
        #expect(Markup.escaped("a\u{0}b\u{8}c\td\ne\u{FFFF}") == "a\u{FFFD}b\u{FFFD}c\td\ne\u{FFFD}")
    }

    @Test func textBetweenBackticksIsCode() {
        #expect(HTML(prose: "use `a<b>` here").text == "use <code>a&lt;b&gt;</code> here")
    }

    @Test func everyPartOfAPageEscapesWhatItShows() {
        let text = Self.hostile
        let table = DataTable(
            text, [.init("\(text)"), .init("\(text)", .number)],
            [.init(id: text, ["\(text)", "\(text)"], classes: ["", text], keys: [text])])
        let filter = Filter([.init(text, [(text, text)])])
        let chart = GrowthChart(text, x: text, unit: text, [.init(text, [(1, 2), (10, 3)])])
        let diagram = SpaceTimeDiagram(
            text,
            SpaceTime(
                lanes: [.init(text, hasTextOnLeft: true), .init(text, hasTextOnLeft: false)],
                marks: [.init(lane: 0, at: 1, .fault, text), .init(lane: nil, at: 2, .violation, text)],
                messages: [.init(from: 0, to: 1, sentAt: 1, arrivedAt: 2, .request, text)]))
        let body: [HTML] = [
            Tiles([.init(text, text, .bad)]).html, table.html, filter.html, chart.html, diagram.html,
            Facts([(text, "\(text)")]).html, Facts.command(text),
        ]
        let page = Page(
            text, subtitle: text, top: "\(text)",
            sections: [.init("one", text, body.joined()), .init("two", text, "\(text)")]
        ).text
        #expect(!page.contains("<script>alert"))
        #expect(!page.contains("\u{0}"))
        #expect(markupProblem(in: page) == nil)
    }

    @Test func aPageLoadsNothing() {
        let page = Page("A", subtitle: "b", sections: [.init("c", "d", "<p>e</p>")]).text
        for word in ["http:", "https:", "@import", "url(", " src=", "<link"] {
            #expect(!page.contains(word), "\(word)")
        }
    }

    @Test func theCheckFindsWhatIsNotWellFormed() {
        #expect(markupProblem(in: "<p>a</p>") == nil)
        #expect(markupProblem(in: "<p>a<b></p>") != nil)
        #expect(markupProblem(in: "<p title=a>b</p>") != nil)
        #expect(markupProblem(in: "<p>a") != nil)
        #expect(markupProblem(in: "a & b") != nil)
        #expect(markupProblem(in: "a < b") != nil)
        #expect(markupProblem(in: "<br />a &amp; b<p title=\"a\">c</p>") == nil)
    }
}
