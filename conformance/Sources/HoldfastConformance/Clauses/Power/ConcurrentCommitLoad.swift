import HoldfastStorage

/// What a child said that commits from several tasks at the same time.
struct ConcurrentCommitLoad {
    private struct Commit {
        var lane: Int
        var step: Int
        var sequence: UInt64
        var key: Value { .text(ConcurrentCommitWorker.key(lane, step)) }
    }

    private var commits: [Commit] = []
    private(set) var isFinished = false

    /// Runs the child to its end.
    static func run(_ check: PowerLossCheck, environment: [String: String]) async throws -> ConcurrentCommitLoad {
        let worker = try check.context.start(.lanes, at: check.location, environment: environment)
        var load = ConcurrentCommitLoad()
        for await line in worker.lines {
            let words = line.split(separator: " ")
            switch words.first {
            case "open": break
            case "ack" where words.count == 4:
                load.commits.append(
                    Commit(lane: Int(words[1]) ?? 0, step: Int(words[2]) ?? 0, sequence: UInt64(words[3]) ?? 0))
            case "mutant": check.context.noteMutantFired()
            case "end": load.isFinished = true
            default: throw ClauseFailure("The child failed: \(line)")
            }
        }
        _ = await worker.end()
        return load
    }

    /// Opens what is left and checks it.
    func check(_ check: PowerLossCheck, _ subject: String) async throws {
        let context = check.context
        let store = try await context.open(StorageSchema(entities: [ConcurrentCommitWorker.lane]), at: check.location)
        let found = Set(try await store.everything(in: "Lane").map { $0[0] })
        let ordered = commits.sorted { $0.sequence < $1.sequence }
        if let last = ordered.lastIndex(where: { ConcurrentCommitWorker.durability(of: $0.lane) == .powerLoss }) {
            for commit in ordered[...last] {
                try context.expect(
                    found.contains(commit.key),
                    """
                    \(subject): commit \(commit.sequence) is lost, though commit \(ordered[last].sequence) was \
                    acknowledged at durability powerLoss.
                    """)
                context.witness()
            }
        }
        if let gap = ordered.firstIndex(where: { !found.contains($0.key) }) {
            let later = ordered[gap...].first { found.contains($0.key) }
            try context.expect(
                later == nil,
                "\(subject): commit \(ordered[gap].sequence) is lost and \(later?.sequence ?? 0) is not.")
        }
        try await store.store.close()
    }
}
