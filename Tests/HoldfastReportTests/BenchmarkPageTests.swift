import HoldfastBenchmarkSupport
import HoldfastTestSupport
import Testing

@Suite struct BenchmarkPageTests {
    private func result(
        _ group: BenchmarkResult.Group, _ name: String, baseline: String? = nil, ratio: Double? = nil
    ) -> BenchmarkResult {
        var result = BenchmarkResult(
            group: group, name: name, adapter: "sqlite", layer: "datastore", value: 12.5, unit: "µs p50")
        result.baseline = baseline
        result.ratio = ratio
        return result
    }

    private func text(_ results: [BenchmarkResult]) -> String {
        BenchmarkPage(
            results, facts: [("processor", "A & B")], command: "./dev bench --filter \"<x>\"", subtitle: "today"
        ).text
    }

    @Test func everyMeasurementIsOnThePageInItsSection() {
        var growth = [result(.growth, "growth: read"), result(.growth, "growth: read")]
        growth[0].size = 100
        growth[1].size = 1_000
        var save = result(.store, "save", baseline: "sqlite/raw", ratio: 1.5)
        save.ratios = 1.2...1.9
        save.goal = .ratio(1.3)
        save.verdict = .open
        let page = text(
            [
                save, result(.store, "peer", baseline: "sqlite/grdb-record", ratio: 0.3),
                result(.store, "delete", baseline: "sqlite/100 children", ratio: 1.1), result(.sync, "first sync"),
                result(.service, "fan out"), result(.language, "parse"),
            ] + growth)
        #expect(markupProblem(in: page) == nil)
        for id in ["raw", "peers", "others", "growth", "sync", "service", "language", "all", "machine"] {
            #expect(page.contains("<section id=\"\(id)\""), "\(id)")
        }
        #expect(page.contains("from 1.20 to 1.90, goal at most 1.30"))
        #expect(page.contains("≤ 1.30× <span class=\"open\">~ in some passes</span>"))
        #expect(page.contains("A &amp; B"))
        #expect(page.contains("--filter &quot;&lt;x&gt;&quot;"))
    }

    @Test func aRunOfOneBenchmarkHasNoEmptySections() {
        let page = text([result(.language, "parse")])
        #expect(markupProblem(in: page) == nil)
        for id in ["raw", "peers", "others", "growth", "sync", "service"] {
            #expect(!page.contains("id=\"\(id)\""), "\(id)")
        }
    }
}
