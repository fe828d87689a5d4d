import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite struct QueryPlanTests {
    @Test func aPlanWithoutAnythingAsksForAllRecords() throws {
        #expect(try Post.schema.plan() == QueryPlan("Post"))
    }

    @Test func sortsAreLoweredInTheirOrder() throws {
        let keys = Post.keys
        #expect(try Post.schema.plan(sort: .ascending(keys.title)).sort == [SortKey("title")])
        #expect(try Post.schema.plan(sort: .descending(keys.title)).sort == [SortKey("title", .descending)])
        #expect(
            try Post.schema.plan(sort: .by(.descending(keys.rating), .ascending(keys.title))).sort
                == [SortKey("rating", .descending), SortKey("title")])
        #expect(try Post.schema.plan(sort: .by()).sort.isEmpty)
    }

    @Test func aSortByARelationSortsByItsKey() throws {
        #expect(try Post.schema.plan(sort: .descending(Post.keys.blog)).sort == [SortKey("blogID", .descending)])
        #expect(
            try OrderLine.schema.plan(sort: .ascending(OrderLine.keys.order)).sort
                == [SortKey("orderShop"), SortKey("orderNumber")])
    }

    @Test func aSortByARelationWithoutColumnsIsRefusedInsteadOfIgnored() {
        #expect(throws: ModelError.self) { try Blog.schema.plan(sort: .ascending(Blog.keys.posts)) }
    }

    @Test(
        arguments: [
            (.page(0, limit: 3), 0, 3), (.page(4, limit: 3), 12, 3), (.firstPage, 0, 100), (.firstResult, 0, 1),
            (.page(2), 200, 100), (.page(7, limit: 0), 0, 0), (.page(.max, limit: 0), 0, 0),
            (.page(0, limit: UInt(Int.max)), 0, Int.max), (.page(UInt(Int.max), limit: 1), Int.max, 1),
        ] as [(QueryPaginationInput, Int, Int)])
    func aPageBecomesOffsetAndLimit(page: QueryPaginationInput, offset: Int, limit: Int) throws {
        let plan = try Post.schema.plan(paginate: page)
        #expect(plan.offset == offset)
        #expect(plan.limit == limit)
    }

    @Test(
        arguments: [
            .page(0, limit: .max), .page(.max, limit: 1), .page(.max, limit: .max), .page(1 << 40, limit: 1 << 40),
            .page(UInt(Int.max), limit: 2),
        ] as [QueryPaginationInput])
    func aPageBeyondAllNumbersIsAMisuse(page: QueryPaginationInput) {
        #expect { try Post.schema.plan(paginate: page) } throws: { ($0 as? StorageError)?.kind == .misuse }
    }
}
