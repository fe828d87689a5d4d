import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastConformance

/// What a run reports to its reader.
struct ReportTests {
    private func report(_ clauses: Clause..., levels: Set<Level> = [.core]) async -> ConformanceReport {
        var harness = ReferenceHarness()
        harness.levels = levels
        let suite = Suite(version: "0.0.0", families: [Family("TST", "tests", clauses)])
        return await ConformanceRun(harness, suite: suite, today: "2026-06-15").run()
    }

    private func clause(
        _ id: String, level: Level = .core, requires requirement: Requirement? = nil, _ check: @escaping Clause.Check
    ) -> Clause {
        Clause(
            id, "A rule.", level: level, requires: requirement, catches: "A mistake.", witness: "something",
            check: check)
    }

    private func reason(_ check: @escaping Clause.Check) async -> String {
        await report(clause("TST-001", check)).results[0].reason ?? ""
    }

    @Test func whatTheAdapterLacksIsCountedApartAndOnlyInLevelsThatItClaims() async {
        let report = await report(
            clause("TST-001") { $0.witness() }, clause("TST-002", requires: .feature(.backup)) { $0.witness() },
            clause("TST-003", level: .feed, requires: .feature(.backup)) { $0.witness() },
            clause("TST-004") { _ in throw ClauseFailure("Broken.") })
        #expect(
            report.results.map(\.verdict) == [.conformant, .conformantWithout, .skipped, .nonConformant])
        #expect(report.summary == "1 passed, 1 failed, 1 skipped, 1 about what the adapter declares that it lacks")
        #expect(report.summaries.map(\.text) == ["1 passed, 1 without, 1 failed", "not claimed"])
        #expect(report.date == "2026-06-15")
    }

    @Test func thePageBeginsWithWhatFailed() async throws {
        let page = HTMLReport([
            await report(
                clause("TST-001") { $0.witness(7) }, clause("TST-002") { _ in throw ClauseFailure("Broken.") })
        ]).text
        let top = try #require(page.firstRange(of: "<section id=\"attention\""))
        let clauses = try #require(page.firstRange(of: "<section id=\"clauses\""))
        #expect(top.lowerBound < clauses.lowerBound)
        #expect(page[top.lowerBound..<clauses.lowerBound].contains("✗ non-conformant"))
        #expect(page[top.lowerBound..<clauses.lowerBound].contains(">Broken.<"))
        #expect(page.contains("model 7 times"))
        #expect(page.contains("2026-06-15"))
        #expect(markupProblem(in: page) == nil)
    }

    @Test func rowsSayWhatTheFilterLooksFor() async {
        let page = HTMLReport([
            await report(clause("TST-001") { $0.witness() }, clause("TST-002", level: .feed) { $0.witness() })
        ]).text
        #expect(page.contains("<option value=\"TST\">TST tests</option>"))
        #expect(page.contains("<tr id=\"TST-001\" data-keys=\"TST Core passed\">"))
        #expect(page.contains("<tr id=\"TST-002\" data-keys=\"TST Feed skipped\">"))
    }

    @Test func textOfTheAdapterIsEscaped() async {
        let page = HTMLReport([
            await report(clause("TST-001") { _ in throw ClauseFailure("<script>a & b</script>") })
        ]).text
        #expect(page.contains("&lt;script&gt;a &amp; b&lt;/script&gt;"))
        #expect(markupProblem(in: page) == nil)
    }

    @Test func thePageOfMutantsBeginsWithThoseThatWereNotFound() throws {
        let outcomes = [
            MutantReport.Outcome(
                mutant: "one", summary: "Loses `a<b`.", clause: "TST-001", verdict: .killed, reason: ""),
            MutantReport.Outcome(
                mutant: "two", summary: "Forgets.", clause: "TST-002", verdict: .survived, reason: "It passed."),
        ]
        let page = MutantReport([("memory", outcomes)], date: "2026-06-15").text
        #expect(markupProblem(in: page) == nil)
        #expect(page.contains("Loses <code>a&lt;b</code>."))
        let (killed, survived) = (page.firstRange(of: "<code>one</code>"), page.firstRange(of: "<code>two</code>"))
        #expect(try #require(survived).lowerBound < (try #require(killed)).lowerBound)
        #expect(page.contains("data-keys=\"TST survived\""))
    }

    @Test func rowsAreShownFromTheFirstDifferenceOn() async {
        let rows = (0..<100).map { [Value.integer(Int64($0))] }
        var wrong = rows
        wrong[60] = [.text("other")]
        let text = await reason { [wrong] in try $0.expectEqual(wrong, rows, "the rows") }
        #expect(text.hasPrefix("the rows: expected 100 elements, got 100; the first 60 are equal"))
        #expect(text.contains("expected [.integer(60)]"))
        #expect(text.contains("got      [.text(\"other\")]"))
        #expect(text.contains("and 32 more"))
        #expect(!text.contains("[.integer(59)]"))
    }

    @Test func aMissingEndIsShownAsSuch() async {
        let text = await reason { try $0.expectEqual([1, 2], [1, 2, 3], "the numbers") }
        #expect(text.contains("expected 3\n"))
        #expect(text.contains("got      no more"))
    }

    @Test func valuesAreBoundedAndWithoutNamesOfTypes() async {
        let long = await reason { try $0.expectEqual(String(repeating: "a", count: 100_000), "b", "the text") }
        #expect(long.count < 500)
        let kind = await reason { try $0.expectEqual(StorageError.Kind?.some(.cancelled), nil, "the error") }
        #expect(kind == "the error: expected nothing, got storage.cancelled")
    }

    @Test func aSuiteCanBeginWithAnyClauseAndKeepsTheRest() {
        let suite = Suite.adapter
        let turned = suite.beginning(with: "NUM-002")
        #expect(turned.clauses.first?.id == "NUM-002")
        #expect(Set(turned.clauseIDs) == Set(suite.clauseIDs))
        #expect(turned.clauses.count == suite.clauses.count)
        #expect(turned.clauses.last?.id == "NUM-001")
        #expect(suite.beginning(with: "XXX-001").clauseIDs == suite.clauseIDs)
    }

    @Test func theTableOfLevelsNamesItsSuiteAndReplacesThePreviousOne() async throws {
        let table = LevelTable([
            await report(
                clause("TST-001") { $0.witness() }, clause("TST-002") { _ in throw ClauseFailure("Broken.") })
        ])
        let marks = ("<!-- conformance: generated by ./dev conformance all -->", "<!-- /conformance -->")
        let updated = try #require(table.updated("before\n\(marks.0)\nold\n\(marks.1)\nafter\n"))
        let rows = """
            Suite 0.0.0, 2 clauses: passed of those that apply.

            | adapter | Core |
            |---|---|
            | \(ReferenceHarness().name) | 1/2 |
            """
        #expect(updated == "before\n\(marks.0)\n\(rows)\n\(marks.1)\nafter\n")
        #expect(table.updated(updated) == updated)
        #expect(table.updated("no marks") == nil)
    }
}
