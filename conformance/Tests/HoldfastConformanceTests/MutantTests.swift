import HoldfastConformance
import HoldfastConformanceMutants
import HoldfastEngineConformance
import Testing

/// What can be said of the mutants without running them; `./dev conformance --mutate` runs them.
struct MutantTests {
    @Test func mutantsHaveNamesOfTheirOwn() {
        #expect(Set(Mutant.all.map(\.id)).count == Mutant.all.count)
    }

    @Test func everyMutantNamesAClause() {
        let clauses = Set(Suite.complete.clauseIDs)
        for mutant in Mutant.all { #expect(clauses.contains(mutant.clause), "\(mutant.id)") }
    }

    @Test(arguments: Suite.complete.families.map(\.id))
    func everyFamilyHasMutants(_ family: String) {
        #expect(Mutant.all.contains { $0.family == family })
    }
}
