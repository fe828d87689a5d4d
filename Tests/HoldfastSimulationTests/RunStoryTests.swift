import Testing

@testable import HoldfastSimulation

@Suite struct RunStoryTests {
    private var report: RunReport {
        var report = RunReport(seed: 7)
        report.marks = [
            RunMark(at: 10_000, place: .client(0), kind: .edit, text: "step 1: save Paper 1"),
            RunMark(at: 12_000, place: .client(0), kind: .commit, text: "Folder r1, Paper r1"),
            RunMark(at: 13_000, place: .client(0), kind: .commit, text: "Paper r12"),
            RunMark(at: 20_000, place: .everywhere, kind: .fault, text: "service step 2: server 0 dies"),
            RunMark(at: 25_000, place: .client(0), kind: .note, text: "hub ready"),
            RunMark(at: 30_000, place: .client(1), kind: .violation, text: "Paper r1 is lost"),
        ]
        report.messages = [
            RunMessage(
                from: .client(0), to: .server(0), sentAt: 14_000, arrivedAt: 15_000, kind: .request,
                text: "CreatePaper r1"),
            RunMessage(
                from: .client(0), to: .server(0), sentAt: 14_000, arrivedAt: 15_000, kind: .request,
                text: "CreateFolder r1"),
            RunMessage(
                from: .server(0), to: .client(1), sentAt: 16_000, arrivedAt: nil, kind: .event,
                text: "onCreatePaper r1 v1"),
        ]
        return report
    }

    @Test func aStoryIsAboutTheStepsAndTheRecordOfTheViolation() {
        var report = report
        report.violations = ["client 1: Paper r1 is lost"]
        #expect(
            report.story == [
                "0.010 c0 step 1: save Paper 1", "0.012 c0 commits Paper r1", "0.014 c0 to server 0: CreatePaper r1",
                "0.016 server 0 to c1: onCreatePaper r1 v1, lost", "0.020 service step 2: server 0 dies",
                "0.030 VIOLATION c1 Paper r1 is lost",
            ])
    }

    @Test func aViolationWithoutARecordHasTheSteps() {
        var report = report
        report.violations = ["the run ended early"]
        #expect(
            report.story == [
                "0.010 c0 step 1: save Paper 1", "0.020 service step 2: server 0 dies",
                "0.030 VIOLATION c1 Paper r1 is lost",
            ])
    }
}
