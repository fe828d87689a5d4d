import HoldfastGraphQL
import HoldfastSchema
import HoldfastStorage
import HoldfastWire
import Testing

@testable import HoldfastServer

@Suite struct RecordWriterTests {
    /// Writes that come while two commits wait for the store share one; one that is late is left out.
    @Test(arguments: [false, true]) func whatWaitsIsWrittenTogether(hasStale: Bool) async throws {
        let adapter = HoldingAdapter()
        let model = try #require(try ServerSchema.plainModels().models.first)
        let store = try await Store.open(adapter, schema: try StorageSchema(entities: [model.entity]))
        let writer = RecordWriter(store: store, hub: EventHub(followsFeed: false))
        let write = { @Sendable (key: String, version: UInt64?) async throws -> Bool in
            try await writer.write(
                RecordWrite(model: model, operation: .create, row: model.row(key), version: version)) == .written
        }
        adapter.hold()
        var first: [Task<Bool, any Error>] = []
        // At once they would share one commit.
        for number in 0..<2 {
            first.append(Task { try await write("first \(number)", nil) })
            while adapter.commits.count <= number { await Task.yield() }
        }
        var others: [Task<Bool, any Error>] = []
        for number in 0..<9 { others.append(Task { try await write("other \(number)", nil) }) }
        let stale = hasStale ? Task { try await write("first 0", 77) } : nil
        let unknown = hasStale ? Task { try await write("none", 77) } : nil
        while writer.waitingCount < (hasStale ? 11 : 9) { await Task.yield() }
        adapter.letGo()
        for task in first + others { #expect(try await task.value) }
        #expect(try await stale?.value != true)
        #expect(try await unknown?.value != true)
        #expect(adapter.commits.prefix(2).allSatisfy { $0 == 1 })
        let rest = Array(adapter.commits.dropFirst(2))
        #expect(rest == (hasStale ? [10, 9] : [9]))
        try await store.close()
    }
}
