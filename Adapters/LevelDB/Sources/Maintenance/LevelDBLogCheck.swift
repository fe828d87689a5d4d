#if LevelDB
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// Finds where the whole writes in LevelDB's logs end, and cuts off what follows, before LevelDB reads them.
///
/// LevelDB skips zeros and continues after them, and calls any other write that is not whole damage. A loss of
/// power leaves both, anywhere after the last sync. So the log ends here at the first place that is not a whole
/// write, or where one is missing, unless a later commit shows that more was synced: each says how many changes were
/// not synced before it. Then it is damage.
struct LevelDBLogCheck {
    private var logs: [(path: String, byteCount: Int)] = []
    /// Where the last whole write ends: the position of its log, and the offset in it; `nil` if there is none.
    private var end: (log: Int, offset: Int)?
    /// The number that LevelDB gives to the next change, or that a lost change had; known only roughly as long as `end` is
    /// `nil`.
    private var nextChange: UInt64
    /// Whether the log before the one that is read is empty, and nothing was read of this one.
    private var followsEmptyLog = false
    private var isTorn = false
    private var isDamaged = false

    /// - Parameter firstChange: The number of the first change in the logs, or a greater one.
    init(firstChange: UInt64) { nextChange = firstChange }

    /// Reads a log; the oldest first.
    mutating func read(_ path: String) throws(StorageError) {
        let log = logs.count
        // A log is followed by another when it is full or the store is compacted. In a compaction it may be empty.
        let lacksEnd = log > 0 && end?.log != log - 1
        followsEmptyLog = lacksEnd && logs[log - 1].byteCount == 0
        if lacksEnd && !followsEmptyLog { isTorn = true }
        let byteCount = try LevelDBLogReader.read(path) { piece in
            switch piece {
            case .damage: isTorn = true
            case .whole(let batch, let end): take(batch, (log, end))
            }
        }
        logs.append((path, byteCount))
    }

    private mutating func take(_ batch: UnsafeRawBufferPointer, _ position: (log: Int, offset: Int)) {
        guard batch.count >= 12 else {
            isTorn = true
            return
        }
        let change = UInt64(littleEndian: batch.loadUnaligned(as: UInt64.self))
        let count = UInt32(littleEndian: batch.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        if end != nil && change != nextChange { isTorn = true }
        // If all changes before this one were synced, an empty log had none. If some were not, it had these, and the power
        // failed. A number that is too great says that a log lost what was synced.
        if followsEmptyLog && (change > nextChange || Self.unsyncedCount(before: batch) != 0) { isTorn = true }
        followsEmptyLog = false
        if isTorn {
            // If no whole write came before what was lost, the number of the last lost change is the only one that is
            // known: the manifest may name a change of this log, which is too great then.
            if end == nil { nextChange = min(nextChange, change &- 1) }
            if let unsynced = Self.unsyncedCount(before: batch), change > nextChange &+ unsynced {
                isDamaged = true
            }
            return
        }
        end = position
        nextChange = change &+ UInt64(count)
    }

    /// What a commit says of those before it; see ``LevelDBEngine/write(_:isSynced:)``.
    private static func unsyncedCount(before batch: UnsafeRawBufferPointer) -> UInt64? {
        let key = KeyValueCatalog.sequenceKey
        // The put of the sequence comes last: 1, the key with its length, the value with its length.
        for valueCount in 9...18 {
            let head = [1, UInt8(key.count)] + key + [UInt8(valueCount)]
            guard batch.count >= 12 + head.count + valueCount else { return nil }
            let put = UnsafeRawBufferPointer(rebasing: batch.suffix(head.count + valueCount))
            guard put.starts(with: head) else { continue }
            var reader = KeyValueCellReader(UnsafeRawBufferPointer(rebasing: put[(head.count + 8)...]))
            return try? reader.unsigned()
        }
        return nil
    }

    /// Cuts off what comes after the whole writes.
    ///
    /// - Throws: ``StorageError`` `.corruption` if some of it had been synced; nothing was changed then.
    func cut() throws(StorageError) -> LevelDBRecovery {
        var recovery = LevelDBRecovery(logByteCount: logs.reduce(0) { $0 + $1.byteCount })
        if isDamaged {
            throw StorageError(
                .corruption,
                "The log is damaged before commits that were synced; restore the store from a copy, or repair it.")
        }
        if !isTorn { return recovery }
        for (position, log) in logs.enumerated().reversed() {
            let whole = end.map { $0.log > position ? log.byteCount : $0.log == position ? $0.offset : 0 } ?? 0
            if whole == log.byteCount { continue }
            recovery.tornByteCount += log.byteCount - whole
            try LevelDBSystem.truncate(log.path, byteCount: whole)
        }
        return recovery
    }
}
#endif
