import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

struct SystemModelTests {
    @Test(arguments: EngineAdapter.all)
    func syncMetadataIsQueriedAsModels(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let order = RecordKey([.text("a#b\\"), .integer(-3)])
        try await store.save(
            metadata: [
                RecordMetadata(model: "Post", key: "p#1", version: 4, lastChangedAt: 9, isDeleted: true),
                RecordMetadata(model: "Order", key: order.outboxText, version: 1, lastChangedAt: 5),
            ], states: [ModelState(model: "Post", lastSync: 7, syncPredicate: "{}"), ModelState(model: "Blog")])
        let metadata = try await #require(
            store.systemModels(MutationSyncMetadata.self, where: nil, sort: nil, paginate: nil))
        #expect(metadata.map(\.modelId) == ["\"a#b\\\"#\"-3\"", "p#1"])
        #expect(metadata.map(\.modelName) == ["Order", "Post"])
        #expect(metadata.map(\.version) == [1, 4] && metadata.map(\.deleted) == [false, true])
        let keys = ModelSyncMetadata.keys
        let states = try await store.systemModels(
            ModelSyncMetadata.self, where: keys.lastSync > 1, sort: .descending(keys.id), paginate: .firstPage)
        #expect(states?.map(\.id) == ["Post"])
        #expect(try await store.systemModels(Post.self, where: nil, sort: nil, paginate: nil) == nil)
    }

    @Test(arguments: EngineAdapter.all)
    func aQueuedDeletionHasTheRecordAsItWas(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save([Post(id: "a", title: "as it was"), Post(id: "b", title: "")])
        try await store.sendOutbox()
        try await store.save(Post(id: "a", title: "edited"))
        try await store.delete(Post.self, withId: "a")
        try await store.save(Post(id: "b", title: "edited"))
        let events = try await #require(
            store.systemModels(MutationEvent.self, where: nil, sort: nil, paginate: nil))
        let titles = try events.map { try ($0.decodeModel(as: Post.self)).title }
        #expect(Set(titles) == ["as it was", "edited"] && Set(events.map(\.version)) == [1])
    }

    @Test(arguments: EngineAdapter.all)
    func aQueuedChangeHasItsCondition(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save([Post(id: "a", title: "", rating: 1), Post(id: "b", title: "", rating: 1)])
        try await store.sendOutbox()
        try await store.save(Post(id: "a", title: "edited", rating: 1), where: Post.keys.rating == 1)
        try await store.save(Post(id: "b", title: "edited", rating: 1))
        let events = try await #require(
            store.systemModels(
                MutationEvent.self, where: MutationEvent.keys.graphQLFilterJSON != nil, sort: nil, paginate: nil))
        #expect(events.map(\.modelId) == ["a"])
        #expect(events.first?.graphQLFilterJSON?.contains("rating") == true)
    }

    @Test func theTextOfAKeyLeadsBackToIt() throws {
        let entity = EntitySchema(
            "T",
            fields: [
                FieldSchema("a", .string), FieldSchema("b", .int), FieldSchema("c", .dateTime),
                FieldSchema("d", .boolean), FieldSchema("e", .date),
            ], primaryKey: ["a", "b", "c", "d", "e"])
        let instant = Timestamp(secondsSinceEpoch: 3, nanoseconds: 0, tail: WrittenForm(offset: 0))
        for text in ["", "#", "\\", "\\#", "a#b\\\\c", "é"] {
            let key = RecordKey([
                .text(text), .integer(-1), .timestamp(instant), .boolean(true),
                .date(CalendarDate(daysSinceEpoch: 1)),
            ])
            #expect(RecordKey(outboxText: key.outboxText, of: entity) == key)
            let single = EntitySchema("S", fields: [FieldSchema("id", .id)])
            #expect(RecordKey(outboxText: RecordKey(text).outboxText, of: single) == RecordKey(text))
        }
        #expect(RecordKey(outboxText: "a#1", of: entity) == nil)
        #expect(RecordKey(outboxText: "a#x#1970-01-01T00:00:03Z#true#1970-01-02", of: entity) == nil)
    }
}
