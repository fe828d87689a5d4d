import HoldfastTestSupport
import Testing

@testable import HoldfastReport

@Suite struct ChartTests {
    @Test func aRatioIsBetweenItsNeighborsAndHasALabel() {
        let track = RatioTrack([0.5, 2])
        let row = track.row(1, 0.5...2, goal: 2, .missed).text
        #expect(row.contains("x1=\"0%\" x2=\"100%\""))
        #expect(row.contains("<svg x=\"50%\""))
        #expect(row.contains("aria-label=\"1.00 times, from 0.50 to 2.00, goal at most 2.00\""))
        #expect(markupProblem(in: row) == nil)
    }

    @Test func eachVerdictHasItsOwnShape() {
        let verdicts: [GoalVerdict?] = [.reached, .open, .missed, nil]
        let shapes = Set(verdicts.map { RatioTrack.sample($0).text.split(separator: "<").dropFirst(2).first })
        #expect(shapes.count == 4)
    }

    @Test func aChartHasATableOfItsNumbers() {
        let chart = GrowthChart(
            "read", x: "records", unit: "µs",
            [.init("A", [(100, 5), (1_000, 6)]), .init("B", [(100, 5), (10_000, 900)])]
        ).html.text
        #expect(markupProblem(in: chart) == nil)
        for number in ["100", "1,000", "10,000", "900"] { #expect(chart.contains(">\(number)<"), "\(number)") }
        // What was not measured is not drawn as zero.
        #expect(chart.contains(">–<"))
    }
}
