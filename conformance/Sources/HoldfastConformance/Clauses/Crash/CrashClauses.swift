import HoldfastStorage

extension Clause {
    /// Crashes of the process.
    static let crash: [Clause] = [
        crash(
            "CRS-001",
            "A process killed at any event of the adapter leaves every acknowledged commit, and each commit whole.",
            catches: "Commits that wait in a buffer of the process are acknowledged before they are written.",
            witness: "children killed at an event"
        ) { context in
            // Somewhere in a commit is another place each time.
            let again = [CrashWorker.Instant](repeating: .duringCommit, count: 7)
            for (round, instant) in (CrashWorker.Instant.allCases + again).enumerated() where instant != .never {
                let due = instant == .duringCommit ? 5 + round : 13
                let check = CrashCheck(context: context, location: try await context.makeLocation())
                // The thread that kills may come late.
                let load = try await check.load(
                    .processCrash, instant, step: due, stepCount: instant == .duringCommit ? .max : 40)
                try context.expectEqual(load.end.signal, 9, "the signal that ended a child \(instant.rawValue)")
                let step = try await check.check(load, "killed \(instant.rawValue)")
                if instant == .afterCommit {
                    try context.expect(step == 13, "The adapter returned from step 13; the store is at \(step).")
                }
                context.witness()
            }
        },
        crash(
            "CRS-002", "A process killed at random instants leaves every acknowledged commit, and each commit whole.",
            catches: "A write cut in the middle is found by recovery and half of it kept.",
            witness: "children killed from outside"
        ) { context in
            try await CrashCheck.expectKillWorks(context)
            var random = SplitMix64(seed: context.seed)
            for round in 0..<10 {
                let check = CrashCheck(context: context, location: try await context.makeLocation())
                let load = try await check.load(
                    .processCrash, .never, killAfter: random.number(in: 1...60),
                    delay: .microseconds(random.below(900)))
                if load.end.signal == 9 { context.witness() }
                try await check.check(load, "killed in round \(round)")
            }
        },
        crash(
            "CRS-003",
            "A store survives any number of crashes: each process continues where the last acknowledged commit is.",
            catches: "Recovery that works once, but leaves a log behind that the next one replays again.",
            witness: "steps made between crashes"
        ) { context in
            var random = SplitMix64(seed: context.seed &+ 3)
            let check = CrashCheck(context: context, location: try await context.makeLocation())
            var step = -1
            for round in 0..<8 {
                let instant = random.pick(CrashWorker.Instant.allCases.filter { $0 != .never })
                let load = try await check.load(.processCrash, instant, step: random.below(12), stepCount: 1_000)
                if instant != .beforeOpen && instant != .afterOpen {
                    try context.expectEqual(load.first, step + 1, "the step at which round \(round) continues")
                }
                // What died before it could say where it began.
                var known = load
                known.acknowledged = max(load.acknowledged, step)
                step = try await check.check(known, "killed \(instant.rawValue) in round \(round)")
            }
            context.witness(step + 1)
        },
        crash(
            "CRS-004", "Control: a process that closes its store leaves exactly what it wrote.",
            catches: "A check of crashes that would also pass if nothing was ever kept.",
            witness: "a child that was not killed"
        ) { context in
            let check = CrashCheck(context: context, location: try await context.makeLocation())
            let load = try await check.load(.processCrash, .never, stepCount: 40)
            try context.expect(load.isFinished, "The child did not finish: \(load.end)")
            let step = try await check.check(load, "not killed")
            try context.expectEqual(step, 39, "the last step")
            context.witness()
        },
        crash(
            "CRS-005",
            "Commits that need not survive a crash may be lost by one, but never in part and never out of order.",
            catches: "Commits of low durability are written op by op.", witness: "children killed at low durability"
        ) { context in
            try await CrashCheck.expectKillWorks(context)
            var random = SplitMix64(seed: context.seed &+ 5)
            for round in 0..<4 {
                let check = CrashCheck(context: context, location: try await context.makeLocation())
                let load = try await check.load(
                    Durability.none, .never, killAfter: random.number(in: 1...120),
                    delay: .microseconds(random.below(400)))
                if load.end.signal == 9 { context.witness() }
                try await check.check(load, keeping: -1, "killed in round \(round)")
            }
        },
    ]

    private static func crash(
        _ id: String, _ rule: String, catches: String, witness: String, check: @escaping Check
    ) -> Clause {
        Clause(
            id, rule, level: .durableProcessCrash, requires: .durability(.processCrash),
            catches: catches,
            witness: witness, protectsData: true, check: check)
    }
}
