import HoldfastStorage

/// Changes of records that wait to be applied, folded to the newest of each record.
///
/// The result does not depend on the order of arrival. Versions rise by one with each change, but they begin again at 1
/// when a record is created after its tombstone was purged. So the highest version and the latest change are kept,
/// which are the same except in that case.
struct ChangeFold<Content: Sendable>: Sendable {
    private struct Slot: Sendable {
        var highest: RemoteChange<Content>
        var latest: RemoteChange<Content>?
    }

    private var slots: [RecordKey: Slot] = [:]
    /// The records, in the order in which they first came.
    private(set) var keys: [RecordKey] = []
    /// Whether a change was left out because there were too many, since the last ones were taken out.
    private(set) var isIncomplete = false

    /// Whether there is nothing to apply.
    var isEmpty: Bool { keys.isEmpty }

    /// Adds a change.
    ///
    /// Beyond `limit` records, of which there is at least one, it is left out.
    mutating func add(_ change: RemoteChange<Content>, limit: Int) {
        guard var slot = slots[change.key] else {
            if keys.count >= max(1, limit) {
                isIncomplete = true
                return
            }
            keys.append(change.key)
            slots[change.key] = Slot(highest: change)
            return
        }
        let candidates = [slot.highest, slot.latest, change].compactMap(\.self)
        slot.highest = candidates.dropFirst().reduce(candidates[0]) { Self.isHigher($1, than: $0) ? $1 : $0 }
        let latest = candidates.dropFirst().reduce(candidates[0]) { Self.isLater($1, than: $0) ? $1 : $0 }
        let isReborn = latest.lastChangedAt > slot.highest.lastChangedAt && latest.version < slot.highest.version
        slot.latest = isReborn ? latest : nil
        slots[change.key] = slot
    }

    /// Takes the changes of a limited number of records out: records in the order in which they first came, of each record
    /// the higher version first.
    mutating func take(_ count: Int) -> [RemoteChange<Content>] {
        let taken = keys.prefix(count).compactMap { slots.removeValue(forKey: $0) }
        keys.removeFirst(taken.count)
        isIncomplete = false
        return taken.flatMap { [$0.highest, $0.latest].compactMap(\.self) }
    }

    private static func isHigher(_ left: RemoteChange<Content>, than right: RemoteChange<Content>) -> Bool {
        (left.version, left.lastChangedAt) > (right.version, right.lastChangedAt)
    }

    private static func isLater(_ left: RemoteChange<Content>, than right: RemoteChange<Content>) -> Bool {
        (left.lastChangedAt, left.version) > (right.lastChangedAt, right.version)
    }
}
