import HoldfastStorage

extension Clause {
    /// Feeds whose reader knows some of the commits.
    static let feedOfKnown: [Clause] = [
        Clause(
            "FED-019",
            "A feed whose reader knows some commits still reports every commit, and what became of the records of the "
                + "commits that the reader does not know.",
            level: .feed, requires: .feature(.changeFeed),
            catches: "The commits of a handle are left out as a whole, or what it made in between with them.",
            witness: "commits reported"
        ) { context in
            let store = try await context.open(.notes)
            var feed = try await FeedReader(store, after: nil, context)
            var sequences: [UInt64] = []
            for number in 0..<20 {
                sequences.append(try await store.put("Note", [[.text("n\(number)"), .integer(0)]]).sequence)
            }
            let known = Set(stride(from: 0, to: 20, by: 3).map { sequences[$0] })
            var told: [CommittedChange] = []
            while told.count < 20 {
                guard case .commits(let commits)? = try await feed.next(withoutRecordsOf: { known.contains($0) })
                else { throw ClauseFailure("The feed did not report the commits that were just made.") }
                told += commits
            }
            try context.expectEqual(told.map(\.sequence), sequences, "the sequences reported")
            for (number, change) in told.enumerated() where !known.contains(change.sequence) {
                try context.expectEqual(change.keysPut, ["n\(number)"], "the records of commit \(number)")
            }
            context.witness(told.count)
        }
    ]
}
