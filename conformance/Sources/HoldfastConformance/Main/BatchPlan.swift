/// Cuts a run into parts for child processes.
struct BatchPlan {
    /// So many clauses or mutants at most share a process, so that none of them is the last for long.
    private static let maximumCount = 24

    private let suite: Suite

    init(_ suite: Suite) { self.suite = suite }

    /// A part for every family of an adapter's clauses.
    func clauses(of harness: any AdapterHarness) async -> [BatchPool.Batch] {
        await batches(of: harness, suite.clauses.map { ($0.id, $0) })
    }

    /// The same for mutants, by the family of the clause that must find each.
    func mutants(_ mutants: [Mutant], of harness: any AdapterHarness) async -> [BatchPool.Batch] {
        let clauses = Dictionary(uniqueKeysWithValues: suite.clauses.map { ($0.id, $0) })
        return await batches(
            of: harness, mutants.compactMap { mutant in clauses[mutant.clause].map { (mutant.id, $0) } })
    }

    /// Whether cutting the power of the back end cuts it for everything else that works with the back end.
    private func sharesItsPower(_ harness: any AdapterHarness) async -> Bool {
        guard let location = try? await harness.makeLocation() else { return false }
        let powerLoss = location.powerLoss
        await location.remove()
        if case .backend? = powerLoss { return true }
        return false
    }

    private func batches(
        of harness: any AdapterHarness, _ items: [(id: String, clause: Clause)]
    ) async -> [BatchPool.Batch] {
        let sharesItsPower = await sharesItsPower(harness)
        var batches: [BatchPool.Batch] = []
        for (id, clause) in items {
            let isAlone = sharesItsPower && clause.level == .durablePowerLoss
            let syncs = Self.syncs(clause.level)
            if let last = batches.last, last.family == clause.family, last.ids.count < Self.maximumCount,
                last.isAlone == isAlone, last.syncs == syncs
            {
                batches[batches.count - 1].ids.append(id)
            } else {
                batches.append(
                    BatchPool.Batch(
                        adapter: harness.name, family: clause.family, ids: [id], isAlone: isAlone, syncs: syncs))
            }
        }
        return batches
    }

    /// Waiting for the disk matters where durability is the subject, or the time in which others get in between.
    private static func syncs(_ level: Level) -> Bool {
        switch level {
        case .core, .query, .feed, .engine: false
        case .transactional, .durableProcessCrash, .durablePowerLoss, .multiProcess: true
        }
    }
}
