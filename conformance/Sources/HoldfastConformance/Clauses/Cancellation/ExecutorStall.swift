import HoldfastStorage

/// How long a call kept others from running on the main actor.
struct ExecutorStall: Sendable {
    /// How long the call took.
    var total: Duration
    /// The longest time in which nothing else ran there.
    var longest: Duration

    /// Whether nothing else ran for a long time, or for most of a call that is not short.
    ///
    /// A short time is correct: the contract allows bounded work on the caller's thread. What takes 50 ms there takes
    /// several times as long on a slow or busy machine.
    var isBlocking: Bool { longest > .seconds(1) || longest > .milliseconds(500) && longest > total * 0.7 }

    /// Fails if each call from the main actor holds it.
    ///
    /// A machine with other work stalls the main actor, too. So each stall is compared with a call from another
    /// executor, made right after it: if the main actor stalls beside that one as well, neither says anything about the
    /// adapter, and both are made again. What decides is the number of stalls, not the time.
    static func expectNone(_ name: String, _ call: @escaping @Sendable () async throws -> Void) async throws {
        var stalls = 0
        for _ in 0..<200 {
            let stall = try await beside { @MainActor in try await call() }
            guard stall.isBlocking else { return }
            let control = try await beside { try await Task.detached { try await call() }.value }
            if control.isBlocking { continue }
            stalls += 1
            if stalls == 4 {
                throw ClauseFailure("\(name) held the main actor for \(stall.longest) of \(stall.total)")
            }
        }
        throw HarnessFailure("The main actor never ran for long enough to tell whether \(name) holds it.")
    }

    /// Makes a call while a task of the main actor keeps noting the time.
    @MainActor private static func beside(_ call: @Sendable () async throws -> Void) async throws -> ExecutorStall {
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
