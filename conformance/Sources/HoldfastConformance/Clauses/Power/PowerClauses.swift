import HoldfastStorage

extension Clause {
    /// Power loss.
    static let power: [Clause] = powerCommits + powerOrder + powerOpening

    /// Commits that ask to survive it.
    private static let powerCommits: [Clause] = [
        power(
            "PWR-001",
            "Power lost at random instants takes no commit acknowledged at durability powerLoss, and none in part.",
            catches: "The log is written, but not synced before the commit is acknowledged.",
            witness: "children that lost power"
        ) { context in
            var random = SplitMix64(seed: context.seed &+ 11)
            for round in 0..<8 {
                let check = try await PowerLossCheck(context, isWatched: false)
                let load = try await check.load(
                    .powerLoss, killAfter: random.number(in: 2...50), delay: .microseconds(random.below(900)))
                if load.end.signal == 9 { context.witness() }
                try await check.crash.check(load, "power lost in round \(round)")
            }
        },
        power(
            "PWR-002", "Power lost at any sync takes no commit acknowledged at durability powerLoss, and none in part.",
            catches: "Two files are synced in the wrong order, or a new file is used before its directory is synced.",
            witness: "syncs at which power was lost"
        ) { context in
            try await PowerLossCheck.everySync { cut, subject in
                let check = try await PowerLossCheck(context)
                let load = try await check.load(.powerLoss, stepCount: 13, cut: cut)
                try await check.crash.check(load, subject)
                if !load.isFinished { context.witness() }
                return load.isFinished
            }
        },
        power(
            "PWR-003",
            "Where some of the writes that were not synced reach the disk, no commit is there in part either.",
            catches: "Half of a record at the end of a log is taken for a whole one; pages are overwritten in place.",
            witness: "disks with torn writes"
        ) { context in
            var random = SplitMix64(seed: context.seed &+ 13)
            let durabilities: [Durability?] = [.powerLoss, nil, Durability.none, .processCrash]
            for round in 0..<12 {
                let check = try await PowerLossCheck(context)
                let durability = durabilities[round % durabilities.count]
                let step = random.number(in: 1...30)
                let instant: CrashWorker.Instant = round < 6 ? .afterAcknowledgement : .duringCommit
                try await check.tear(durability, instant, step: step, diskCount: 8, &random) { load in
                    if load.end.signal == 9 { context.witness() }
                    try await check.crash.check(load, keeping: floor(of: load, durability), "torn in round \(round)")
                }
            }
        },
        power(
            "PWR-004", "A loss of power after closing takes no commit acknowledged at durability powerLoss either.",
            catches: "Closing moves the log into the file, deletes the log, and syncs neither.",
            witness: "closed stores that lost power"
        ) { context in
            for durability in [Durability.powerLoss, nil] {
                let check = try await PowerLossCheck(context, isWatched: false)
                let load = try await check.load(durability, stepCount: 30)
                try context.expect(load.isFinished, "The child did not finish: \(load.end)")
                try await check.crash.check(load, keeping: floor(of: load, durability), "power lost after closing")
                context.witness()
            }
        },
    ]

    /// Commits of several durabilities.
    private static let powerOrder: [Clause] = [
        power(
            "PWR-005", "Control: weaker commits are lost with the power, but never in part and never out of order.",
            catches: "A check of power loss that would also pass if nothing was ever lost.",
            witness: "commits that were lost"
        ) { context in
            for durability in [Durability.none, .processCrash] {
                for step in [1, 12, 23, 34] {
                    let check = try await PowerLossCheck(context, isWatched: false)
                    let load = try await check.load(durability, .afterAcknowledgement, step: step)
                    let left = try await check.crash.check(load, keeping: -1, "power lost after step \(step)")
                    context.witness(load.acknowledged - left)
                }
            }
            if context.witnessCount == 0 {
                throw ClauseSkip("Nothing was lost: the back end always syncs, or the simulation does not reach it.")
            }
        },
        power(
            "PWR-006",
            "A commit at durability powerLoss makes all commits before it survive, too, whatever they asked for.",
            catches: "Commits that wait in memory are overtaken by one that must be synced at once.",
            witness: "weaker commits before one that had to survive"
        ) { context in
            func check(_ check: PowerLossCheck, _ load: CrashCheck.Load, _ subject: String) async throws {
                let floor = floor(of: load, nil)
                if floor > 0 { context.witness() }
                try await check.crash.check(load, keeping: floor, subject)
            }
            if try await PowerLossCheck(context, isWatched: false).isWatchable {
                return try await PowerLossCheck.everySync { cut, subject in
                    let power = try await PowerLossCheck(context)
                    let load = try await power.load(nil, stepCount: 24, cut: cut)
                    try await check(power, load, subject)
                    return load.isFinished
                }
            }
            for step in [3, 8, 13, 19, 24] {
                let power = try await PowerLossCheck(context, isWatched: false)
                let load = try await power.load(nil, .afterAcknowledgement, step: step)
                try await check(power, load, "power lost after step \(step)")
            }
        },
        power(
            "PWR-007",
            "Of commits made at the same time, one at durability powerLoss and all before it survive.",
            catches: "Commits that share a transaction get the durability of the first, or of the last.",
            witness: "commits that had to survive"
        ) { context in
            try await PowerLossCheck.everySync { cut, subject in
                let check = try await PowerLossCheck(context)
                let load = try await check.cutPower(cut) { try await ConcurrentCommitLoad.run(check, environment: $0) }
                try await load.check(check, subject)
                return load.isFinished
            }
        },
    ]

    /// The last step of a load that must survive; `nil` for the durabilities of `CrashHistory.durability(of:)`.
    static func floor(of load: CrashCheck.Load, _ durability: Durability?) -> Int {
        guard load.acknowledged >= 0 else { return -1 }
        return (0...load.acknowledged).last { (durability ?? CrashHistory.durability(of: $0)) == .powerLoss } ?? -1
    }

    static func power(
        _ id: String, _ rule: String, catches: String, witness: String, check: @escaping Check
    ) -> Clause {
        Clause(
            id, rule, level: .durablePowerLoss,
            requires: .durability(.powerLoss), catches: catches, witness: witness, protectsData: true, check: check)
    }
}
