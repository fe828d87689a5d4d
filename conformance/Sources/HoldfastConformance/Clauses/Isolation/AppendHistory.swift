import HoldfastStorage
import Synchronization

/// What concurrent sessions did to some lists, and whether a serial order can explain it.
///
/// Every append writes an element of its own, so that a list read tells which appends came before the read, in order.
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

    /// Each read shows exactly the appends up to its sequence, in all lists alike.
    private func snapshots() -> String? {
        for read in reads {
            for (list, elements) in read.lists.enumerated() {
                let expected = appends.filter { $0.list == list && ($0.sequence ?? .max) <= read.sequence }.count
                if expected != elements.count {
                    return "read skew: a snapshot of sequence \(read.sequence) shows \(elements.count) appends to list "
                        + "\(list), where \(expected) had been committed"
                }
            }
        }
        return nil
    }

    /// Who starts after another has ended sees at least what the other saw or did.
    private func realTime() -> String? {
        let committed = appends.compactMap { append in append.sequence.map { (append.began, append.ended, $0) } }
        let sequences = committed.map(\.2)
        if Set(sequences).count < sequences.count { return "two commits have one sequence" }
        let events = committed + reads.map { ($0.began, $0.ended, $0.sequence) }
        for later in events {
            for earlier in events where earlier.1 < later.0 && earlier.2 > later.2 {
                return
                    "real-time order: what began after sequence \(earlier.2) was acknowledged got sequence \(later.2)"
            }
        }
        for later in committed {
            for earlier in events where earlier.1 < later.0 && earlier.2 >= later.2 {
                return "a commit got sequence \(later.2), which was seen before it began"
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

    func add(_ read: AppendHistory.Read) { state.withLock { $0.history.reads.append(read) } }
    func add(_ append: AppendHistory.Append) { state.withLock { $0.history.appends.append(append) } }
    var history: AppendHistory { state.withLock { $0.history } }
}
