/// Counts the commits that came before that of a mutation, and says when it gives up.
struct ConflictCount {
    private var here = 0
    private var elsewhere = 0
    private let limitHere: Int

    /// Begins to count.
    ///
    /// - Parameter asksFunction: Whether a function may be asked each time, which can take a call to another service.
    init(asksFunction: Bool = false) { limitHere = asksFunction ? 16 : 256 }

    /// Whether the mutation gives up.
    ///
    /// Many mutations of one process may wait for a record, since one of them is written each time.
    var isTooLarge: Bool { here >= limitHere || elsewhere >= 16 }

    /// Counts a commit that came first.
    mutating func add(_ outcome: RecordWriter.Outcome) {
        switch outcome {
        case .written: break
        case .precededHere: here += 1
        case .precededElsewhere: elsewhere += 1
        }
    }
}
