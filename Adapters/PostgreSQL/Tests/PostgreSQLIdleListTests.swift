#if PostgreSQL
import Testing

@testable import HoldfastPostgreSQL

@Suite struct PostgreSQLIdleListTests {
    private var list = PostgreSQLIdleList<Int>()

    private mutating func take(_ count: Int) -> [Int] { (0..<count).compactMap { _ in list.take() } }
    private mutating func beginsWatch(above kept: Int) -> Bool { list.beginWatch(above: kept) }
    private mutating func surplus(above kept: Int) -> [Int] { list.takeSurplus(above: kept) }
    private mutating func all() -> [Int] { list.takeAll() }

    @Test mutating func whatWasNotUsedDuringAWatchIsSurplus() {
        for number in 1...2 { list.put(number) }
        #expect(!beginsWatch(above: 2), "no more than are kept")
        for number in 3...6 { list.put(number) }
        #expect(beginsWatch(above: 2))
        #expect(!beginsWatch(above: 2), "it is being watched")
        // Two are used in turns.
        for _ in 0..<3 {
            let taken = take(2)
            #expect(Set(taken) == [5, 6])
            for number in taken { list.put(number) }
        }
        #expect(surplus(above: 2) == [1, 2], "two of four that were not used")
        #expect(beginsWatch(above: 2))
        #expect(Set(take(4)) == [3, 4, 5, 6])
        for number in 3...6 { list.put(number) }
        #expect(surplus(above: 2) == [], "all were in use at once")
        #expect(Set(all()) == [3, 4, 5, 6])
        #expect(take(1) == [])
    }

    @Test mutating func whatIsTakenAwayDuringAWatchIsNotSurplus() {
        for number in 1...6 { list.put(number) }
        #expect(beginsWatch(above: 0))
        #expect(all().count == 6)
        for number in 7...8 { list.put(number) }
        #expect(surplus(above: 0) == [])
        #expect(take(1) == [8])
    }
}
#endif
