import HoldfastConformance
import Testing

/// What can be said of the mutants without running them; `./dev conformance --mutate` runs them.
struct MutantTests {
    @Test func defectsHaveNamesOfTheirOwn() {
        #expect(Set(Suite.defects.map(\.id)).count == Suite.defects.count)
    }

    @Test func everyDefectNamesAClause() {
        let clauses = Set(Suite.adapter.clauseIDs)
        for defect in Suite.defects { #expect(clauses.contains(defect.clause), "\(defect.id)") }
    }
}
