import HoldfastStorage

/// What a subscriber has not yet taken: every change in order, until very much piles up.
///
/// Beyond ``foldingThreshold`` rows the changes of one record must be folded into its newest state. That is a task of
/// its own (``beginFolding()``), so that adding changes costs the same however many wait. Beyond ``capacity`` rows
/// all of them are given up, and the subscriber learns that any record of their entities may have changed.
struct ChangeBuffer: Sendable {
    /// Rows above which changes are folded.
    static let foldingThreshold = 10_000
    /// Rows above which changes are given up; one commit may have more.
    static let capacity = 50_000
    /// Rows that are left to a consumer who takes changes while others are folded.
    static let headRowCount = 5_000

    /// The changes to be folded, taken out by ``beginFolding()``.
    struct Folding: Sendable {
        fileprivate let number: UInt64
        fileprivate let parts: [ArraySlice<ChangeSet>]
        fileprivate let keepsCancelled: Bool

        /// The changes of each record as one, in one set for each entity and origin, and another one for deletions.
        ///
        /// - Complexity: O(n) for n rows.
        func folded() -> [ChangeSet] { ChangeBuffer.folded(parts.flatMap { $0 }, keepsCancelled) }
    }

    /// The oldest changes, which are not being folded.
    private var head: ArraySlice<ChangeSet> = []
    /// Older changes, oldest first.
    private var parts: [ArraySlice<ChangeSet>] = []
    /// The rows of the oldest and the older changes.
    private var olderRowCount = 0
    /// Newer changes.
    private var newest: [ChangeSet] = []
    private var newestRowCount = 0
    /// Rows among the newest above which everything is folded.
    private var foldAbove = foldingThreshold
    /// The entities whose changes were given up, with the last sequence of each.
    private var missed: [String: ChangeSet] = [:]
    /// Changes when what is being folded is no longer in the buffer.
    private var number: UInt64 = 0
    private var isFolding = false
    /// Whether the consumer has taken changes that were being folded; from then on some are left to it.
    private var leavesHead = false
    /// Whether folding keeps the deletion of a record that was also created: for a consumer that may know it.
    private let keepsCancelled: Bool

    init(keepsCancelled: Bool = false) { self.keepsCancelled = keepsCancelled }

    /// The rows that wait.
    var rowCount: Int { olderRowCount + newestRowCount }

    /// Whether everything is taken.
    var isEmpty: Bool { head.isEmpty && parts.isEmpty && newest.isEmpty && missed.isEmpty }

    /// Adds the changes of the newest commit.
    ///
    /// - Complexity: O(1) for each set, except when it gives up what waits.
    mutating func append(_ commit: [ChangeSet]) {
        if missed.isEmpty && rowCount > Self.capacity { giveUp() }
        if !missed.isEmpty {
            for set in commit { miss(set) }
            return
        }
        newest += commit
        newestRowCount += commit.reduce(0) { $0 + $1.heldRowCount }
    }

    /// Takes the oldest, up to a number.
    mutating func take(atMost limit: Int = .max) -> [ChangeSet] {
        if !missed.isEmpty {
            let taken = missed.values.sorted { $0.entity.name < $1.entity.name }.prefix(limit)
            for set in taken { missed[set.entity.name] = nil }
            return Array(taken)
        }
        var taken = Array(head.prefix(limit))
        head = head.dropFirst(limit)
        if taken.count < limit && !parts.isEmpty {
            if isFolding { leavesHead = true }
            (number, isFolding) = (number + 1, false)
            while let first = parts.first, taken.count < limit {
                let count = min(first.count, limit - taken.count)
                taken += first.prefix(count)
                if count == first.count { parts.removeFirst() } else { parts[0] = first.dropFirst(count) }
            }
        }
        olderRowCount -= taken.reduce(0) { $0 + $1.heldRowCount }
        if taken.count < limit && !newest.isEmpty {
            // The rest becomes the head, so that taking one by one costs the same each time.
            (head, olderRowCount) = (newest[...], newestRowCount)
            (newest, newestRowCount, foldAbove) = ([], 0, Self.foldingThreshold)
            taken += take(atMost: limit - taken.count)
        }
        return taken
    }

    /// Puts back what was taken last, in front of what waits.
    mutating func putBack(_ taken: [ChangeSet]) {
        if taken.isEmpty { return }
        if !missed.isEmpty {
            for set in taken { miss(set) }
            return
        }
        head.insert(contentsOf: taken, at: head.startIndex)
        olderRowCount += taken.reduce(0) { $0 + $1.heldRowCount }
    }

    /// Hands out the changes to be folded, if there are enough of them; the result goes to ``endFolding(_:_:)``.
    ///
    /// - Complexity: O(1) for each set of the head.
    mutating func beginFolding() -> Folding? {
        guard !isFolding && newestRowCount > foldAbove else { return nil }
        if !head.isEmpty { parts.insert(head, at: 0) }
        parts.append(newest[...])
        olderRowCount += newestRowCount
        (head, newest, newestRowCount, isFolding) = ([], [], 0, true)
        if leavesHead { splitHead() }
        return Folding(number: number, parts: parts, keepsCancelled: keepsCancelled)
    }

    private mutating func splitHead() {
        var rowCount = 0
        while rowCount < Self.headRowCount, let set = parts.first?.first {
            head.append(set)
            rowCount += set.heldRowCount
            parts[0] = parts[0].dropFirst()
            if parts[0].isEmpty { parts.removeFirst() }
        }
    }

    /// Takes in what was folded, unless some of it was taken by the consumer or given up meanwhile.
    mutating func endFolding(_ folding: Folding, _ folded: [ChangeSet]) {
        guard folding.number == number else { return }
        isFolding = false
        parts = folded.isEmpty ? [] : [folded[...]]
        olderRowCount = (head + folded).reduce(0) { $0 + $1.heldRowCount }
        // As many again as are left, so that all folding together is linear in the changes; fewer near the capacity.
        foldAbove = max(
            Self.foldingThreshold / 2,
            min(max(Self.foldingThreshold, olderRowCount), Self.capacity - olderRowCount))
        if rowCount > Self.capacity { giveUp() }
    }

    private mutating func giveUp() {
        for set in head { miss(set) }
        for set in parts.joined() { miss(set) }
        for set in newest { miss(set) }
        (head, parts, olderRowCount, newest, newestRowCount) = ([], [], 0, [], 0)
        (number, isFolding, foldAbove) = (number + 1, false, Self.foldingThreshold)
    }

    private mutating func miss(_ set: ChangeSet) {
        missed[set.entity.name] = .missed(
            set.entity, through: max(set.sequence, missed[set.entity.name]?.sequence ?? 0))
    }

    // MARK: Folding

    private static func folded(_ sets: [ChangeSet], _ keepsCancelled: Bool) -> [ChangeSet] {
        var entities: [String] = []
        var byEntity: [String: [ChangeSet]] = [:]
        for set in sets {
            if byEntity[set.entity.name] == nil { entities.append(set.entity.name) }
            byEntity[set.entity.name, default: []].append(set)
        }
        var result = entities.flatMap { folded(entity: byEntity[$0] ?? [], keepsCancelled) }
        // Where entities were deleted by the same commits, their sets have the same records again.
        var merged: [[ObjectIdentifier]: DeletedRecords] = [:]
        for index in result.indices where result[index].isDeletion {
            var deleted: [DeletedRecords] = []
            for set in byEntity[result[index].entity.name] ?? [] where set.areHidden == result[index].areHidden {
                if let records = set.deletedTogether, records !== deleted.last { deleted.append(records) }
            }
            let identities = deleted.map { ObjectIdentifier($0) }
            result[index].deletedTogether = merged[identities] ?? DeletedRecords.newest(of: deleted)
            merged[identities] = result[index].deletedTogether
        }
        result.countDeletedTogether()
        return result
    }

    /// The changes of one entity, each record's as one.
    private static func folded(entity sets: [ChangeSet], _ keepsCancelled: Bool) -> [ChangeSet] {
        guard let newest = sets.last else { return [] }
        if sets.contains(where: { $0.knowledge != .certain }) {
            return [.missed(newest.entity, through: newest.sequence)]
        }
        var indexes: [RecordKey: Int] = [:]
        var changes: [FoldedChange] = []
        for (index, set) in sets.enumerated() {
            for row in set.kinds.indices {
                let key = set.entity.key(of: set.rows[row])
                let kind = set.kinds[row]
                // A deleted record that is updated was only hidden. The update alone would not say so.
                if let changeIndex = indexes[key], changes[changeIndex].kind != .deleted || kind != .updated {
                    let folded = changes[changeIndex].kind.map { $0.folding(kind) } ?? kind
                    changes[changeIndex] = FoldedChange(
                        kind: folded ?? (keepsCancelled ? .deleted : nil),
                        origin: changes[changeIndex].origin == .remote ? set.origin : .local, set: index, row: row)
                } else {
                    indexes[key] = changes.count
                    changes.append(FoldedChange(kind: kind, origin: set.origin, set: index, row: row))
                }
            }
        }
        // Deletions have sets of their own, since only their models hold parents that are gone, too. Records that are
        // hidden come first: other changes of them may follow.
        let hidden = changes.filter { sets[$0.set].areHidden }
        let others = changes.filter { !sets[$0.set].areHidden }
        return [hidden, others.filter { $0.kind == .deleted }, others.filter { $0.kind != .deleted }]
            .flatMap { changes in
                [ChangeOrigin.remote, .local].compactMap { origin in
                    folded(changes.filter { $0.origin == origin }, by: origin, of: sets, newest)
                }
            }
    }

    /// The last of a record's changes, as what it counts together with those before it.
    private struct FoldedChange {
        /// `nil` if nothing is left of them.
        let kind: ChangeKind?
        /// The service only if all of them were its.
        let origin: ChangeOrigin
        let set: Int
        let row: Int
    }

    /// One set of changes: of one origin, all deletions or none, of records that are all hidden or none.
    private static func folded(
        _ changes: [FoldedChange], by origin: ChangeOrigin, of sets: [ChangeSet], _ newest: ChangeSet
    ) -> ChangeSet? {
        var folded = ChangeSet(
            sequence: newest.sequence, entity: newest.entity, kinds: [],
            rows: RowBuffer(columnCount: newest.rows.columnCount), origin: origin)
        var serviceVersions: [Int64?] = []
        for change in changes {
            guard let kind = change.kind else { continue }
            folded.kinds.append(kind)
            folded.rows.append(sets[change.set].rows[change.row])
            folded.areHidden = sets[change.set].areHidden
            serviceVersions.append(sets[change.set].serviceVersions?[change.row])
        }
        if serviceVersions.contains(where: { $0 != nil }) { folded.serviceVersions = serviceVersions }
        return folded.kinds.isEmpty ? nil : folded
    }
}
