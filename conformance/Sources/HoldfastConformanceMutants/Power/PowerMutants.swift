import Foundation
import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants that the clauses of `PWR` must find.
    static let power: [Mutant] =
        weakCommits + [
            Mutant("power-halves", "A commit of several steps is made in two, each synced.", killedBy: "PWR-002") {
                base, trigger in halves(base, trigger, of: [.powerLoss], first: .powerLoss)
            },
            Mutant("power-halves-unsynced", "Commits that need not be synced are made in two.", killedBy: "PWR-003") {
                base, trigger in halves(base, trigger, of: [.none, .processCrash], first: nil)
            },
            Mutant(
                "power-syncs-first-half", "Of commits that need not be synced the first half is.", killedBy: "PWR-005"
            ) { base, trigger in halves(base, trigger, of: [.none, .processCrash], first: .powerLoss) },
            Mutant(
                "power-overtakes", "Commits that need not be synced wait in memory while others pass.",
                killedBy: "PWR-006"
            ) { base, trigger in overtaken(base, trigger) },
            Mutant(
                "power-closes-unsynced", "Closing writes the files again and syncs only their directory.",
                killedBy: "PWR-004",
                wrapLocation: { location, trigger in
                    interposed(location) {
                        $0.closing = { base async throws(StorageError) in
                            try await base.close()
                            rewriteFiles(of: location, trigger)
                            syncFolder(of: location)
                        }
                    }
                }),
            Mutant(
                "power-recovers-unsynced", "Opening writes the files again and does not sync them.",
                killedBy: "PWR-008",
                wrapLocation: { location, trigger in
                    interposed(location) {
                        $0.opening = { request, base async throws(StorageError) in
                            rewriteFiles(of: location, trigger)
                            try await base.open(request)
                        }
                    }
                }),
            Mutant(
                "power-changes-unsynced", "New fields come with files that are not synced.", killedBy: "PWR-009",
                wrapLocation: { location, trigger in changing(location, trigger, isStepped: false) }),
            Mutant(
                "power-migrates-unsynced", "A migration writes files that are not synced.", killedBy: "PWR-010",
                wrapLocation: { location, trigger in changing(location, trigger, isStepped: true) }),
            Mutant(
                "power-migrates-in-two-commits",
                "A migration rewrites the records in one commit and the schema in another; a second try continues from there.",
                killedBy: "PWR-010", wrapLocation: { location, trigger in rewritingFirst(location, trigger) }),
        ]

    // MARK: Commits

    private static let weakCommits: [Mutant] = [
        Mutant("power-never-syncs", "No commit is synced.", killedBy: "PWR-001") { base, trigger in
            weakened(base, trigger) { _, _ in .none }
        },
        Mutant("power-syncs-later", "A commit is written, and synced at leisure.", killedBy: "PWR-001") {
            base, trigger in
            weakened(base, trigger) { _, _ in .processCrash }
        },
        Mutant("power-syncs-every-second", "Every second commit is synced.", killedBy: "PWR-002") { base, trigger in
            weakened(base, trigger) { number, durability in number % 2 == 0 ? durability : .none }
        },
        Mutant("power-syncs-first-commits", "Only the first ten commits are synced.", killedBy: "PWR-002") {
            base, trigger in
            weakened(base, trigger) { number, durability in number <= 10 ? durability : .none }
        },
        Mutant(
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
        _ base: any StorageAdapter, _ trigger: MutantTrigger,
        _ durability: @escaping @Sendable (_ number: Int, Durability) -> Durability
    ) -> any StorageAdapter {
        let count = Mutex(0)
        return HookedAdapter(base) {
            $0.committing = { request, base async throws(StorageError) in
                let wanted = request.durability ?? .powerLoss
                var request = request
                let given = durability(count.increment(), wanted)
                if given < wanted {
                    trigger.fire()
                    request.durability = given
                }
                return try await base.commit(request)
            }
        }
    }

    /// An adapter that makes commits of several operations in two, if they have one of the given durabilities.
    ///
    /// The last operation is committed on its own. `first` is the durability of the commit before it; if it is `nil`,
    /// both have the durability that was asked for.
    private static func halves(
        _ base: any StorageAdapter, _ trigger: MutantTrigger, of durabilities: Set<Durability>, first: Durability?
    ) -> any StorageAdapter {
        HookedAdapter(base) {
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

    /// An adapter that keeps commits that need not be synced until a read, also when others come meanwhile.
    private static func overtaken(_ base: any StorageAdapter, _ trigger: MutantTrigger) -> any StorageAdapter {
        let waiting = Mutex<[CommitRequest]>([])
        let make: @Sendable (any StorageAdapter) async throws(StorageError) -> Void = { base in
            let requests = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for request in requests { _ = try await base.commit(request) }
        }
        return HookedAdapter(base) {
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
        _ location: any StoreLocation, _ replace: @escaping @Sendable (inout HookedAdapter) -> Void
    ) -> any StoreLocation {
        MutantLocation(base: location) { HookedAdapter(try location.makeAdapter(), replace) }
    }

    /// A location whose schema changes leave files that are not synced.
    private static func changing(
        _ location: any StoreLocation, _ trigger: MutantTrigger, isStepped: Bool
    ) -> any StoreLocation {
        interposed(location) {
            $0.opening = { request, base async throws(StorageError) in
                let isDue = Mutex(false)
                var first = request
                first.migration = { stored throws(StorageError) in
                    let migration = try request.migration(stored)
                    if (migration != nil) == isStepped { isDue.store(true) }
                    return migration
                }
                guard let adapter = try? location.makeAdapter() else { return try await base.open(request) }
                try await adapter.open(first)
                try await adapter.close()
                if isDue.load() { rewriteFiles(of: location, trigger) }
                try await base.open(request)
            }
        }
    }

    /// A location whose migrations first change the records under the schema from before.
    private static func rewritingFirst(_ location: any StoreLocation, _ trigger: MutantTrigger) -> any StoreLocation {
        @Sendable func turned(_ row: [Value]) -> [Value] {
            guard case .integer(let number) = row[1] else { return row }
            return [row[0], .integer(-1 - number)]
        }
        @Sendable func isTurned(_ row: [Value]) -> Bool {
            if case .integer(let number) = row[1] { number < 0 } else { false }
        }
        return interposed(location) {
            $0.opening = { request, base async throws(StorageError) in
                let old = try StorageSchema(entities: [SchemaWork.note])
                guard request.schema.entities.count == 1, request.schema.entities != old.entities,
                    let other = try? location.makeAdapter(), (try? await other.open(OpenRequest(schema: old))) != nil
                else { return try await base.open(request) }
                let found = try await rows(of: "Note", other).map(\.cells).filter { !isTurned($0) }
                if !found.isEmpty {
                    trigger.fire()
                    let rows = RowBuffer(rows: found.map(turned))
                    _ = try await other.commit(
                        CommitRequest(operations: [.put(entity: "Note", rows: rows, mode: .upsert)]))
                }
                try await other.close()
                try await base.open(
                    request.migrating { step, row throws(StorageError) in
                        try step.migrate(isTurned(row) ? turned(row) : row)
                    })
            }
        }
    }

    /// Replaces every file by a copy that was never synced.
    private static func rewriteFiles(of location: any StoreLocation, _ trigger: MutantTrigger) {
        guard case .directory(let path) = location.powerLoss else {
            return trigger.skip(because: "The store is not in files of the adapter's.")
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

    private static func syncFolder(of location: any StoreLocation) {
        guard case .directory(let path) = location.powerLoss else { return }
        let folder = open(path, O_RDONLY)
        fsync(folder)
        close(folder)
    }
}
