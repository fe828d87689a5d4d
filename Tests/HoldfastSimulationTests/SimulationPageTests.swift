import HoldfastTestSupport
import Testing

@testable import HoldfastSimulation

@Suite struct SimulationPageTests {
    private let scenario = Scenario(
        seed: 7, strategy: .automerge,
        clients: [
            Scenario.Client(storage: "memory", handler: .applyRemote, clockError: 0),
            Scenario.Client(storage: "<sqlite>", handler: .retryLocal, clockError: 5),
        ], servers: 2,
        steps: [
            Scenario.Step(id: 1, at: 10, action: .command(client: 0, .start)),
            Scenario.Step(id: 2, at: 20, action: .network(client: 1, isUp: false)),
            Scenario.Step(id: 3, at: 30, action: .serverDeath(server: 1, pause: 5)),
        ])

    private func page(_ violations: [String]) -> String {
        var report = RunReport(seed: 7)
        report.violations = violations
        report.marks = [
            RunMark(at: 10_000, place: .client(0), kind: .edit, text: "step 1: start"),
            RunMark(at: 20_000, place: .server(1), kind: .commit, text: "Folder 9 v2"),
            RunMark(at: 30_000, place: .everywhere, kind: .note, text: "faults end"),
            RunMark(at: 31_000, place: .client(1), kind: .detail, text: "not shown"),
        ]
        report.messages = [
            RunMessage(
                from: .client(0), to: .server(0), sentAt: 11_000, arrivedAt: 15_000, kind: .request,
                text: "CreateFolder 9"),
            RunMessage(
                from: .server(1), to: .client(1), sentAt: 21_000, arrivedAt: nil, kind: .event, text: "onCreateFolder 9"
            ),
        ]
        var summary = RunSummary()
        summary.add(report)
        return SimulationPage(
            summary, kinds: scenario.faultKinds,
            stories: [SimulationPage.Story(scenario, report, stepCount: 80, json: "{\"a\": \"<b>\"}")],
            command: "./dev simulate --seed 7", date: "2026-06-15"
        ).text
    }

    @Test func aViolationIsShownWithItsSeedAndWhatLedToIt() {
        let page = page(["Folder 9 has version 3 after <1>"])
        #expect(markupProblem(in: page) == nil)
        for text in [
            "Violation with seed 7", "Folder 9 has version 3 after &lt;1&gt;", "3 of 80 steps are enough", "client 1",
            "server 1", "CreateFolder 9", "is lost", "Folder 9 v2", "faults end",
            "{&quot;a&quot;: &quot;&lt;b&gt;&quot;}",
            "./dev simulate --seed 7", "death of a server",
        ] { #expect(page.contains(text), "\(text)") }
        #expect(!page.contains("not shown"))
    }

    @Test func aRunWithoutViolationsIsReportedAsPassed() {
        let page = page([])
        #expect(markupProblem(in: page) == nil)
        #expect(!page.contains("Violation with"))
        #expect(page.contains("<b><span aria-hidden=\"true\">✓</span> 0</b> <span>runs with violations</span>"))
    }

    @Test func faultsAreCountedByTheirKinds() {
        #expect(scenario.faultKinds == ["network: down": 1, "death of a server": 1])
    }
}
