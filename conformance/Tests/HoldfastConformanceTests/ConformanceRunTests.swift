import HoldfastConformance
import HoldfastConformanceMutants
import HoldfastConformanceTesting
import HoldfastStorage
import Testing

/// The verdicts of a run, each brought about by an adapter, a clause or a harness that deserves it.
struct ConformanceRunTests {
    private static let day = "2026-06-15"

    private func verdict(
        _ clause: Clause, _ harness: ReferenceHarness = ReferenceHarness(), timeout: Duration = .seconds(600)
    ) async throws -> (verdict: Verdict, reason: String) {
        let suite = Suite(version: "0.0.0", families: [Family("TST", "tests", [clause])])
        let report = await ConformanceRun(harness, suite: suite, today: Self.day, timeout: timeout).run()
        let result = try #require(report.results.first)
        return (result.verdict, result.reason ?? "")
    }

    private func clause(
        requires requirement: Requirement? = nil, level: Level = .core, protectsData: Bool = false,
        measuresProcess: Bool = false, _ check: @escaping Clause.Check
    ) -> Clause {
        Clause(
            "TST-001", "A rule.", level: level, requires: requirement, catches: "A mistake.", witness: "something",
            protectsData: protectsData, measuresProcess: measuresProcess, check: check)
    }

    @Test func aKeptRuleIsConformant() async throws {
        #expect(try await verdict(clause { $0.witness() }).verdict == .conformant)
    }

    @Test func aCheckThatSawNothingIsVacuous() async throws {
        let result = try await verdict(clause { _ in })
        #expect(result.verdict == .vacuous)
        #expect(result.reason.contains("something"))
    }

    @Test func aBrokenRuleIsNonConformant() async throws {
        let result = try await verdict(clause { try $0.expectEqual(1, 2, "the number") })
        #expect(result.verdict == .nonConformant)
        #expect(result.reason == "the number: expected 2, got 1")
    }

    @Test func anUnexpectedErrorIsNonConformant() async throws {
        let result = try await verdict(clause { _ in throw StorageError(.io, "No disk.") })
        #expect(result.verdict == .nonConformant)
        #expect(result.reason.contains("storage.io"))
    }

    @Test func aCheckThatHangsIsNonConformant() async throws {
        let hanging = clause { context in
            context.witness()
            context.begin("a wait that never ends")
            try await Task.sleep(for: .seconds(600))
        }
        let result = try await verdict(hanging, timeout: .seconds(1))
        #expect(result.verdict == .nonConformant)
        #expect(result.reason.contains("a wait that never ends"))
    }

    @Test func aLevelThatIsNotClaimedIsSkipped() async throws {
        let result = try await verdict(clause(level: .feed) { $0.witness() })
        #expect(result.verdict == .skipped)
    }

    @Test func theProcessIsNotMeasuredBesideOtherTests() async throws {
        let result = try await verdict(clause(measuresProcess: true) { _ in throw ClauseFailure("Memory grew.") })
        #expect(result.verdict == .skipped)
        #expect(result.reason.contains("child process"))
    }

    @Test func whatIsDeclaredUnsupportedMustBeRefused() async throws {
        let backup = clause(requires: .feature(.backup)) { $0.witness() }
        #expect(try await verdict(backup).verdict == .conformantWithout)
        var harness = ReferenceHarness()
        harness.wrap = { HookedAdapter($0) { $0.declaration = { $0 } } }
        #expect(try await verdict(backup, harness).verdict == .conformantWithout)
    }

    @Test func whatWorksThoughDeclaredUnsupportedIsUnderDeclared() async throws {
        var harness = ReferenceHarness()
        harness.wrap = { base in
            HookedAdapter(base) {
                $0.declaration = { capabilities in
                    var capabilities = capabilities
                    capabilities.support[.uniqueIndexes] = .unsupported
                    return capabilities
                }
            }
        }
        let unique = clause(requires: .feature(.uniqueIndexes)) { $0.witness() }
        #expect(try await verdict(unique, harness).verdict == .underDeclared)
    }

    @Test func aBrokenHarnessIsNotAVerdictOnTheAdapter() async throws {
        var harness = ReferenceHarness()
        harness.sharesLocations = true
        #expect(try await verdict(clause { $0.witness() }, harness).verdict == .harnessError)
    }

    @Test(arguments: [
        ("2026-06-15", false, Verdict.waived), ("2026-06-14", false, .nonConformant),
        ("2026-06-15", true, .nonConformant),
    ])
    func aWaiverHoldsUntilItExpiresAndNeverForData(
        expires: String, protectsData: Bool, expected: Verdict
    ) async throws {
        var harness = ReferenceHarness()
        harness.waivers = [Waiver("TST-001", .notYet, expires: expires)]
        let broken = clause(protectsData: protectsData) { _ in throw ClauseFailure("Broken.") }
        #expect(try await verdict(broken, harness).verdict == expected)
    }

    @Test func aWaivedClauseThatPassesMustBeUnwaived() async throws {
        var harness = ReferenceHarness()
        harness.waivers = [Waiver("TST-001", .notYet, expires: "2027-01-01")]
        #expect(try await verdict(clause { $0.witness() }, harness).verdict == .nonConformant)
    }

    /// A few clauses of different families; `./dev conformance` runs all.
    @Test(arguments: ["TXT-001", "NUM-001", "PRD-001", "LST-001"])
    func theReferenceConforms(_ clause: String) async throws {
        try await expectConformance(of: ReferenceHarness(), to: clause)
    }
}
