extension Defect {
    /// Defects of all families that show only now and then: behind a number, on one path, or after something else.
    static let sporadic: [Defect] =
        sporadicOfReplacements + sporadicOfKeys + sporadicOfQueries + sporadicOfCommits + sporadicOfUniqueness
        + sporadicOfSnapshots + sporadicOfDeclarations
}
