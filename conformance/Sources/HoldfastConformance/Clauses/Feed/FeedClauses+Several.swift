import HoldfastStorage

extension Clause {
    /// Several feeds at once.
    static let feedsAtOnce: [Clause] = [
        Clause(
            "FED-017",
            "Several feeds of one store each report everything, from their own places on, also when some wait, some "
                + "lag, and some are closed.",
            level: .feed, requires: .feature(.changeFeed),
            catches: "All feeds read from one stream, so each commit reaches only one of them.",
            witness: "commits reported by several feeds"
        ) { context in
            let store = try await context.open(.notes)
            var sequences: [UInt64] = []
            for number in 0..<6 {
                sequences.append(try await store.put("Note", [[.text("n\(number)"), .integer(0)]]).sequence)
            }
            var positions: [UInt64] = [0, sequences[2], sequences[5]]
            var feeds: [FeedReader] = []
            for position in positions { feeds.append(try await FeedReader(store, after: position, context)) }
            feeds.append(try await FeedReader(store, after: nil, context))
            positions.append(sequences[5])
            // One that is dropped while it lags.
            var closed = try await FeedReader(store, after: 0, context)
            _ = try await closed.next()
            await closed.close()
            let waiting = feeds[3]
            let reading = Task { () async throws -> ([UInt64], FeedReader) in
                var reader = waiting
                var delivered: [UInt64] = []
                while delivered.count < 10 {
                    guard case .commits(let commits)? = try await reader.next() else { break }
                    delivered += commits.map(\.sequence)
                }
                return (delivered, reader)
            }
            for number in 0..<10 {
                sequences.append(try await store.put("Note", [[.text("m\(number)"), .integer(1)]]).sequence)
                if number == 4 {
                    let delivered = try await feeds[0].commits(through: sequences[10]).map(\.sequence)
                    try context.expectEqual(
                        delivered, Array(sequences[0...10]), "the commits reported by a feed that reads early")
                    positions[0] = sequences[10]
                }
            }
            let (delivered, _) = try await reading.value
            try context.expectEqual(delivered, Array(sequences[6...]), "the commits reported by a feed that waits")
            for number in 0..<3 {
                let delivered = try await feeds[number].commits(through: sequences[15]).map(\.sequence)
                try context.expectEqual(
                    delivered, sequences.filter { $0 > positions[number] }, "the commits reported by feed \(number)")
                context.witness(delivered.count)
            }
        }
    ]
}
