import HoldfastStorage
import Testing

@testable import AWSDataStorePlugin

@Suite struct ObservationPumpTests {
    /// An observer that was cancelled before the store was open.
    @Test func nothingBeginsAfterTheEnd() {
        let pump = ObservationPump()
        pump.end()
        pump.begin {
            Issue.record("The observer is gone.")
            return nil
        }
    }

    /// Ending the observer because it cannot be fed calls the end of the pump.
    @Test func whatCannotBeginMayEndThePump() {
        let pump = ObservationPump()
        pump.begin {
            pump.end()
            return nil
        }
    }

    @Test func anEndWhileItBeginsCancelsWhatBegan() async {
        let pump = ObservationPump()
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let task = Task { for await _ in stream {} }
        pump.begin {
            pump.end()
            return task
        }
        await task.value
        #expect(task.isCancelled)
        continuation.finish()
    }

    @Test func theEndCancelsWhatRuns() async {
        let pump = ObservationPump()
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let task = Task { for await _ in stream {} }
        pump.begin { task }
        pump.end()
        await task.value
        #expect(task.isCancelled)
        continuation.finish()
    }
}
