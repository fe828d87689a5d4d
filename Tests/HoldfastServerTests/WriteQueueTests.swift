import HoldfastStorage
import Testing

@testable import HoldfastServer

@Suite struct WriteQueueTests {
    typealias Queue = WriteQueue<Int>
    var queue = Queue(maximumCommitCount: 2, maximumRecordCount: 3)

    mutating func add(_ elements: Int..., at key: String, of model: String = "A") {
        for element in elements { queue.add(element, for: RecordIdentifier(model: model, key: RecordKey(key))) }
    }

    mutating func next() -> [Queue.Entry] { queue.next() ?? [] }

    @Test mutating func whatWaitsSharesACommitInTheOrderOfKeys() {
        add(1, at: "a")
        let first = next()
        #expect(first.map(\.element) == [1])
        add(2, at: "d")
        let second = next()
        #expect(second.map(\.element) == [2])
        add(3, at: "c")
        add(4, at: "b")
        add(5, at: "b", of: "B")
        add(6, at: "e")
        #expect(next().isEmpty, "two commits are in progress")
        #expect(queue.end(first).isEmpty)
        #expect(next().map(\.element) == [4, 3, 5], "no more than three records")
        #expect(queue.end(second).isEmpty)
        #expect(next().map(\.element) == [6])
        #expect(next().isEmpty)
    }

    @Test mutating func aRecordIsInOneCommitAtATime() {
        add(1, 2, at: "a")
        let first = next()
        #expect(first.map(\.element) == [1])
        add(3, at: "a")
        add(4, at: "a", of: "B")
        let second = next()
        #expect(second.map(\.element) == [4], "the same key of another model")
        #expect(queue.end(second).isEmpty)
        #expect(next().isEmpty)
        // They were decided before the record changed.
        #expect(queue.end(first).map(\.element) == [2, 3])
        add(5, at: "a")
        #expect(next().map(\.element) == [5])
    }
}
