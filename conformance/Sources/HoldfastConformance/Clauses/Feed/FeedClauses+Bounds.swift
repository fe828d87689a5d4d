import HoldfastStorage

extension Clause {
    /// How much a feed can look back.
    static let feedBounds: [Clause] = [
        Clause(
            "FED-016",
            "The log of changes is bounded: of many more commits than it should keep, the first are reported as "
                + "forgotten once they are old, and those that it should keep are reported.",
            level: .feed, requires: .feature(.changeFeed),
            catches: "Nothing is ever deleted from the log, and one day it is larger than the data.",
            witness: "commits that were forgotten"
        ) { context in
            let store = try await context.open(.notes)
            let kept = context.harness.changeLogCommitCount
            func commit(_ count: Int) async throws -> UInt64 {
                try await withThrowingTaskGroup(of: UInt64.self) { group in
                    for number in 0..<count {
                        let row: [Value] = [.text("n\(number % 50)"), .integer(Int64(number))]
                        group.addTask {
                            try await store.commit(
                                [.put(entity: "Note", rows: RowBuffer(row: row), mode: .upsert)],
                                durability: Durability.none
                            ).sequence
                        }
                    }
                    return try await group.reduce(0) { max($0, $1) }
                }
            }
            var (made, last): (Int, UInt64) = (0, 0)
            while made < 3 * kept {
                last = try await commit(100)
                made += 100
            }
            try await context.harness.age(store.location)
            // What is old may go a little later than its time.
            for _ in 0..<20 {
                last = max(last, try await commit(100))
                made += 100
                let delivered = try await deliveredCount(of: store, from: 0, through: last, context)
                try context.expect(
                    delivered >= kept, "A log that should keep \(kept) commits reports only \(delivered).")
                if delivered <= 2 * kept {
                    context.witness(made - delivered)
                    return
                }
            }
            throw ClauseFailure("Of \(made) commits more than \(2 * kept) are in a log that should keep \(kept).")
        }
    ]

    /// How many commits a feed reports that begins at a sequence, without those before what it forgot.
    private static func deliveredCount(
        of store: TestStore, from sequence: UInt64, through last: UInt64, _ context: ClauseContext
    ) async throws -> Int {
        var feed = try await FeedReader(store, after: sequence, context)
        var (position, count) = (sequence, 0)
        while position < last {
            switch try await feed.next() {
            case .gap(let through)?:
                // What gets too old while it is read is reported as forgotten, too.
                (position, count) = (through, 0)
            case .commits(let commits)?:
                count += commits.count
                position = commits.last?.sequence ?? position
            case nil: throw ClauseFailure("The feed ended while the store was open.")
            }
        }
        await feed.close()
        return count
    }
}
