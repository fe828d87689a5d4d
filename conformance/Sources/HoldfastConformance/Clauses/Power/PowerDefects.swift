import Foundation
import HoldfastStorage
import Synchronization

extension Defect {
    /// Defects that the clauses of `PWR` must find.
    static let power: [Defect] =
        weakCommits + [
            Defect("power-halves", "A commit of several steps is made in two, each synced.", killedBy: "PWR-002") {
                base, trigger in halves(base, trigger, of: [.powerLoss], first: .powerLoss)
            },
            Defect("power-halves-unsynced", "Commits that need not be synced are made in two.", killedBy: "PWR-003") {
                base, trigger in halves(base, trigger, of: [.none, .processCrash], first: nil)
            },
            Defect(
                "power-syncs-first-half", "Of commits that need not be synced the first half is.", killedBy: "PWR-005"
            ) { base, trigger in halves(base, trigger, of: [.none, .processCrash], first: .powerLoss) },
            Defect(
                "power-overtakes", "Commits that need not be synced wait in memory while others pass.",
                killedBy: "PWR-006"
            ) { base, trigger in overtaken(base, trigger) },
            Defect(
                "power-closes-unsynced", "Closing writes the files anew and syncs only their folder.",
                killedBy: "PWR-004",
                wrapSite: { site, trigger in
                    interposed(site) {
                        $0.closing = { base async throws(StorageError) in
                            try await base.close()
                            rewriteFiles(of: site, trigger)
                            syncFolder(of: site)
                        }
                    }
                }),
            Defect(
                "power-recovers-unsynced", "Opening writes the files anew and does not sync them.", killedBy: "PWR-008",
                wrapSite: { site, trigger in
                    interposed(site) {
                        $0.opening = { request, base async throws(StorageError) in
                            rewriteFiles(of: site, trigger)
                            try await base.open(request)
                        }
                    }
                }),
            Defect(
                "power-changes-unsynced", "New fields come with files that are not synced.", killedBy: "PWR-009",
                wrapSite: { site, trigger in changing(site, trigger, isStepped: false) }),
            Defect(
                "power-migrates-unsynced", "A migration writes files that are not synced.", killedBy: "PWR-010",
                wrapSite: { site, trigger in changing(site, trigger, isStepped: true) }),
        ]

    // MARK: Commits

    private static let weakCommits: [Defect] = [
        Defect("power-never-syncs", "No commit is synced.", killedBy: "PWR-001") { base, trigger in
            weakened(base, trigger) { _, _ in .none }
        },
        Defect("power-syncs-later", "A commit is written, and synced at leisure.", killedBy: "PWR-001") {
            base, trigger in
            weakened(base, trigger) { _, _ in .processCrash }
        },
        Defect("power-syncs-every-second", "Every second commit is synced.", killedBy: "PWR-002") { base, trigger in
            weakened(base, trigger) { number, durability in number % 2 == 0 ? durability : .none }
        },
        Defect("power-syncs-first-commits", "Only the first ten commits are synced.", killedBy: "PWR-002") {
            base, trigger in
            weakened(base, trigger) { number, durability in number <= 10 ? durability : .none }
        },
        Defect(
            "power-seldom-unsynced", "After a commit that need not be synced, one that must is not.",
            killedBy: "PWR-007"
        ) { base, trigger in
            let last = Mutex(Durability.powerLoss)
            return weakened(base, trigger) { _, durability in
                last.withLock { last in
                    defer { last = durability }
                    return min(last, durability)
                }
            }
        },
    ]

    /// An adapter that does less than it was asked for.
    private static func weakened(
        _ base: any StorageAdapter, _ trigger: DefectTrigger,
        _ durability: @escaping @Sendable (_ number: Int, Durability) -> Durability
    ) -> any StorageAdapter {
        let count = Atomic(0)
        return Interposition(base) {
            $0.committing = { request, base async throws(StorageError) in
                let wanted = request.durability ?? .powerLoss
                var request = request
                let given = durability(count.add(1, ordering: .relaxed).newValue, wanted)
                if given < wanted {
                    trigger.fire()
                    request.durability = given
                }
                return try await base.commit(request)
            }
        }
    }

    /// An adapter that makes some commits in two.
    ///
    /// - Parameter first: The durability of the first half; that of the commit if `nil`.
    private static func halves(
        _ base: any StorageAdapter, _ trigger: DefectTrigger, of durabilities: Set<Durability>, first: Durability?
    ) -> any StorageAdapter {
        Interposition(base) {
            $0.committing = { request, base async throws(StorageError) in
                let durability = request.durability ?? .powerLoss
                guard request.operations.count > 1, durabilities.contains(durability) else {
                    return try await base.commit(request)
                }
                trigger.fire()
                var (half, rest) = (request, request)
                half.operations.removeLast()
                half.durability = first ?? durability
                rest.operations = [request.operations[request.operations.count - 1]]
                rest.preconditions = []
                _ = try await base.commit(half)
                return try await base.commit(rest)
            }
        }
    }

    /// An adapter that keeps commits that need not be synced until somebody reads, also when others come meanwhile.
    private static func overtaken(_ base: any StorageAdapter, _ trigger: DefectTrigger) -> any StorageAdapter {
        let waiting = Mutex<[CommitRequest]>([])
        let make: @Sendable (any StorageAdapter) async throws(StorageError) -> Void = { base in
            let requests = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for request in requests { _ = try await base.commit(request) }
        }
        return Interposition(base) {
            $0.committing = { request, base async throws(StorageError) in
                if request.durability ?? .powerLoss == .powerLoss { return try await base.commit(request) }
                trigger.fire()
                waiting.withLock { $0.append(request) }
                return CommitReceipt(sequence: 1, putCount: 1)
            }
            $0.snapshotting = { base async throws(StorageError) in
                try await make(base)
                return try await base.snapshot()
            }
            $0.closing = { base async throws(StorageError) in
                try await make(base)
                try await base.close()
            }
        }
    }

    // MARK: Files

    private static func interposed(
        _ site: any StoreSite, _ replace: @escaping @Sendable (inout Interposition) -> Void
    ) -> any StoreSite {
        DefectiveSite(base: site) { Interposition(try site.makeAdapter(), replace) }
    }

    /// A site whose schema changes leave files that are not synced.
    private static func changing(
        _ site: any StoreSite, _ trigger: DefectTrigger, isStepped: Bool
    ) -> any StoreSite {
        interposed(site) {
            $0.opening = { request, base async throws(StorageError) in
                let isDue = Atomic(false)
                var first = request
                first.migration = { stored throws(StorageError) in
                    let migration = try request.migration(stored)
                    if (migration != nil) == isStepped { isDue.store(true, ordering: .relaxed) }
                    return migration
                }
                guard let adapter = try? site.makeAdapter() else { return try await base.open(request) }
                try await adapter.open(first)
                try await adapter.close()
                if isDue.load(ordering: .relaxed) { rewriteFiles(of: site, trigger) }
                try await base.open(request)
            }
        }
    }

    /// Replaces every file by a copy that was never synced.
    private static func rewriteFiles(of site: any StoreSite, _ trigger: DefectTrigger) {
        guard case .folder(let path) = site.powerLoss else {
            return trigger.rest(because: "The store is not in files of the adapter's.")
        }
        let files = FileManager.default
        for name in files.enumerator(atPath: path)?.compactMap({ $0 as? String }) ?? [] {
            let file = "\(path)/\(name)"
            guard (try? files.attributesOfItem(atPath: file))?[.type] as? FileAttributeType == .typeRegular,
                (try? files.copyItem(atPath: file, toPath: file + ".new")) != nil, rename(file + ".new", file) == 0
            else { continue }
            trigger.fire()
        }
    }

    private static func syncFolder(of site: any StoreSite) {
        guard case .folder(let path) = site.powerLoss else { return }
        let folder = open(path, O_RDONLY)
        fsync(folder)
        close(folder)
    }
}
