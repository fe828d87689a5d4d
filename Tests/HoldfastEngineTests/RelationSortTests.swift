import HoldfastModel
import HoldfastStorage
import Testing

@testable import HoldfastEngine

/// Sorts along paths, against a sort of all records by the values found by following every relation.
@Suite struct RelationSortTests {
    struct Criterion {
        let path: String
        let isDescending: Bool

        var input: QuerySortBy { isDescending ? .descending(path) : .ascending(path) }
    }

    static let sorts: [[Criterion]] = [
        [Criterion(path: "author.name", isDescending: false)],
        [Criterion(path: "author.born", isDescending: true)],
        [Criterion(path: "author.profile.bio", isDescending: false), Criterion(path: "id", isDescending: true)],
        [Criterion(path: "shelf.label", isDescending: true), Criterion(path: "pages", isDescending: false)],
        [Criterion(path: "pages", isDescending: true), Criterion(path: "author.name", isDescending: false)],
    ]

    func sorted(_ library: Library, _ indexes: [Int], by sort: [Criterion]) -> [String] {
        let ordered = indexes.sorted { left, right in
            for criterion in sort {
                let path = criterion.path.split(separator: ".").map(String.init)
                let ordering = ValueOrder.compare(library.value(left, path), library.value(right, path))
                if ordering != .equal { return (ordering == .ascending) != criterion.isDescending }
            }
            return library.nodes[left].id < library.nodes[right].id
        }
        return ordered.map { library.nodes[$0].id }
    }

    @Test(arguments: EngineAdapter.all, [Int.max, 0])
    func everyPageIsThatOfTheWholeOrder(adapter: EngineAdapter, limit: Int) async throws {
        let library = try await Library(adapter, relatedKeyLimit: limit)
        let predicate = field("shelf.label") != "t0"
        let indexes = library.nodes(of: "Book").filter { index in
            library.passes(index, ["shelf", "label"]) { $0.string != "t0" }
        }
        for criteria in Self.sorts {
            let sort = QuerySortInput(criteria.map(\.input))
            let expected = sorted(library, indexes, by: criteria)
            let store = library.store
            #expect(try await store.query(Book.self, where: predicate, sort: sort).map(\.id) == expected)
            for size in 1...4 as ClosedRange<UInt> {
                var pages: [String] = []
                for page in 0..<20 as Range<UInt> {
                    let input = QueryPaginationInput.page(page, limit: size)
                    let found = try await store.query(Book.self, where: predicate, sort: sort, paginate: input)
                    #expect(found.count <= size)
                    pages += found.map(\.id)
                }
                #expect(pages == expected)
                var followed: [String] = []
                var last: Book?
                repeat {
                    let page = try await store.query(
                        Book.self, where: predicate, sort: sort, after: last, limit: Int(size))
                    followed += page.map(\.id)
                    last = page.last
                } while last != nil
                #expect(followed == expected)
            }
            var streamed: [String] = []
            for try await book in try store.stream(Book.self, where: predicate, sort: sort) { streamed.append(book.id) }
            #expect(streamed == expected)
        }
    }

    @Test(arguments: EngineAdapter.all, [Int.max, 0])
    func pagesOfAPredicateAcrossRelationsNeitherOverlapNorSkip(adapter: EngineAdapter, limit: Int) async throws {
        let library = try await Library(adapter, relatedKeyLimit: limit)
        let store = library.store
        let predicate = field("author.born") != 1
        let all = try await store.query(Book.self, where: predicate, sort: .descending(Book.keys.pages)).map(\.id)
        var (paged, followed): ([String], [String]) = ([], [])
        for page in 0..<10 as Range<UInt> {
            paged += try await store.query(
                Book.self, where: predicate, sort: .descending(Book.keys.pages), paginate: .page(page, limit: 3)
            ).map(\.id)
        }
        var last: Book?
        repeat {
            let page = try await store.query(
                Book.self, where: predicate, sort: .descending(Book.keys.pages), after: last, limit: 3)
            followed += page.map(\.id)
            last = page.last
        } while last != nil
        #expect(all.count > 3 && paged == all && followed == all)
        #expect(try await store.query(Book.self, where: predicate, paginate: .page(0, limit: 0)).isEmpty)
        await #expect(throws: StorageError.self) {
            try await store.query(Book.self, where: predicate, after: nil, limit: -1)
        }
        await #expect(throws: StorageError.self) {
            try await store.query(Book.self, sort: .ascending("author.name"), after: nil, limit: -1)
        }
    }

    @Test(arguments: EngineAdapter.all)
    func aTypedPathSortsAsItsNameDoes(adapter: EngineAdapter) async throws {
        let library = try await Library(adapter)
        let typed = try await library.store.query(Book.self, sort: .descending(Book.path.author.name)).map(\.id)
        #expect(
            typed
                == sorted(library, library.nodes(of: "Book"), by: [Criterion(path: "author.name", isDescending: true)]))
    }

    @Test(arguments: EngineAdapter.all)
    func whatHasNoOneValueCannotBeSortedBy(adapter: EngineAdapter) async throws {
        let library = try await Library(adapter)
        for path in ["reviews.stars", "author.books.pages", "author.nothing", "author.books", "nothing.name"] {
            await #expect(throws: ModelError.self, "\(path)") {
                try await library.store.query(Book.self, sort: .ascending(path))
            }
        }
    }
}
