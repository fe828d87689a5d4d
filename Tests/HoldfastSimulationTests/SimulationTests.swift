#if os(Linux) || os(macOS)
import Foundation
import HoldfastTestSupport
import Testing

/// Runs of the whole system, in processes of their own.
@Suite struct SimulationTests {
    private struct Result: Decodable {
        var failures: [UInt64]
        var traces: [UInt64]
        var operations: Int
        var crashes: Int
    }

    private func simulate(_ arguments: String...) async throws -> Result {
        let file = FileManager.default.temporaryDirectory.appending(path: "holdfast-simulation-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let child = try ChildProcess("holdfast-simulate", arguments + ["--json", file.path(percentEncoded: false)])
        let lines = await child.readLines()
        let result = try JSONDecoder().decode(Result.self, from: Data(contentsOf: file))
        #expect(result.failures == [], "\(lines.joined(separator: "\n"))")
        return result
    }

    @Test func theSameSeedGivesTheSameRunAndOthersDiffer() async throws {
        let first = try await simulate("--seed", "1", "--runs", "6", "--operations", "30", "--once")
        let second = try await simulate("--seed", "1", "--runs", "6", "--operations", "30", "--once")
        #expect(first.traces == second.traces)
        #expect(Set(first.traces).count == 6)
        #expect(first.operations > 0)
    }

    @Test func aSchemaOfAnApplicationIsRun() async throws {
        let first = try await simulate("--schema", Self.team, "--runs", "4", "--strategy", "automerge")
        #expect(first.operations > 20)
        let second = try await simulate("--schema", Self.team, "--runs", "4", "--strategy", "automerge", "--once")
        #expect(first.traces == second.traces)
        #expect(Set(first.traces).count == 4)
    }

    @Test func theHelpIsNoError() async throws {
        let child = try ChildProcess("holdfast-simulate", ["--help"])
        #expect(await child.readLines().contains("usage: holdfast-simulate [arguments]"))
    }

    @Test func thereAreScenarios() throws {
        #expect(try !Self.scenarios().isEmpty)
        #expect(try !Self.scenarios(in: "team").isEmpty)
    }

    /// Scenarios that once found a defect, each with its story in the file's name.
    @Test(arguments: try scenarios()) func aDefectThatWasFoundStaysFixed(scenario: String) async throws {
        let file = Self.folder.appending(path: scenario).path(percentEncoded: false)
        #expect(try await simulate("--replay", file).traces.count == 1)
    }

    /// The same with users and groups.
    @Test(arguments: try scenarios(in: "team")) func aDefectThatWasFoundWithATeamStaysFixed(
        scenario: String
    ) async throws {
        let file = Self.folder.appending(path: "team/\(scenario)").path(percentEncoded: false)
        #expect(try await simulate("--schema", Self.team, "--replay", file).traces.count == 1)
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Scenarios")

    private static let team = folder.deletingLastPathComponent().appending(path: "Schemas/team.graphql")
        .path(percentEncoded: false)

    private static func scenarios(in part: String = "") throws -> [String] {
        let folder = part.isEmpty ? folder : folder.appending(path: part)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
        return files.filter { $0.hasSuffix(".json") }.sorted()
    }
}
#endif
