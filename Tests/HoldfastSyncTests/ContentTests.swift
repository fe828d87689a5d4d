import HoldfastEngine
import HoldfastStorage
import Testing

@testable import HoldfastSync

@Suite struct ContentTests {
    func content(_ count: Int) -> SyncContent {
        SyncContent(
            model: "Post",
            records: (0..<count).map {
                RemoteRecord(key: RecordKey("\($0)"), row: nil, version: 1, lastChangedAt: 1)
            },
            faults: [
                ShelfItem(model: "Post", key: "x", version: 1, lastChangedAt: 1, item: nil, reason: .notStorable)
            ])
    }

    private let limit = SyncContent.recordsPerCommit

    @Test func aPageIsStoredInParts() {
        let whole = content(2 * limit + 1)
        #expect(whole.parts.map(\.records.count) == [limit, limit, 1])
        #expect(whole.parts.flatMap(\.records) == whole.records)
        #expect(whole.parts.flatMap(\.faults) == whole.faults)
        #expect(whole.parts.allSatisfy { $0.model == "Post" })
    }

    @Test func aPageHasAtLeastOnePart() {
        #expect(content(0).parts == [content(0)])
        #expect(content(limit).parts == [content(limit)])
    }
}
