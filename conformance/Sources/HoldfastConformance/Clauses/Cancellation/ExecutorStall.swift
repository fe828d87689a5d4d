import HoldfastStorage

/// How long a call kept others from running on the executor it was made from.
struct ExecutorStall: Sendable {
    /// How long the call took.
    var total: Duration
    /// The longest time in which nothing else ran there.
    var longest: Duration

    /// Whether the call held the executor for a long time, or for most of one that is not short.
    ///
    /// A short time is no fault: the contract allows bounded work on the caller's thread. A machine with other work
    /// stalls an executor, too, so one stall says nothing; an adapter that blocks does so every time.
    var isBlocking: Bool { longest > .seconds(1) || longest > .milliseconds(100) && longest > total * 0.7 }

    /// Makes a call from the main actor while another of its tasks keeps noting the time.
    @MainActor static func onMainActor(_ call: @Sendable () async throws -> Void) async throws -> ExecutorStall {
        let clock = ContinuousClock()
        let isOver = SharedFlag()
        let ticker = Task { @MainActor in
            var (last, longest) = (clock.now, Duration.zero)
            repeat {
                await Task.yield()
                longest = max(longest, last.duration(to: clock.now))
                last = clock.now
            } while !isOver.isSet
            return longest
        }
        await Task.yield()
        let start = clock.now
        do {
            try await call()
        } catch {
            isOver.set()
            throw error
        }
        let total = start.duration(to: clock.now)
        isOver.set()
        return ExecutorStall(total: total, longest: await ticker.value)
    }
}
