import Testing

@testable import HoldfastSync

@Suite struct FoldTests {
    private func fold(_ changes: [RemoteChange<String>]) -> [String] {
        var fold = ChangeFold<String>()
        for change in changes { fold.add(change, limit: 10) }
        return fold.take(10).map(\.content)
    }

    /// All orders of a list.
    private func orders<Element>(_ list: [Element]) -> [[Element]] {
        guard list.count > 1 else { return [list] }
        return list.indices.flatMap { index in
            var rest = list
            let first = rest.remove(at: index)
            return orders(rest).map { [first] + $0 }
        }
    }

    @Test(arguments: [
        // Two versions and a repetition.
        ([change("a", 1, at: 10), change("a", 2, at: 20), change("a", 2, at: 20)], ["a@2"]),
        // A life, its end, and another life with two versions.
        (
            [
                change("a", 6, at: 40), change("a", 7, at: 50, deleted: true), change("a", 1, at: 90),
                change("a", 2, at: 95),
            ], ["a@7", "a@2"]
        ),
        // The end of the second life comes too.
        (
            [
                change("a", 7, at: 50, deleted: true), change("a", 1, at: 90), change("a", 2, at: 95, deleted: true),
            ], ["a@7", "a@2"]
        ),
    ]) func theResultDoesNotDependOnTheOrderOfArrival(changes: [RemoteChange<String>], result: [String]) {
        for order in orders(changes) { #expect(fold(order) == result) }
    }

    @Test func beyondTheLimitItReportsAGap() {
        var fold = ChangeFold<String>()
        fold.add(change("a", 1, at: 1), limit: 1)
        fold.add(change("a", 2, at: 2), limit: 1)
        #expect(!fold.isIncomplete)
        fold.add(change("b", 1, at: 3), limit: 1)
        #expect(fold.isIncomplete)
        #expect(fold.take(10).map(\.content) == ["a@2"])
        #expect(fold.isEmpty && !fold.isIncomplete)
    }

    @Test func theFirstRecordsAreTakenFirst() {
        var fold = ChangeFold<String>()
        for key in ["b", "a", "c"] { fold.add(change(key, 1, at: 1), limit: 10) }
        #expect(fold.take(2).map(\.content) == ["b@1", "a@1"])
        fold.add(change("b", 2, at: 2), limit: 10)
        #expect(fold.take(2).map(\.content) == ["c@1", "b@2"])
        #expect(fold.isEmpty)
    }

    @Test func delaysGrowToTheirLimitAndKeepToTheirBounds() {
        #expect((0..<11).map { Backoff.longest($0) }.map { $0 / .milliseconds(200) }.prefix(4) == [1, 2, 4, 8])
        #expect(Backoff.longest(9) == .seconds(60))
        #expect(Backoff.longest(.max) == .seconds(60))
        var backoff = Backoff(seed: 3)
        var largest = Duration.zero
        for _ in 0..<1_000 {
            let delay = backoff.delay(3)
            #expect(delay >= .zero && delay <= .milliseconds(1_600))
            largest = max(largest, delay)
        }
        #expect(largest > .milliseconds(1_500))
        #expect(backoff.delay(0, atLeast: .seconds(7)) == .seconds(7))
    }
}
