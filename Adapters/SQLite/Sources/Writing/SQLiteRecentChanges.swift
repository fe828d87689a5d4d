#if SQLite
internal import HoldfastStorage

/// What the newest commits have changed, as far as this handle made them.
///
/// It answers without looking at records whether an entity is still as it was. Once another handle has written, what
/// came before counts as unknown.
struct SQLiteRecentChanges {
    /// All commits after this one are known.
    private var start = UInt64.max
    private var last = UInt64.max
    private var lastOfEntity: [String: UInt64] = [:]

    /// A transaction has begun and found the store at a sequence.
    mutating func begin(at sequence: UInt64) {
        if sequence == last { return }
        (start, last) = (sequence, sequence)
        lastOfEntity.removeAll()
    }

    /// The transaction contains a commit of a sequence.
    mutating func note(_ request: CommitRequest, _ sequence: UInt64) {
        for operation in request.operations { lastOfEntity[operation.entity] = sequence }
        last = sequence
    }

    /// Whether certainly nothing of an entity was written or deleted after a commit.
    func isUntouched(_ entity: String, since sequence: UInt64) -> Bool {
        sequence >= start && lastOfEntity[entity] ?? 0 <= sequence
    }
}
#endif
