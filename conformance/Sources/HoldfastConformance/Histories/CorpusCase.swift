import HoldfastStorage

/// A case of the stored corpus: one that once told a wrong store from a right one.
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
