import HoldfastStorage
import Testing

@testable import HoldfastAdapterKit

@Suite struct LoggedChangeFeedTests {
    /// How long a feed that leaves out what is known takes to read a log to its end.
    private func timeToRead(commitCount: UInt64, atOnce pageCount: UInt64) async throws -> Duration {
        let signal = ChangeSignal(sequence: commitCount)
        var feed = LoggedChangeFeed(after: 0, signal: signal, pollInterval: nil) { after, _ in
            let page = after + 1...min(after + pageCount, commitCount)
            return .commits(page.map { CommittedChange(sequence: $0, records: []) })
        }
        let clock = ContinuousClock()
        let start = clock.now
        var last: UInt64 = 0
        while last < commitCount, case .commits(let commits)? = try await feed.next(withoutRecordsOf: { _ in true }) {
            last = commits.last?.sequence ?? commitCount
        }
        #expect(last == commitCount)
        return clock.now - start
    }

    /// Otherwise a log of few commits forgets them before a reader that keeps up with all else gets there.
    @Test func aLongLogIsReadWithoutPauses() async throws {
        #expect(try await timeToRead(commitCount: 25_600, atOnce: 256) < .milliseconds(2_500))
    }

    @Test func aLogThatGrowsSlowlyIsReadNowAndThen() async throws {
        #expect(try await timeToRead(commitCount: 5, atOnce: 1) >= .milliseconds(200))
    }
}
