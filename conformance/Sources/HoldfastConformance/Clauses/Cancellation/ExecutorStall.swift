import HoldfastStorage

/// For how long a call kept others from running on the main actor, in beats of a ``Heartbeat``.
struct ExecutorStall: Sendable {
    /// How long the call took.
    var total: Int
    /// The longest time in which nothing else ran there.
    var longest: Int

    /// Whether nothing else ran for a long time, or for most of a call that is not short.
    ///
    /// A short time is correct: the contract allows bounded work on the caller's thread. What takes 50 ms there takes
    /// several times as long on a slow machine.
    var isBlocking: Bool { longest > 900 || longest > 450 && longest * 10 > total * 7 }

    /// Fails if each call from the main actor holds it.
    static func expectNone(_ name: String, _ call: @escaping @Sendable () async throws -> Void) async throws {
        var worst = ExecutorStall(total: 0, longest: 0)
        for _ in 0..<4 {
            worst = try await beside { @MainActor in try await call() }
            guard worst.isBlocking else { return }
        }
        throw ClauseFailure("\(name) held the main actor for about \(worst.longest) of \(worst.total) ms")
    }

    /// Makes a call while a task of the main actor keeps noting the time.
    @MainActor private static func beside(_ call: @Sendable () async throws -> Void) async throws -> ExecutorStall {
        let heartbeat = Heartbeat()
        defer { heartbeat.stop() }
        let isOver = SharedFlag()
        let ticker = Task { @MainActor in
            var (last, longest) = (heartbeat.count, 0)
            repeat {
                await Task.yield()
                let now = heartbeat.count
                longest = max(longest, now - last)
                last = now
            } while !isOver.isSet
            return longest
        }
        await Task.yield()
        let start = heartbeat.count
        do {
            try await call()
        } catch {
            isOver.set()
            throw error
        }
        let total = heartbeat.count - start
        isOver.set()
        return ExecutorStall(total: total, longest: await ticker.value)
    }
}
