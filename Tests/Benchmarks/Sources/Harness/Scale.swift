/// How much a run of the benchmarks measures.
enum Scale: Sendable {
    /// For trying out.
    case quick
    /// Some five minutes.
    case standard
    /// An hour and more.
    case thorough

    /// How often everything is measured, one pass after the other.
    var passCount: Int {
        switch self {
        case .quick: 1
        case .standard: 3
        case .thorough: 5
        }
    }

    /// A number of records or operations.
    ///
    /// - Parameter count: That of the full size.
    /// - Returns: A tenth for ``quick``, a fifth for ``standard``, each at least 1; `count` for ``thorough``.
    func sized(_ count: Int) -> Int {
        switch self {
        case .quick: max(1, count / 10)
        case .standard: max(1, count / 5)
        case .thorough: count
        }
    }

    /// A number of rounds, within each of which every contender has its turn.
    ///
    /// - Parameter count: That of the full size.
    /// - Returns: A third, but at least 2, for ``standard``; `count` otherwise.
    func rounds(_ count: Int) -> Int {
        switch self {
        case .quick, .thorough: count
        case .standard: max(2, count / 3)
        }
    }
}
