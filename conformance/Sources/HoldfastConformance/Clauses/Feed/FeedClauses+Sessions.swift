import HoldfastStorage

extension Clause {
    static let feedSessions = [
        Clause(
            "FED-008", "A feed that waits is woken by the next commit, and reports it only when snapshots see it.",
            level: .feed, requires: .feature(.changeFeed),
            catches: "A notification sent before the commit is visible makes its reader look too early.",
            witness: "commits reported by a waiting feed"
        ) { context in
            let store = try await context.open(.notes)
            let first = try await FeedReader(store, after: nil, context)
            let watcher = Task { () async throws -> Int in
                var feed = first
                var count = 0
                while count < 20 {
                    guard case .commits(let commits)? = try await feed.next() else { break }
                    for commit in commits {
                        let seen = try await store.store.withSnapshot { $0.sequence }
                        try context.expect(
                            seen >= commit.sequence,
                            "Commit \(commit.sequence) was reported; a snapshot then saw \(seen).")
                        count += 1
                    }
                }
                return count
            }
            for number in 0..<20 {
                try await store.put("Note", [[.text("n"), .integer(Int64(number))]])
                await Task.yield()
            }
            let count = try await watcher.value
            try context.expectEqual(count, 20, "the commits reported by a waiting feed")
            context.witness(count)
        },
        Clause(
            "FED-009", "Commits of several writers at once are each reported once, in the order of their sequences.",
            level: .feed, requires: .feature(.changeFeed),
            catches:
                "Log entries numbered before their transactions commit appear out of order, and a reader passes them.",
            witness: "commits of concurrent writers reported"
        ) { context in
            let store = try await context.open(.notes)
            var feed = try await FeedReader(store, after: nil, context)
            let sequences = try await withThrowingTaskGroup(of: [UInt64].self) { group in
                for writer in 0..<6 {
                    group.addTask {
                        var sequences: [UInt64] = []
                        for number in 0..<25 {
                            let receipt = try await store.put(
                                "Note", [[.text("w\(writer)"), .integer(Int64(number))]])
                            sequences.append(receipt.sequence)
                        }
                        return sequences
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }.sorted()
            }
            let delivered = try await feed.commits(through: sequences[sequences.count - 1])
            try context.expectEqual(delivered.map(\.sequence), sequences, "the sequences reported")
            context.witness(delivered.count)
        },
        Clause(
            "FED-010", "A feed reports the commits of every handle on the store.", level: .feed,
            requires: .all([.feature(.changeFeed), .persistence, .feature(.multipleProcesses)]),
            catches: "Hooks see only what their own connection writes.", witness: "commits of another handle reported"
        ) { context in
            let store = try await context.open(.notes)
            var feed = try await FeedReader(store, after: nil, context)
            let other = try await store.another()
            var last: UInt64 = 0
            for number in 0..<5 {
                try await store.put("Note", [[.text("own"), .integer(Int64(number))]])
                last = try await other.put("Note", [[.text("other"), .integer(Int64(number))]]).sequence
            }
            let delivered = try await feed.commits(through: last)
            let keys = delivered.flatMap { $0.keysPut }
            try context.expectEqual(keys.count { $0 == "other" }, 5, "the commits of another handle reported")
            try context.expectEqual(keys.count { $0 == "own" }, 5, "the own commits reported")
            context.witness(5)
        },
        Clause(
            "FED-011", "A task that is cancelled while it waits gets `cancelled`; the store and other feeds continue.",
            level: .feed, requires: .feature(.changeFeed),
            catches: "A wait that cannot be cancelled keeps its task, and its connection, forever.",
            witness: "a cancelled wait"
        ) { context in
            let store = try await context.open(.notes)
            let feed = try await store.store.changes()
            let waiting = Task { () async throws -> ChangeFeedElement? in
                var feed = feed
                return try await feed.next()
            }
            await Task.yield()
            waiting.cancel()
            try await context.expectError(.cancelled, from: "waiting in a task that is cancelled") {
                _ = try await waiting.value
            }
            var next = try await FeedReader(store, after: nil, context)
            let receipt = try await store.put("Note", [[.text("a"), .integer(1)]])
            context.witness(try await next.commits(through: receipt.sequence).count)
        },
        Clause(
            "FED-012", "Closing the store ends its feeds.", level: .feed, requires: .feature(.changeFeed),
            catches: "A reader of an endless stream waits forever for a store that is gone.",
            witness: "a feed that ended"
        ) { context in
            let store = try await context.open(.notes)
            let first = try await FeedReader(store, after: nil, context)
            let watcher = Task { () async throws -> ChangeFeedElement? in
                var feed = first
                return try await feed.next()
            }
            await Task.yield()
            try await store.store.close()
            let news = try await watcher.value
            try context.expect(news == nil, "A feed of a closed store reported something: \(String(describing: news))")
            try await context.expectError(.closed, from: "changes(after:) of a closed store") {
                _ = try await store.store.changes()
            }
            context.witness()
        },
    ]
}
