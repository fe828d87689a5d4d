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

    /// The hub hears of a model once in a connection, but it is read again, for instance half a minute later.
    @Test func aModelThatIsReadAgainIsCompleteAgain() {
        var status = SyncStatus()
        status.note(.state(.live))
        for isFull in [true, false] {
            status.note(.reading(model: "Post", isFull: isFull, isFirst: true))
            #expect(!status.isSynchronized)
            status.note(.synced(model: "Post"))
            #expect(status.isSynchronized && status.models["Post"]?.isFull == isFull)
        }
    }
}
