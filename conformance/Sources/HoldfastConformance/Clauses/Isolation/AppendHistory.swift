import HoldfastStorage

/// What concurrent sessions did to some lists, and whether a serial order can explain it.
///
/// Every append writes an element of its own, so that a list read shows which appends came before the read, in order.
/// Source: Kingsbury, Alvaro, "Elle: inferring isolation anomalies from experimental observations", VLDB 2020.
struct AppendHistory: Sendable {
    /// Several lists read in one snapshot.
    struct Read: Sendable {
        var sequence: UInt64
        var lists: [[Int64]]
        /// Places in the common order of events, from one counter.
        var began: Int
        var ended: Int
    }

    /// An append that was tried.
    struct Append: Sendable {
        var list: Int
        var element: Int64
        /// The receipt's sequence; `nil` if the commit failed.
        var sequence: UInt64?
        var began: Int
        var ended: Int
    }

    var reads: [Read] = []
    var appends: [Append] = []

    /// The first anomaly found, in words; `nil` if a serial order explains everything.
    ///
    /// - Parameter final: The lists at the end.
    /// - Returns: A description of the anomaly, or `nil`.
    func anomaly(final: [[Int64]]) -> String? {
        aborted(final) ?? lost(final) ?? prefixes(final) ?? snapshots() ?? realTime()
    }

    private func aborted(_ final: [[Int64]]) -> String? {
        let failed = Set(appends.filter { $0.sequence == nil }.map(\.element))
        for list in final + reads.flatMap(\.lists) {
            if let element = list.first(where: failed.contains) { return "dirty read: \(element) was never committed" }
            if Set(list).count < list.count { return "an append was applied twice: \(list)" }
        }
        return nil
    }

    private func lost(_ final: [[Int64]]) -> String? {
        for (list, elements) in final.enumerated() {
            let acknowledged = appends.filter { $0.list == list && $0.sequence != nil }
            let order = acknowledged.sorted { ($0.sequence ?? 0) < ($1.sequence ?? 0) }.map(\.element)
            if order != elements {
                let missing = order.filter { !elements.contains($0) }
                return missing.isEmpty
                    ? "list \(list) is not in the order of the sequences"
                    : "lost update: \(missing) were acknowledged, but are not in list \(list)"
            }
        }
        return nil
    }

    private func prefixes(_ final: [[Int64]]) -> String? {
        for read in reads {
            for (list, elements) in read.lists.enumerated() where !final[list].starts(with: elements) {
                return "a read shows list \(list) as it never was: \(elements)"
            }
        }
        return nil
    }

    /// Each read shows all appends up to its sequence, and with a later one all that had ended before that began.
    private func snapshots() -> String? {
        for read in reads {
            let seen = Set(read.lists.joined())
            let last = appends.filter { seen.contains($0.element) }.max { $0.began < $1.began }
            for append in appends where !seen.contains(append.element) {
                guard let sequence = append.sequence else { continue }
                if sequence <= read.sequence {
                    return "read skew: a snapshot of sequence \(read.sequence) lacks an append of sequence \(sequence)"
                }
                if let last, append.ended < last.began {
                    return "read skew: a snapshot shows \(last.element), and not \(append.element), which ended before"
                }
            }
        }
        return nil
    }

    /// An append or read that starts after another has ended sees at least what the other saw or did.
    private func realTime() -> String? {
        let committed = appends.filter { $0.sequence != nil }
        if Set(committed.map(\.sequence)).count < committed.count { return "two commits have one sequence" }
        for later in committed {
            let sequence = later.sequence ?? 0
            for earlier in committed where earlier.ended < later.began && (earlier.sequence ?? 0) > sequence {
                return "real-time order: a commit got sequence \(sequence), one that ended before it a later one"
            }
            for earlier in reads where earlier.ended < later.began && earlier.sequence >= sequence {
                return "a commit got sequence \(sequence), which was seen before it began"
            }
        }
        for later in reads {
            let seen = Set(later.lists.joined())
            for earlier in committed where earlier.ended < later.began && !seen.contains(earlier.element) {
                return "real-time order: a read lacks \(earlier.element), which was acknowledged before it began"
            }
            for earlier in reads where earlier.ended < later.began {
                if earlier.sequence > later.sequence || !seen.isSuperset(of: earlier.lists.joined()) {
                    return "real-time order: a read shows less than one that ended before it began"
                }
            }
        }
        return nil
    }
}

/// Gathers the history while sessions run.
final class AppendRecorder: Sendable {
    private let state = Mutex((history: AppendHistory(), clock: 0))

    /// The next place in the order of events.
    func tick() -> Int {
        state.withLock { state in
            state.clock += 1
            return state.clock
        }
    }

    /// Lets other sessions commit between two reads of one snapshot; none of it may be visible in the second.
    func letOthersGoOn() async {
        let end = state.withLock { $0.clock } + 10
        for _ in 0..<20 where state.withLock({ $0.clock }) < end { try? await Task.sleep(for: .milliseconds(1)) }
    }

    func add(_ read: AppendHistory.Read) { state.withLock { $0.history.reads.append(read) } }
    func add(_ append: AppendHistory.Append) { state.withLock { $0.history.appends.append(append) } }
    var history: AppendHistory { state.withLock { $0.history } }
}
