import HoldfastConformance
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite struct CommitOrderTests {
    struct Commit {
        let ticket: UInt64
        var sequence: UInt64?
        let fails: Bool
    }

    /// Runs commits at random, as an adapter would: a sequence is given at some moment between begin and end.
    @Test(arguments: 0..<300)
    func eventsGoOutInSequenceAndNoneIsLost(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var order = CommitOrder<UInt64>()
        var open: [Commit] = []
        var released: [UInt64] = []
        /// Events not yet released, each with the commits that were in progress when it ended.
        var held: [UInt64: Set<UInt64>] = [:]
        var nextSequence: UInt64 = 0
        var expected = 0
        var toBegin = 60
        let maximum = random.number(in: 1...8)

        func check(_ events: [UInt64]) {
            for event in events {
                #expect(event > released.last ?? 0, "seed \(seed)")
                released.append(event)
                held[event] = nil
            }
            // Only a commit that was in progress when this or an earlier event ended may hold an event back.
            let inProgress = Set(open.map(\.ticket))
            for event in held.keys {
                let blockers = held.filter { $0.key <= event }.values.reduce(into: Set()) { $0.formUnion($1) }
                #expect(!blockers.isDisjoint(with: inProgress), "seed \(seed)")
            }
        }

        while toBegin > 0 || !open.isEmpty {
            if toBegin > 0 && (open.isEmpty || open.count < maximum && random.chance(50)) {
                toBegin -= 1
                open.append(Commit(ticket: order.begin(), fails: random.chance(20)))
                continue
            }
            let index = random.below(open.count)
            if open[index].sequence == nil && !open[index].fails {
                nextSequence += 1
                open[index].sequence = nextSequence
                continue
            }
            let commit = open.remove(at: index)
            if let sequence = commit.sequence {
                expected += 1
                held[sequence] = Set(open.map(\.ticket))
                check(order.end(commit.ticket, sequence: sequence, event: sequence))
            } else {
                check(order.end(commit.ticket))
            }
        }
        #expect(released.count == expected, "seed \(seed)")
    }

    @Test func anEventAloneGoesOutAtOnce() {
        var order = CommitOrder<String>()
        #expect(order.end(order.begin(), sequence: 1, event: "a") == ["a"])
        #expect(order.end(order.begin()) == [])
        #expect(order.end(order.begin(), sequence: 2, event: "b") == ["b"])
    }

    @Test func anEventWaitsForACommitThatMayHaveASmallerSequence() {
        var order = CommitOrder<String>()
        let (first, second) = (order.begin(), order.begin())
        #expect(order.end(second, sequence: 2, event: "b") == [])
        #expect(order.end(first, sequence: 1, event: "a") == ["a", "b"])
        let third = order.begin()
        #expect(order.end(third, sequence: 3, event: "c") == ["c"])
    }

    @Test func aFailedCommitReleasesWhatWaitedForIt() {
        var order = CommitOrder<String>()
        let (first, second) = (order.begin(), order.begin())
        #expect(order.end(second, sequence: 1, event: "b") == [])
        #expect(order.end(first) == ["b"])
    }
}
