import HoldfastStorage

/// A location whose power is cut while a child works on it.
struct PowerLossCheck {
    let context: ClauseContext
    let location: any StoreLocation
    private let powerLoss: PowerLoss

    /// Makes a location.
    ///
    /// - Parameters:
    ///   - context: The context of the check.
    ///   - isWatched: Whether the check needs to choose the sync at which the power fails.
    /// - Throws: ``ClauseSkip`` if the location cannot lose power so, or this system cannot simulate it;
    ///   ``HarnessFailure`` if the harness makes no location.
    init(_ context: ClauseContext, isWatched: Bool = true) async throws {
        self.context = context
        location = try await context.makeLocation()
        guard let powerLoss = location.powerLoss else {
            throw ClauseSkip("The locations of the harness have no powerLoss.")
        }
        self.powerLoss = powerLoss
        switch powerLoss {
        case .backend:
            if isWatched { throw ClauseSkip("The syncs of a back end in another process cannot be counted.") }
        case .directory:
            #if !os(Linux)
            throw ClauseSkip("The loss of power of a directory is simulated on Linux only.")
            #endif
        }
    }

    /// Whether the syncs at the location can be counted.
    var isWatchable: Bool { if case .directory = powerLoss { true } else { false } }

    /// The checks of a ``CrashHistory`` at the location.
    var crash: CrashCheck { CrashCheck(context: context, location: location) }

    /// Runs something that starts a child and waits for its end, and cuts the power then.
    ///
    /// - Parameters:
    ///   - cut: The sync at which the child dies; `nil` if `body` or the child itself ends it.
    ///   - body: Is given the variables of the child.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, ``ClauseSkip`` if the child did not note what it synced, or the error of cutting
    ///   the power.
    func cutPower<Result>(
        _ cut: WatchedDirectory.Cut? = nil, during body: ([String: String]) async throws -> Result
    ) async throws -> Result {
        switch powerLoss {
        case .backend(let losePower):
            let result = try await body([:])
            try await losePower()
            return result
        case .directory(let path):
            let folder = WatchedDirectory(path)
            defer { folder.remove() }
            let result = try await body(try folder.prepare(cut))
            let remains = try folder.remains()
            try folder.restore(remains.survivors(), folders: remains.folders)
            return result
        }
    }

    /// A load during which the power fails.
    func load(
        _ durability: Durability?, _ instant: CrashWorker.Instant = .never, step: Int = 0, stepCount: Int = .max,
        killAfter lineCount: Int? = nil, delay: Duration = .zero, cut: WatchedDirectory.Cut? = nil
    ) async throws -> CrashCheck.Load {
        try await cutPower(cut) { environment in
            try await crash.load(
                durability, instant, step: step, stepCount: stepCount, killAfter: lineCount, delay: delay,
                environment: environment)
        }
    }

    /// A load during which the power fails, and disks on which some of what was not synced is found after it.
    ///
    /// If the location is not a directory, this does nothing.
    ///
    /// - Parameters:
    ///   - durability: The durability of every step; `nil` for the durability that the history gives each step.
    ///   - instant: When the child kills itself.
    ///   - step: The step of the load, counted from 0, at which the instant is due.
    ///   - diskCount: How many such disks.
    ///   - random: Decides what is found.
    ///   - body: Is called for each.
    /// - Throws: The error of `body` or of the load, or ``ClauseSkip`` if the child did not note what it synced.
    func tear(
        _ durability: Durability?, _ instant: CrashWorker.Instant, step: Int, diskCount: Int,
        _ random: inout SplitMix64,
        _ body: (CrashCheck.Load) async throws -> Void
    ) async throws {
        guard case .directory(let path) = powerLoss else { return }
        let folder = WatchedDirectory(path)
        defer { folder.remove() }
        let load = try await crash.load(
            durability, instant, step: step, stepCount: step + 20, environment: try folder.prepare(nil))
        let remains = try folder.remains()
        for _ in 0..<diskCount {
            try folder.restore(remains.survivors(torn: &random), folders: remains.folders)
            try await body(load)
        }
    }

    /// Cuts the power before and after every sync of something, one after the other.
    ///
    /// - Parameter body: Does it with the power failing there, and says whether it came to its end before that.
    /// - Throws: The error of `body`, or ``ClauseFailure`` if `body` has not come to its end after a thousand syncs.
    static func everySync(_ body: (WatchedDirectory.Cut, _ subject: String) async throws -> Bool) async throws {
        for number in 1...1_000 {
            for side in WatchedDirectory.Cut.Side.allCases {
                let cut = WatchedDirectory.Cut(side: side, number: number)
                if try await body(cut, "power lost \(side) sync \(number)") { return }
            }
        }
        throw ClauseFailure("A load of a few commits makes more than a thousand syncs.")
    }
}
