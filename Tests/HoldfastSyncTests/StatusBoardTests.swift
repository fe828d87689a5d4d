import Testing

@testable import HoldfastSync

@Suite struct StatusBoardTests {
    @Test func aStatusThatIsAsBeforeComesAgainToThoseWhoAskForIt() async throws {
        let board = StatusBoard()
        var repeated = board.statuses(repeats: true).makeAsyncIterator()
        var changes = board.statuses().makeAsyncIterator()
        #expect(await repeated.next() == SyncStatus())
        #expect(await changes.next() == SyncStatus())
        board.update { _ in }
        #expect(await repeated.next() == SyncStatus())
        board.finish()
        #expect(await repeated.next() == nil)
        #expect(await changes.next() == nil)
    }
}
