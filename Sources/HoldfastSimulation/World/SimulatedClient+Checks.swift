import HoldfastEngine
import HoldfastModel
import HoldfastStorage

extension SimulatedClient {
    /// How live queries differ from what the same queries find now.
    func liveProblems() async throws -> [String] {
        guard let life else { return [] }
        // What was committed last is still on its way to the observers, and takes longer on a slow store.
        var problems: [String] = []
        for _ in 0..<30 {
            try? await life.adapter.simulatorPause()
            problems = []
            for model in life.schema.models { problems += try await liveProblems(model.type, life) }
            if problems.isEmpty { break }
        }
        return problems
    }

    /// What is missing in the reports to observers; what was wrong is known already.
    ///
    /// - Parameter isSettled: Whether nothing is unsent.
    /// - Returns: The problems, each with the number of the client; none if the client is not running.
    func observerProblems(isSettled: Bool) async -> [String] {
        guard let life else { return [] }
        var problems: [String] = []
        if isSettled {
            // An observer that follows a change of another process looks at it now and then.
            var unsettled = await life.observers.receiptProblems()
            for _ in 0..<20 where !unsettled.isEmpty {
                try? await life.adapter.simulatorPause()
                unsettled = await life.observers.receiptProblems()
            }
            problems += unsettled
            // The records may be the same before the session says so, even before the lease of a dead process ends.
            var missingEvents = life.observers.hubProblems
            for _ in 0..<300 where !missingEvents.isEmpty {
                try? await life.adapter.simulatorPause()
                // Once it has said so, another session may begin at any time.
                missingEvents = life.observers.hubProblems
            }
            problems += missingEvents
            // A live query asks again after the session has said so.
            var unsynced = missingEvents.isEmpty ? life.unsynced : []
            for _ in 0..<300 where !unsynced.isEmpty {
                try? await life.adapter.simulatorPause()
                unsynced = life.unsynced
            }
            problems += unsynced.map { "the live query of \($0) never calls its records synchronized" }
        }
        return problems.map { "client \(number): \($0)" }
    }

    private func liveProblems<M: SimulatedRecord>(_ type: M.Type, _ life: Life) async throws -> [String] {
        let expected = LiveResults.texts(try await life.data.query(type).map(\.cells), of: M.modelName)
        let shown = life.liveResults.texts(of: M.modelName)
        let observed = life.observers.texts(of: M.modelName)
        if expected == shown, expected != observed {
            return ["client \(number): the changes of \(M.modelName) lead to \(observed), and there are \(expected)"]
        }
        guard expected != shown else { return [] }
        return ["client \(number): the live query of \(M.modelName) shows \(shown), and there are \(expected)"]
    }
}
