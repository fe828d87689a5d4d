import HoldfastStorage

/// The keys that transforms changed and the records that they gave up, by the key's stored text.
///
/// Filled while the records are rebuilt, read when the outbox is, which comes after them. Holds what changed only.
final class KeyChanges: Sendable {
    private struct State {
        var moved: [String: String] = [:]
        /// The present keys of these.
        var taken: Set<String> = []
        var dropped: Set<String> = []
    }

    /// Whether the key has other fields now, so that the text of a key that was not met means nothing any longer.
    let isOtherKey: Bool
    private let state = Mutex(State())

    init(isOtherKey: Bool) { self.isOtherKey = isOtherKey }

    /// Remembers a record's stored and present key; `nil` if it was given up.
    func record(_ old: RecordKey, _ new: RecordKey?) {
        let oldText = old.outboxText
        guard let new else { return state.withLock { _ = $0.dropped.insert(oldText) } }
        let newText = new.outboxText
        if newText == oldText { return }
        state.withLock { state in
            state.moved[oldText] = newText
            state.taken.insert(newText)
        }
    }

    /// The present text of a stored key.
    func newText(of old: String) -> String? { state.withLock { $0.moved[old] } }

    /// Whether a stored key that no record has is now that of a record which had another one.
    func isTaken(_ old: String) -> Bool { state.withLock { $0.moved[old] == nil && $0.taken.contains(old) } }

    /// The present text of a stored key, under which what is known of its record is kept; `nil` if that is given up.
    ///
    /// What is known of a deleted record gives way to what is known of the one that has its key now.
    func keptText(of old: String) -> String? { isDropped(old) || isTaken(old) ? nil : newText(of: old) ?? old }

    /// Whether a record was given up.
    func isDropped(_ old: String) -> Bool { state.withLock { $0.dropped.contains(old) } }
}
