import HoldfastAdapterTestSupport
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

struct ReceiptTests {
    /// A second save of the same record leaves nothing more to send, but the service does not have it yet.
    @Test(arguments: EngineAdapter.all)
    func whatIsSavedAgainUnchangedHasTheReceiptOfTheFirst(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let post = Post(id: "a", title: "t")
        let first = try await store.saveWithReceipt(post)
        #expect(try await store.saveWithReceipt(post).id == first.id)
        let sent = try #require(try await store.take(8, fence).first)
        let again = try await store.saveWithReceipt(post)
        #expect(again.id == first.id)
        #expect(try await again.state() == .sent)
        let remote = RemoteRecord(
            key: RecordKey("a"), row: Array(try post.row()[0]), version: 1, lastChangedAt: 1)
        _ = try await store.settle([.accepted(sent.id, remote)], fence)
        for receipt in [first, again, try await store.saveWithReceipt(post)] {
            #expect(try await receipt.state() == .confirmed(version: 1))
        }
        // A creation that is taken back leaves nothing to send.
        _ = try await store.saveWithReceipt(Post(id: "b", title: "t"))
        let undone = try await store.deleteWithReceipt(Post(id: "b", title: "t"))
        #expect(try await undone.state() == .confirmed(version: nil))
        try await store.close()
    }

    /// Nothing in the outbox shows that the changes were lost.
    @Test(arguments: EngineAdapter.all)
    func whatWasClearedIsNotConfirmed(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let refused = try await store.saveWithReceipt(Post(id: "b", title: "t"))
        let sent = try #require(try await store.take(8, fence).first)
        _ = try await store.settle([.refused(sent.id, errorType: nil, message: nil, remote: nil)], fence)
        let unsent = try await store.saveWithReceipt(Post(id: "a", title: "t"))
        let nothing = try await store.deleteWithReceipt(Post(id: "c", title: "t"))
        try await store.clear()
        for receipt in [unsent, refused] { #expect(try await receipt.settled() == .cleared) }
        #expect(try await nothing.state() == .confirmed(version: nil))
        // What is saved from then on waits for the service, also if it is the same.
        let again = try await store.saveWithReceipt(Post(id: "a", title: "t"))
        #expect(try await again.state() == .stored)
        for (receipt, state) in [(unsent, Receipt.State.cleared), (again, .stored)] {
            let found = try #require(store.receipt(receipt.id))
            #expect(try await found.state() == state)
        }
        try await store.clear()
        for receipt in [unsent, again] { #expect(try await receipt.state() == .cleared) }
        for id in ["1.#Post#a", "1.x#Post#a", "1.1.1#Post#a", ".1#Post#a"] { #expect(store.receipt(id) == nil) }
        try await store.close()
    }
}
