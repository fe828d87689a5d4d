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

    @Test func aPageIsStoredInPartsOfAHundred() {
        let whole = content(250)
        #expect(whole.parts.map(\.records.count) == [100, 100, 50])
        #expect(whole.parts.flatMap(\.records) == whole.records)
        #expect(whole.parts.flatMap(\.faults) == whole.faults)
        #expect(whole.parts.allSatisfy { $0.model == "Post" })
    }

    @Test func aPageHasAtLeastOnePart() {
        #expect(content(0).parts == [content(0)])
        #expect(content(100).parts == [content(100)])
    }
}
