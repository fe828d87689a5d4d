import HoldfastConformance
import HoldfastInMemory
import HoldfastStorage
import Testing

@Suite struct InMemoryQueryTests {
    let posts = Posts()

    private func rows(_ random: inout SplitMix64, count: Int = 300) -> [[Value]] {
        (0..<count).map { number in
            posts.row(
                "p\(number)", author: ["", "a", "ab", "b", nil][Int.random(in: 0..<5, using: &random)],
                rank: Int.random(in: 0..<6, using: &random) == 0 ? nil : Int64.random(in: -3...3, using: &random),
                alias: number % 2 == 0 ? nil : "a\(number)", score: Double(number % 7) / 2)
        }
    }

    @Test(arguments: 1...6) func queriesAgreeWithTheReferenceWithAndWithoutIndexes(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let put = CommitRequest(operations: [
            .put(entity: "Post", rows: posts.buffer(rows(&random)), mode: .insert)
        ])
        let indexed = try await posts.open()
        let plain = try await posts.open(indexes: [])
        var reference = ReferenceStore(schema: indexed.schema)
        _ = try await indexed.commit(put)
        _ = try await plain.commit(put)
        _ = try reference.commit(put)
        let fields = Posts.fields.map(\.name)
        for _ in 0..<80 {
            let sort = fields.shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random)).map {
                SortKey($0, Bool.random(using: &random) ? .ascending : .descending)
            }
            var plan = QueryPlan("Post", where: predicate(&random), sort: sort)
            if Bool.random(using: &random) { plan.limit = Int.random(in: 0..<40, using: &random) }
            if Bool.random(using: &random) { plan.offset = Int.random(in: 0..<20, using: &random) }
            if Bool.random(using: &random) { plan.projection = Array(fields.shuffled(using: &random).prefix(2)) }
            let expected = reference.query(try indexed.schema.bind(plan)).map(\.row)
            let batch = Int.random(in: 1..<50, using: &random)
            #expect(try await indexed.results(plan, batch: batch) == expected, "\(plan)")
            #expect(try await plain.results(plan, batch: batch) == expected, "\(plan)")
            let aggregate = AggregatePlan(
                "Post", where: plan.predicate,
                [.count, .sum("rank"), .minimum("author"), .maximum("alias"), .average("score")])
            let aggregates = try reference.aggregate(try indexed.schema.bind(aggregate))
            #expect(try await plain.snapshot().aggregate(aggregate) == aggregates)
            let indexedAggregates = try await indexed.snapshot().aggregate(aggregate)
            #expect(indexedAggregates.prefix(4) == aggregates.prefix(4))  // A mean depends on the order of addition.
        }
    }

    @Test(arguments: [
        [], [SortKey("rank", .descending)], [SortKey("author"), SortKey("rank", .descending)],
        [SortKey("score", .descending), SortKey("id", .descending)], [SortKey("id", .descending)],
    ])
    func pagesByCursorNeitherOverlapNorSkip(sort: [SortKey]) async throws {
        var random = SplitMix64(seed: 11)
        let store = try await posts.open()
        _ = try await store.commit(
            CommitRequest(operations: [.put(entity: "Post", rows: posts.buffer(rows(&random)), mode: .insert)]))
        let entity = try store.schema.entity(named: "Post")
        for predicate in [Predicate.all, .compare("rank", .greaterOrEqual, .integer(0))] {
            let whole = try await store.results(QueryPlan("Post", where: predicate, sort: sort))
            var paged: [[Value]] = []
            var cursor: Cursor?
            while true {
                let page = try await store.results(
                    QueryPlan("Post", where: predicate, sort: sort, limit: 7, after: cursor))
                paged += page
                guard let last = page.last else { break }
                cursor = Cursor(after: last, of: entity, sortedBy: sort)
            }
            #expect(paged == whole)
        }
    }

    @Test func aSparseQueryOverManyRecordsIsComplete() async throws {
        let store = try await posts.open(indexes: [])
        let rows = (0..<20_000).map { posts.row("k\($0)", rank: Int64($0)) }
        _ = try await store.commit(
            CommitRequest(operations: [.put(entity: "Post", rows: posts.buffer(rows), mode: .insert)]))
        let plan = QueryPlan("Post", where: .isIn("rank", [.integer(3), .integer(19_999)]))
        #expect(try await store.results(plan).count == 2)
        #expect(try await store.snapshot().aggregate(AggregatePlan("Post", [.sum("rank")])) == [.integer(199_990_000)])
    }

    @Test func anIntegerSumBeyond64BitsIsRefused() async throws {
        let store = try await posts.open()
        _ = try await store.put(posts.row("a", rank: .max), posts.row("b", rank: 1))
        await #expect(throws: StorageError(.unrepresentable, "")) {
            try await store.snapshot().aggregate(AggregatePlan("Post", [.sum("rank")]))
        }
    }

    @Test func aCancelledTaskStopsReadingAndCommitsNothing() async throws {
        let store = try await posts.open(indexes: [])
        let adapter = InMemoryAdapter()
        try await adapter.open(OpenRequest(schema: store.schema))
        let put = WriteOperation.put(entity: "Post", rows: posts.buffer(posts.row("a")), mode: .upsert)
        let snapshot = try await adapter.snapshot()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await #expect(throws: StorageError(.cancelled, "")) {
                try await adapter.commit(CommitRequest(operations: [put]))
            }
            await #expect(throws: StorageError(.cancelled, "")) {
                var scan = try await snapshot.scan(KeyRange("Post"))
                var rows = RowBuffer()
                try await scan.next(maximumRowCount: 1, into: &rows)
            }
        }
        await task.value
        #expect(try await adapter.snapshot().sequence == 0)
    }

    private func predicate(_ random: inout SplitMix64) -> Predicate {
        let comparison = Predicate.Comparison.allCases.randomElement(using: &random) ?? .equal
        let rank = Value.integer(Int64.random(in: -3...3, using: &random))
        switch Int.random(in: 0..<9, using: &random) {
        case 0: return .all
        case 1: return .compare("rank", comparison, Bool.random(using: &random) ? rank : .null)
        case 2: return .compare("author", comparison, .text("ab"))
        case 3: return .beginsWith("author", "a")
        case 4: return .isIn("rank", [rank, .null, .integer(2)])
        case 5: return .isIn("id", (0..<5).map { _ in .text("p\(Int.random(in: 0..<400, using: &random))") })
        case 6: return .not(predicate(&random))
        case 7: return .or([predicate(&random), predicate(&random)])
        default: return .and([predicate(&random), predicate(&random)])
        }
    }
}
