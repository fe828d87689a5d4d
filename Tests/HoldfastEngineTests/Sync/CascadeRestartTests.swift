#if SQLite
import HoldfastAdapterTestSupport
import HoldfastSQLite
import HoldfastStorage
import Testing

@testable import HoldfastEngine

extension CascadeSendingTests {
    /// The process ends between the refusal and the next take.
    @Test func whatIsLeftIsTakenBackAfterTheNextStart() async throws {
        let directory = TemporaryDirectory()
        let file = directory.file()
        func adapter() -> SQLiteAdapter { SQLiteAdapter(SQLiteConfiguration(.file(file))) }
        let (store, fence) = try await open(adapter())
        try await store.delete(house)
        #expect(try await exchange(store, fence, keeping: ["h"]) == ["delete h"])
        try await store.close()
        let again = try await adapter().graphStore()
        let next = try #require(try await again.claim("there", until: 300, now: 200))
        #expect(try await exchange(again, next) == ["created r"])
        #expect(try await exchange(again, next) == ["created l"])
        #expect(try await keys(again) == ["h", "r", "l"])
        try await again.close()
    }

    /// Another handle deletes the house again before the room is taken back.
    @Test func aSecondDeletionTakesTheOthersAlong() async throws {
        let directory = TemporaryDirectory()
        let file = directory.file()
        func adapter() -> SQLiteAdapter { SQLiteAdapter(SQLiteConfiguration(.file(file), busyTimeout: .seconds(600))) }
        let (store, fence) = try await open(adapter())
        let other = try await adapter().graphStore()
        try await store.delete(house)
        #expect(try await exchange(store, fence, keeping: ["h"]) == ["delete h"])
        try await other.delete(house)
        for key in ["h", "r", "l"] { #expect(try await exchange(store, fence) == ["delete \(key)"]) }
        #expect(try await keys(store).isEmpty)
        try await other.close()
        try await store.close()
    }
}
#endif
