import HoldfastStorage

/// A random history made by children that are killed one after the other.
struct KilledHistory {
    private static let stepCount = 90
    private let context: ClauseContext
    private let seed: UInt64

    init(_ context: ClauseContext, seed: UInt64) {
        self.context = context
        self.seed = seed
    }

    func run(using random: inout SplitMix64) async throws {
        let location = try await context.makeLocation()
        let isUnique = try await context.hasUniqueIndexes()
        var history = try CommitHistory(seed: seed, stepCount: Self.stepCount, hasUniqueIndexes: isUnique)
        var next = 0
        while next < history.requests.count {
            let first = next
            let last = first + random.number(in: 1...8)
            let delay = random.chance(60) ? 0 : 1 + random.next() % 1_200
            let worker = try context.start(
                .replay, at: location,
                [seed, UInt64(Self.stepCount), isUnique ? 1 : 0, UInt64(first), UInt64(last), delay]
                    .map { "\($0)" } + history.sequences.map { "\($0.key):\($0.value)" })
            var isFinished = false
            for await line in worker.lines {
                let words = line.split(separator: " ")
                switch words.first {
                case "ack":
                    let sequence = UInt64(words[2]) ?? 0
                    try context.expect(
                        history.advance(history.requests[next], sequence: sequence),
                        "Seed \(seed): commit \(next) was acknowledged; the reference refuses it.")
                    next += 1
                    context.witness()
                case "refused":
                    try context.expect(
                        !history.advance(history.requests[next], sequence: 0),
                        "Seed \(seed): commit \(next) was refused as \(words[2]); the reference takes it.")
                    next += 1
                case "mutant": context.noteMutantFired()
                case "end": isFinished = true
                default: throw ClauseFailure("The child failed: \(line)")
                }
            }
            let end = await worker.end()
            try context.expect(isFinished || end.signal == 9, "A child ended with \(end).")
            try await check(&history, &next, at: location, isFinished: isFinished)
        }
    }

    /// Compares what is left with the reference, which may not know of the last commit.
    private func check(
        _ history: inout CommitHistory, _ next: inout Int, at location: any StoreLocation, isFinished: Bool
    ) async throws {
        let store = try await context.open(StorageSchema(entities: history.entities), at: location)
        var difference = try await history.difference(from: store)
        if let earlier = difference, !isFinished, next < history.requests.count {
            var later = history
            let sequence = try await store.store.withSnapshot { $0.sequence }
            if later.advance(history.requests[next], sequence: sequence) {
                difference = try await later.difference(from: store)
                if difference == nil {
                    history = later
                    next += 1
                } else {
                    difference = earlier
                }
            }
        }
        if let difference {
            throw ClauseFailure("Seed \(seed), after commit \(next - 1): \(difference)")
        }
        try await store.store.close()
    }
}
