#if SQLite
import HoldfastAdapterTestSupport
@testable import HoldfastSQLite
import HoldfastStorage
import Testing

/// Several connections that write to one file.
@Suite struct SQLiteTurnsTests {
    /// The first handle always has commits that wait, each of which holds the lock for a while.
    @Test func aHandleThatAlwaysWritesLetsOthersWrite() async throws {
        let directory = TemporaryDirectory()
        let busy = try await Store.open(directory.file(), note)
        let other = try await Store.open(directory.file(), note)
        let end = End()
        let batch = (0..<1_000).map { noteRow("b\($0)", "text") }
        await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    while !end.isReached.load() { try await busy.put("Note", batch) }
                }
            }
            for number in 0..<10 {
                let error = await storageError { try await other.put("Note", [noteRow("o\(number)")]) }
                #expect(error == nil, "\(number)")
            }
            end.isReached.store(true)
        }
        try await busy.close()
        try await other.close()
    }

    @Test func aSingleWritingProcessRarelyPauses() {
        #expect(pauses { _ in false } == 9)
    }

    @Test func aProcessPausesOftenWhileOthersWrite() {
        #expect(pauses { _ in true } > 200)
        let count = pauses { $0 <= 100 }
        #expect(count > 100 && count < 110)
    }

    /// Counts the pauses of a process that commits every millisecond for ten seconds.
    ///
    /// - Parameter isShared: Whether another process writes in the pause of this number.
    /// - Returns: The number of pauses.
    private func pauses(isShared: (Int) -> Bool) -> Int {
        var turns = SQLiteTurns()
        var now = ContinuousClock.now
        var sequence: UInt64 = 0
        var count = 0
        for _ in 0..<10_000 {
            if turns.needsPause(at: now) {
                count += 1
                if isShared(count) { sequence += 1 }
            }
            turns.begin(at: sequence)
            sequence += 1
            turns.end(at: sequence)
            now += .milliseconds(1)
            turns.release(at: now)
        }
        return count
    }
}

/// Tells tasks to stop.
final class End: Sendable {
    let isReached = Mutex(false)
}
#endif
