#if PostgreSQL
import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastStorage
import HoldfastTestSupport
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

extension PostgreSQLSuite {
    @Suite struct ConnectionTests {
        /// Connections that a moment of load needs serve the next one, though fewer are kept without use.
        @Test func connectionsOfAMomentAreThereForTheNext() async throws {
            let schema = TestSchema()
            let store = try await schema.open(note)
            /// The sum of the numbers of the server's processes that six snapshots have.
            func processes() async throws -> Int64 {
                let snapshots = try await withThrowingTaskGroup(of: StoreSnapshot.self) { group in
                    for _ in 0..<6 { group.addTask { try await store.snapshot() } }
                    return try await group.reduce(into: [StoreSnapshot]()) { $0.append($1) }
                }
                let sum = try await Session().integer(
                    """
                    SELECT sum(DISTINCT pid) FROM pg_locks
                    WHERE relation = '"\(schema.name)".holdfast_commit'::regclass;
                    """)
                for snapshot in snapshots { await snapshot.close() }
                return sum
            }
            let first = try await processes()
            for _ in 0..<3 { #expect(try await processes() == first) }
            try await store.close()
        }
    }
}
#endif
