import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

struct TransactionConflictTests {
    @Test(arguments: EngineAdapter.all)
    func aChangeOfWhatWasReadRunsTheClosureAgain(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save(Post(id: "read", title: "", rating: 1))
        let runs = Runs()
        try await store.transaction { transaction in
            let rating = try await transaction.query(Post.self, byId: "read")?.rating ?? 0
            if runs.next() == 1 {
                try await store.save(Post(id: "read", title: "", rating: 5))
            }
            try await transaction.save(Post(id: "copy", title: "", rating: rating))
        }
        #expect(runs.count == 2)
        #expect(try await store.query(Post.self, byId: "copy")?.rating == 5)
    }

    @Test(arguments: EngineAdapter.all)
    func aChangeElsewhereDoesNot(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save([Post(id: "a", title: ""), Post(id: "b", title: "")])
        let runs = Runs()
        try await store.transaction { transaction in
            _ = try await transaction.query(Post.self, byId: "a")
            _ = runs.next()
            try await store.save([Post(id: "b", title: "other"), Post(id: "c", title: "")])
            try await store.save(Blog(id: "a", name: ""))
            try await transaction.save(Post(id: "a", title: "done"))
        }
        #expect(runs.count == 1)
        #expect(try await store.query(Post.self).map(\.title) == ["done", "other", ""])
    }

    /// A record that is not there was read, created, and deleted again; meanwhile another one creates it.
    @Test(arguments: EngineAdapter.all)
    func undoneWritesCountAsRead(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save(Post(id: "flag", title: "free"))
        let runs = Runs()
        try await store.transaction { transaction in
            let isThere = try await transaction.query(Post.self, byId: "new") != nil
            if runs.next() == 1 {
                try await store.transaction { other in
                    let flag = try await other.query(Post.self, byId: "flag")
                    try await other.save(Post(id: "new", title: flag?.title ?? ""))
                }
            }
            try await transaction.save(Post(id: "new", title: "mine"))
            try await transaction.delete(Post.self, withId: "new")
            try await transaction.save(Post(id: "flag", title: isThere ? "seen" : "not seen"))
        }
        #expect(runs.count == 2)
        #expect(try await store.query(Post.self).map(\.title) == ["seen"])
    }

    @Test(arguments: EngineAdapter.all)
    func aTransactionThatIsAlwaysOvertakenFailsWithAConflict(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save(Post(id: "read", title: "", rating: 0))
        await #expect {
            try await store.transaction { transaction in
                let rating = try await transaction.query(Post.self, byId: "read")?.rating ?? 0
                try await store.save(Post(id: "read", title: "", rating: rating + 1))
                try await transaction.save(Post(id: "copy", title: ""))
            }
        } throws: { ($0 as? StorageError)?.kind == .conflict }
        #expect(try await store.query(Post.self).map(\.id) == ["read"])
    }

    /// A rival that saves during every run of the closure has to wait from the fourth run on.
    @Test(arguments: EngineAdapter.all)
    func aTransactionSucceedsDespiteConstantConflicts(adapter: EngineAdapter) async throws {
        // No time limit of the queue ends before the transaction does.
        let end = Gate()
        defer { end.open() }
        var options = DataStoreOptions()
        options.surroundings.sleep = { _ in await end.wait() }
        let store = try await adapter.open(options)
        try await store.save(Post(id: "read", title: "", rating: 0))
        let (runs, saves) = (Runs(), Runs())
        let gaps = (0..<3).map { _ in Gate() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            let (stream, starts) = AsyncStream<Int>.makeStream()
            group.addTask {
                for await number in stream {
                    try await store.save(Post(id: "read", title: "", rating: number))
                    _ = saves.next()
                    if number <= gaps.count { gaps[number - 1].open() }
                }
            }
            defer { starts.finish() }
            try await store.transaction { transaction in
                let rating = try await transaction.query(Post.self, byId: "read")?.rating
                let run = runs.next()
                starts.yield(run)
                // The rival gets in between three times, then waits for this.
                if run <= gaps.count { await gaps[run - 1].wait() }
                while saves.count < run && store.engine.retries.waiterCount == 0 { await Task.yield() }
                #expect(saves.count == min(run, 3))
                try await transaction.save(Post(id: "copy", title: "", rating: rating))
            }
        }
        #expect(runs.count == 4)
        #expect(saves.count == 4)
        #expect(try await store.query(Post.self).map(\.rating) == [3, 4])
    }

    /// The closure waits for a save that would have to wait for the closure.
    @Test(arguments: EngineAdapter.all, [false, true])
    func aContendedTransactionThatUsesTheStoreDoesNotWaitForItself(
        adapter: EngineAdapter, isDetached: Bool
    ) async throws {
        let waits = Mutex<[Duration]>([])
        var options = DataStoreOptions()
        options.surroundings.sleep = { duration in waits.withLock { $0.append(duration) } }
        let store = try await adapter.open(options)
        try await store.save(Post(id: "read", title: "", rating: 0))
        let runs = Runs()
        try await store.transaction { transaction in
            let rating = try await transaction.query(Post.self, byId: "read")?.rating ?? 0
            let run = runs.next()
            let other = Post(id: run < 6 ? "read" : "other", title: "", rating: rating + 1)
            if isDetached {
                _ = try await Task.detached { try await store.save(other) }.value
            } else {
                try await store.save(other)
            }
            try await transaction.save(Post(id: "copy", title: "", rating: rating))
        }
        #expect(runs.count == 6)
        #expect(try await store.query(Post.self, byId: "copy")?.rating == 5)
        if isDetached {
            // Half a second for the fourth run, twice as long for each one after it.
            #expect(waits.withLock { $0 } == [.milliseconds(500), .seconds(1), .seconds(2)])
        }
    }

    /// The attempts that hold others back end before their time is over, and those after them have no time limit.
    @Test func aWriterContinuesWhenTheTurnItWaitsForIsOverdue() async {
        let end = Gate()
        defer { end.open() }
        let queue = RetryQueue(sleep: { _ in await end.wait() })
        #expect(await queue.enter())
        for _ in 0..<RetryQueue.timedAttempts { queue.beginAttempt(queuesNewWriters: true, runsCallerCode: true) }
        async let entered = queue.enter()
        while queue.waiterCount == 0 { await Task.yield() }
        queue.beginAttempt(queuesNewWriters: true, runsCallerCode: true)
        #expect(queue.waiterCount == 0)
        #expect(!queue.queuesNewWriters)
        queue.leave()
        #expect(await entered == false)
    }

    /// Two on duty, each may leave if the other stays.
    @Test(arguments: EngineAdapter.all)
    func writeSkewIsPrevented(adapter: EngineAdapter) async throws {
        for usesQuery in [false, true] {
            let store = try await adapter.open()
            let people = ["a", "b"]
            try await store.save(people.map { Post(id: $0, title: "on duty") })
            let haveRead = [Gate(), Gate()]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, id) in people.enumerated() {
                    group.addTask {
                        try await store.transaction { transaction in
                            let other: Post?
                            if usesQuery {
                                other = try await transaction.query(
                                    Post.self, where: Post.keys.title == "on duty"
                                ).first { $0.id != id }
                            } else {
                                other = try await transaction.query(Post.self, byId: people[1 - index])
                            }
                            haveRead[index].open()
                            await haveRead[1 - index].wait()
                            if other?.title == "on duty" { try await transaction.save(Post(id: id, title: "left")) }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.query(Post.self).map(\.title).sorted() == ["left", "on duty"])
        }
    }

    @Test(arguments: EngineAdapter.all)
    func aRecordThatAppearsInAQueriedRangeIsNoticed(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask {
                    try await store.transaction { transaction in
                        let taken = try await transaction.query(Post.self, where: Post.keys.title == "taken")
                        if taken.isEmpty { try await transaction.save(Post(id: "\(number)", title: "taken")) }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.count(Post.self) == 1)
    }

    @Test(arguments: EngineAdapter.all)
    func countersEndWithTheRightSum(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save(Post(id: "counter", title: "", rating: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    try await store.transaction { transaction in
                        let rating = try await transaction.query(Post.self, byId: "counter")?.rating ?? 0
                        try await transaction.save(Post(id: "counter", title: "", rating: rating + 1))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.query(Post.self, byId: "counter")?.rating == 16)
    }

    /// Transactions that hold a snapshot and wait for another would wait for each other where there are only so many.
    @Test(arguments: EngineAdapter.all)
    func aTransactionHoldsOneSnapshot(adapter: EngineAdapter) async throws {
        let reads = Reads()
        let store = try await WatchedAdapter(adapter.make(), reads).dataStore()
        try await store.transaction { transaction in
            try await transaction.save(Blog(id: "b", name: ""))
            try await transaction.save(Post(id: "p", title: ""))
            _ = try await transaction.query(Post.self, where: Post.keys.rating == nil)
            try await transaction.delete(Blog(id: "b", name: ""))
        }
        #expect(reads.mostSnapshots == 1)
        try await store.close()
    }

    /// What is moved between two accounts is never lost, nor seen halfway.
    @Test(arguments: EngineAdapter.all)
    func everyReaderSeesWholeTransactions(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save((0..<4).map { Post(id: "\($0)", title: "", rating: 10) })
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<4 as Range<UInt64> {
                group.addTask {
                    var random = SplitMix64(seed: task)
                    for _ in 0..<10 {
                        let (from, to) = (random.below(4), random.below(4))
                        _ = try? await store.transaction { transaction in
                            var payer = try await transaction.query(Post.self, byId: "\(from)")
                            payer?.rating? -= 1
                            if let payer { try await transaction.save(payer) }
                            var payee = try await transaction.query(Post.self, byId: "\(to)")
                            payee?.rating? += 1
                            if let payee { try await transaction.save(payee) }
                        }
                    }
                }
            }
            group.addTask {
                for _ in 0..<30 {
                    let sum = try? await store.query(Post.self).reduce(0) { $0 + ($1.rating ?? 0) }
                    #expect(sum == 40)
                    let inside = try? await store.transaction { transaction in
                        var sum = 0
                        for id in 0..<4 { sum += try await transaction.query(Post.self, byId: "\(id)")?.rating ?? 0 }
                        return sum
                    }
                    #expect(inside == 40 || inside == nil)
                }
            }
        }
        #expect(try await store.query(Post.self).reduce(0) { $0 + ($1.rating ?? 0) } == 40)
    }

    @Test(arguments: EngineAdapter.all)
    func aParentDeletedAfterItWasReadRunsTheClosureAgain(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        let house = House("h", name: "first")
        try await store.save(house)
        let runs = Runs()
        try await store.transaction { transaction in
            if try await transaction.query(House.self, byId: "h") == nil {
                try await transaction.save(House("h", name: "second"))
            }
            if runs.next() == 1 {
                _ = try await store.delete(house)
            }
            try await transaction.save(Room("r", house: house))
        }
        #expect(runs.count == 2)
        #expect(try await store.query(Room.self).map(\.house.name) == ["second"])
    }

    @Test(arguments: EngineAdapter.all)
    func aChildAddedWhileItsParentIsDeletedIsDeletedToo(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        let house = House("h")
        try await store.save(house)
        try await store.save(Room("before", house: house))
        let runs = Runs()
        try await store.transaction { transaction in
            try await transaction.delete(house)
            if runs.next() == 1 {
                try await store.save(Room("meanwhile", house: house))
            }
        }
        #expect(runs.count == 2)
        #expect(try await store.count(Room.self) == 0)
    }
}

/// Counts how often a closure ran.
final class Runs: Sendable {
    private let state = Mutex(0)

    var count: Int { state.withLock { $0 } }

    func next() -> Int {
        state.withLock { count in
            count += 1
            return count
        }
    }
}
