import HoldfastConformance

extension Mutant {
    /// Mutants of all families that show only now and then: after a number, on one path, or after something else.
    static let sporadic: [Mutant] =
        sporadicOfReplacements + sporadicOfKeys + sporadicOfQueries + sporadicOfCommits + sporadicOfUniqueness
        + sporadicOfSnapshots + sporadicOfDeclarations
}
