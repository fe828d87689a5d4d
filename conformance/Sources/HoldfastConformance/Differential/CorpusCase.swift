import HoldfastStorage

/// A case of the stored corpus, which is replayed whatever the seed of a run.
struct CorpusCase: Sendable {
    /// Where the case comes from.
    enum Source: Sendable {
        /// A seed with its number of steps.
        case seed(UInt64, steps: Int)
        /// The case itself.
        case literal(DifferentialCase)
    }

    /// What it is about.
    let name: String
    let source: Source
}
