import Foundation
import HoldfastConformance
import HoldfastTestSupport
import Testing

/// Runs whose parts are done by child processes, played here by scripts.
struct BatchTests {
    private static let clauses = ["AAA-001", "AAA-002", "BBB-001"]

    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-\(UUID().uuidString)")

    /// Runs a command whose children are a script; `$@` is the arguments of the child.
    ///
    /// - Returns: The exit code and the results by clause.
    private func run(_ script: String, _ arguments: String...) async throws -> (Int32, [String: ClauseResult]) {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // `next` keeps its mark beside the executable, so each run has one of its own.
        let shell = folder.appendingPathComponent("sh")
        try FileManager.default.createSymbolicLink(atPath: shell.path, withDestinationPath: "/bin/sh")
        let families = Dictionary(grouping: Self.clauses) { String($0.prefix(3)) }.sorted { $0.key < $1.key }
        let suite = Suite(
            version: "0.0.0",
            families: families.map { letters, ids in
                Family(
                    letters, "tests",
                    ids.map { Clause($0, "A rule.", catches: "A mistake.", witness: "it") { $0.witness() } })
            })
        let command = ConformanceCommand(
            [ReferenceHarness(levels: [.core])], suite: suite,
            workers: WorkerLauncher(executable: shell.path, arguments: ["-c", script, "sh"]))
        let report = folder.appendingPathComponent("report.json")
        let code = await command.run(["model", "--json", report.path] + arguments)
        let file = try JSONDecoder().decode(ReportFile.self, from: Data(contentsOf: report))
        let results = try #require(file.reports.first).results
        return (code, Dictionary(uniqueKeysWithValues: results.map { ($0.clause, $0) }))
    }

    private static let begins = #"""
        begins() { printf '{"begins":{"_0":"%s"}}\n' "$1"; }
        passes() {
            printf '{"result":{"_0":{"clause":"%s","version":1,"level":"Core","rule":"A rule.",' "$1"
            printf '"verdict":"conformant","witnessCount":1,"witness":"it","seconds":0.5}}}\n'
        }

        """#

    @Test func aRunIsDoneByChildren() async throws {
        let (code, results) = try await run(
            Self.begins + #"shift 5; for id in "$@"; do begins "$id"; passes "$id"; done"#)
        #expect(code == 0)
        #expect(
            results.mapValues(\.verdict) == ["AAA-001": .conformant, "AAA-002": .conformant, "BBB-001": .conformant])
    }

    /// The clause that was in progress is to blame; those after it get another process.
    @Test func aCrashIsAVerdictOnTheClauseThatWasInProgress() async throws {
        let (code, results) = try await run(
            Self.begins
                + #"shift 5; for id in "$@"; do begins "$id"; [ "$id" = AAA-001 ] && kill -11 $$; passes "$id"; done"#)
        #expect(code == 1)
        #expect(results["AAA-001"]?.verdict == .nonConformant)
        #expect(results["AAA-001"]?.reason?.contains("signal 11") == true)
        #expect(results["AAA-002"]?.verdict == .conformant)
        #expect(results["BBB-001"]?.verdict == .conformant)
    }

    /// As a child does whose threads the adapter holds.
    @Test func aChildThatEndsAfterAVerdictIsReplaced() async throws {
        let (code, results) = try await run(
            Self.begins + #"shift 5; for id in "$@"; do begins "$id"; passes "$id"; exit 1; done"#)
        #expect(code == 0)
        #expect(results.count == 3)
    }

    @Test func aCrashBeforeTheFirstClauseBlamesHarnessAndAdapter() async throws {
        let (code, results) = try await run("kill -6 $$")
        #expect(code == 2)
        #expect(results.count == 3)
        for result in results.values {
            #expect(result.verdict == .harnessError)
            #expect(result.reason?.contains("harness and its adapter") == true)
        }
    }

    @Test func nextEndsAtTheFirstBrokenRuleInTheOrderOfTheSuite() async throws {
        let (code, results) = try await run(
            Self.begins
                + #"shift 5; for id in "$@"; do begins "$id"; [ "$id" = AAA-002 ] && exit 3; passes "$id"; done"#,
            "--next")
        #expect(code == 1)
        #expect(results.mapValues(\.verdict) == ["AAA-001": .conformant, "AAA-002": .nonConformant])
    }
}
