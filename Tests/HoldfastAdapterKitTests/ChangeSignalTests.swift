import HoldfastStorage
import Testing

@testable import HoldfastAdapterKit

@Suite struct ChangeSignalTests {
    @Test func aCommitWakesAllThatWait() async throws {
        let signal = ChangeSignal(sequence: 3)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<5 { group.addTask { try await signal.wait(after: 3, atMost: nil) } }
            while signal.waitingCount < 5 { await Task.yield() }
            signal.advance(to: 4)
            try await group.waitForAll()
        }
        #expect(signal.waitingCount == 0)
        // Nothing to wait for.
        try await signal.wait(after: 3, atMost: nil)
        signal.close()
        try await signal.wait(after: 4, atMost: nil)
    }

    @Test func whatTheLogDoesNotHaveIsForgottenUnlessItIsNews() async throws {
        let signal = ChangeSignal(sequence: 3)
        signal.advance(to: 9_000)
        let count = signal.announcementCount
        signal.advance(to: 4)
        signal.forget(after: 3, since: count)
        #expect(signal.sequence == 9_000)
        signal.forget(after: 4, since: signal.announcementCount)
        #expect(signal.sequence == 4)
        signal.forget(after: 5, since: signal.announcementCount)
        #expect(signal.sequence == 4)
    }

    @Test func aWaitEndsWithItsTaskAndItsTime() async throws {
        let signal = ChangeSignal()
        try await signal.wait(after: 0, atMost: .milliseconds(1))
        let task = Task { try await signal.wait(after: 0, atMost: nil) }
        while signal.waitingCount < 1 { await Task.yield() }
        task.cancel()
        await #expect(throws: StorageError.self) { try await task.value }
        #expect(signal.waitingCount == 0)
    }
}
