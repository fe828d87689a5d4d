import HoldfastConformance
import HoldfastEngine
import HoldfastModel
import HoldfastStorage

extension Clause {
    static let engineQueries = [
        eng(
            "ENG-048", "A condition selects what following every relation and every part of an embedded value selects.",
            catches:
                "Null for an empty relation is dropped, JSON is compared as text, a list of keys loses its end.",
            witness: "records selected"
        ) { context in
            let store = try await context.openEngine()
            let shop = try await Shop.filled(store, seed: context.seed)
            for condition in Shop.conditions {
                let expected = shop.books.filter { condition.holds(shop, $0) }.map(\.id)
                let found = try await store.data.query(Bookshop.Book.self, where: condition.predicate).map(\.id)
                try context.expectEqual(found, expected, "the books where \(condition.text)")
                let others = QueryPredicateGroup(type: .not, predicates: [condition.predicate])
                try context.expectEqual(
                    try await store.data.count(Bookshop.Book.self, where: others), shop.books.count - expected.count,
                    "the count of the books not where \(condition.text)")
                context.witness(expected.count)
            }
        },
        eng(
            "ENG-049", "Conditions joined by and, or and not select what their parts do together.",
            catches: "A negation of nulls, or a group of one part, is taken for something else.",
            witness: "records selected"
        ) { context in
            var random = SplitMix64(seed: context.seed &+ 49)
            let store = try await context.openEngine()
            let shop = try await Shop.filled(store, seed: context.seed &+ 1)
            for _ in 0..<30 {
                let condition = Shop.joined(&random)
                let expected = shop.books.filter { condition.holds(shop, $0) }.map(\.id)
                let found = try await store.data.query(Bookshop.Book.self, where: condition.predicate).map(\.id)
                try context.expectEqual(found, expected, "the books where \(condition.text)")
                context.witness(expected.count)
            }
        },
        eng(
            "ENG-050", "A relation is compared with a record, by all fields of its key, and with null.",
            catches: "Half of a key matches.", witness: "records selected"
        ) { context in
            let store = try await context.openEngine()
            let shop = try await Shop.filled(store, seed: context.seed)
            let keys = Bookshop.Book.keys
            for shelf in shop.shelves {
                func isOn(_ book: Bookshop.Book) -> Bool {
                    shop.shelf(book).map { $0.room == shelf.room && $0.number == shelf.number } ?? false
                }
                for (predicate, isWanted) in [(keys.shelf == shelf, true), (keys.shelf != shelf, false)] {
                    let expected = shop.books.filter { isOn($0) == isWanted }.map(\.id)
                    let found = try await store.data.query(Bookshop.Book.self, where: predicate).map(\.id)
                    try context.expectEqual(found, expected, "the books on shelf \(shelf.room) \(shelf.number)")
                    context.witness(expected.count)
                }
            }
            for (predicate, isEmpty) in [(keys.shelf == nil, true), (keys.shelf != nil, false)] {
                let expected = shop.books.filter { (shop.shelf($0) == nil) == isEmpty }.map(\.id)
                let found = try await store.data.query(Bookshop.Book.self, where: predicate).map(\.id)
                try context.expectEqual(found, expected, "the books with an empty relation, or without")
            }
            let book = shop.books[0]
            let writers = try await store.data.query(Bookshop.Author.self, where: Bookshop.Author.keys.books == book)
            try context.expectEqual(writers.map(\.id), shop.author(book).map { [$0.id] } ?? [], "the author of a book")
        },
        eng(
            "ENG-051", "Aggregates are those of the matching records, also where the condition follows relations.",
            catches: "Nulls count as zero, an average is cut to an integer, or a join counts a record twice.",
            witness: "aggregates"
        ) { context in
            let store = try await context.openEngine()
            let shop = try await Shop.filled(store, seed: context.seed)
            let keys = Bookshop.Book.keys
            for condition in Shop.conditions + [Shop.Condition("nothing", field("title") == "none") { _, _ in false }] {
                let books = shop.books.filter { condition.holds(shop, $0) }
                let (pages, prices) = (books.compactMap(\.pages), books.compactMap(\.price))
                let (data, text, predicate) = (store.data, condition.text, condition.predicate)
                let sum: Int = try await data.sum(Bookshop.Book.self, of: keys.pages, where: predicate)
                try context.expectEqual(sum, pages.reduce(0, +), "the sum of pages where \(text)")
                let total: Double = try await data.sum(Bookshop.Book.self, of: keys.price, where: predicate)
                try context.expectEqual(total, prices.reduce(0, +), "the sum of prices where \(text)")
                let least: Int? = try await data.minimum(Bookshop.Book.self, of: keys.pages, where: predicate)
                try context.expectEqual(least, pages.min(), "the least pages where \(text)")
                let last: String? = try await data.maximum(Bookshop.Book.self, of: keys.title, where: predicate)
                try context.expectEqual(last, books.compactMap(\.title).max(), "the last title where \(text)")
                let mean = try await data.average(Bookshop.Book.self, of: keys.pages, where: predicate)
                try context.expectEqual(
                    mean, pages.isEmpty ? nil : Double(pages.reduce(0, +)) / Double(pages.count),
                    "the mean of pages where \(text)")
                context.witness(5)
            }
        },
        eng(
            "ENG-052", "Distinct values come once each, smallest first, null among them if it is asked for.",
            catches: "Values are distinct under a collation, or a run of one value hides the next.",
            witness: "distinct values"
        ) { context in
            let store = try await context.openEngine()
            let shop = try await Shop.filled(store, seed: context.seed)
            let keys = Bookshop.Book.keys
            for condition in Shop.conditions {
                let books = shop.books.filter { condition.holds(shop, $0) }
                let pages: [Int] = try await store.data.distinct(
                    Bookshop.Book.self, of: keys.pages, where: condition.predicate)
                try context.expectEqual(
                    pages, Set(books.compactMap(\.pages)).sorted(), "the distinct pages where \(condition.text)")
                let titles: [String?] = try await store.data.distinct(
                    Bookshop.Book.self, of: keys.title, where: condition.predicate)
                try context.expectEqual(
                    titles, (books.contains { $0.title == nil } ? [nil] : []) + Set(books.compactMap(\.title)).sorted(),
                    "the distinct titles where \(condition.text)")
                context.witness(pages.count + titles.count)
            }
            let few: [Int] = try await store.data.distinct(Bookshop.Book.self, of: keys.pages, limit: 2)
            try context.expectEqual(few, Array(Set(shop.books.compactMap(\.pages)).sorted().prefix(2)), "two values")
        },
        eng(
            "ENG-053", "A query of a field with an index follows every change of it.",
            catches: "The index keeps what was, or misses what came by an update.", witness: "records found"
        ) { context in
            var random = SplitMix64(seed: context.seed &+ 53)
            let store = try await context.openEngine(Bookshop.models, DataStoreOptions(recordsMutations: false))
            var pages: [String: Int?] = [:]
            for _ in 0..<12 {
                var batch: [Bookshop.Book] = []
                for _ in 0..<5 {
                    let id = "b\(random.below(14))"
                    if random.chance(25) {
                        try await store.data.delete(Bookshop.Book(id))
                        pages[id] = nil
                        batch.removeAll { $0.id == id }
                    } else {
                        batch.append(Bookshop.Book(id, pages: random.chance(20) ? nil : random.below(4)))
                    }
                }
                try await store.data.save(batch)
                for book in batch { pages[book.id] = .some(book.pages) }
                for value in [nil, 0, 1, 2, 3] as [Int?] {
                    let found = try await store.data.query(
                        Bookshop.Book.self, where: Bookshop.Book.keys.pages == value
                    ).map(\.id)
                    let expected = pages.filter { $0.value == value }.keys.sorted()
                    try context.expectEqual(found, expected, "the books of \(value.map(String.init) ?? "no") pages")
                    context.witness(found.count)
                }
                let most = try await store.data.query(
                    Bookshop.Book.self, where: Bookshop.Book.keys.pages > 1,
                    sort: .descending(Bookshop.Book.keys.pages)
                ).map(\.id)
                let expected = pages.compactMap { id, pages in pages.map { (id, $0) } }.filter { $0.1 > 1 }
                    .sorted { ($1.1, $0.0) < ($0.1, $1.0) }.map(\.0)
                try context.expectEqual(most, expected, "the books of many pages, most first")
            }
        },
    ]

    static let enginePages = [
        eng(
            "ENG-054",
            "Every page of a sort is that part of the whole order; equal records are in key order, nulls first.",
            catches: "Ties move between pages; nulls are where the back end puts them.", witness: "records on pages"
        ) { context in
            let store = try await context.openEngine()
            let shop = try await Shop.filled(store, seed: context.seed)
            for sort in Shop.ownSorts {
                for condition in [nil, Shop.conditions[1], Shop.conditions[14]] as [Shop.Condition?] {
                    let whole = shop.sorted(sort, condition)
                    for limit in [1, 4, 17, 18, 19] as [UInt] {
                        var seen: [String] = []
                        for page in 0...(18 / limit) {
                            seen += try await store.data.query(
                                Bookshop.Book.self, where: condition?.predicate, sort: sort.input,
                                paginate: .page(page, limit: limit)
                            ).map(\.id)
                        }
                        try context.expectEqual(
                            seen, whole, "pages of \(limit) where \(condition?.text ?? "all") by \(sort.text)")
                        context.witness(seen.count)
                    }
                }
            }
        },
        eng(
            "ENG-055", "Pages that begin after the last record of the page before are together the whole query.",
            catches: "Cursors compare otherwise than the sort, or stumble over nulls and ties.",
            witness: "records on pages"
        ) { context in
            let store = try await context.openEngine()
            let shop = try await Shop.filled(store, seed: context.seed)
            for sort in [Shop.Sort()] + Shop.ownSorts {
                for condition in [nil, Shop.conditions[1], Shop.conditions[16]] as [Shop.Condition?] {
                    let whole = shop.sorted(sort, condition)
                    for limit in [1, 3, 18] {
                        var seen: [String] = []
                        var last: Bookshop.Book?
                        repeat {
                            let page = try await store.data.query(
                                Bookshop.Book.self, where: condition?.predicate,
                                sort: sort.criteria.isEmpty ? nil : sort.input, after: last, limit: limit)
                            seen += page.map(\.id)
                            last = page.last
                        } while last != nil && seen.count <= whole.count
                        try context.expectEqual(
                            seen, whole, "cursor pages of \(limit) where \(condition?.text ?? "all") by \(sort.text)")
                        context.witness(seen.count)
                    }
                }
            }
        },
        eng(
            "ENG-056",
            "Records that are not changed are on exactly one page each, whatever is written between the pages.",
            catches: "Pages by offset skip and repeat when records come and go before them.", witness: "pages"
        ) { context in
            let store = try await context.openEngine(Bookshop.models, DataStoreOptions(recordsMutations: false))
            var random = SplitMix64(seed: context.seed &+ 56)
            let stable = (0..<40).map { Bookshop.Book("s\(10 + $0)", pages: $0 % 4) }
            try await store.data.save(stable)
            let expected = (0..<4).reversed().flatMap { pages in stable.filter { $0.pages == pages }.map(\.id) }
            var seen: [String] = []
            var last: Bookshop.Book?
            repeat {
                let page = try await store.data.query(
                    Bookshop.Book.self, sort: .descending(Bookshop.Book.keys.pages), after: last, limit: 7)
                seen += page.map(\.id)
                last = page.last
                let others = (0..<4).map { _ in
                    Bookshop.Book(random.pick(["a", "t"]) + "\(random.below(6))", pages: random.below(4))
                }
                try await store.data.save(others)
                if random.chance(50) { try await store.data.delete(others[0]) }
                context.witness()
            } while last != nil && seen.count < 400
            try context.expectEqual(
                seen.filter { $0.hasPrefix("s") }, expected, "the untouched records on all pages")
        },
        eng(
            "ENG-057", "A sort by related records, or by a part of an embedded value, is the same on every page.",
            catches: "Each page is sorted by itself.", witness: "records on pages"
        ) { context in
            let store = try await context.openEngine()
            let shop = try await Shop.filled(store, seed: context.seed)
            for sort in Shop.relatedSorts {
                for condition in [nil, Shop.conditions[22]] as [Shop.Condition?] {
                    let whole = shop.sorted(sort, condition)
                    let all = try await store.data.query(
                        Bookshop.Book.self, where: condition?.predicate, sort: sort.input)
                    try context.expectEqual(
                        all.map(\.id), whole, "the books where \(condition?.text ?? "all") by \(sort.text)")
                    var (seen, behind): ([String], [String]) = ([], [])
                    var last: Bookshop.Book?
                    for page in 0...(whole.count / 5) {
                        seen += try await store.data.query(
                            Bookshop.Book.self, where: condition?.predicate, sort: sort.input,
                            paginate: .page(UInt(page), limit: 5)
                        ).map(\.id)
                        let next = try await store.data.query(
                            Bookshop.Book.self, where: condition?.predicate, sort: sort.input, after: last, limit: 5)
                        behind += next.map(\.id)
                        last = next.last ?? last
                    }
                    try context.expectEqual(seen, whole, "pages by offset by \(sort.text)")
                    try context.expectEqual(behind, whole, "pages by cursor by \(sort.text)")
                    context.witness(whole.count)
                }
            }
        },
        eng(
            "ENG-058", "A stream delivers what was there when it began, in order, while others write.",
            catches: "Batches come from different moments.", witness: "records streamed"
        ) { context in
            let store = try await context.openEngine(Bookshop.models, DataStoreOptions(recordsMutations: false))
            let books = Bookshop.books(1_200, pages: 1)
            try await store.data.save(books)
            var stream = try store.data.stream(Bookshop.Book.self, sort: .descending(Bookshop.Book.keys.title))
                .makeAsyncIterator()
            var seen: [String] = []
            var pages: Set<Int?> = []
            while let book = try await stream.next() {
                if seen.isEmpty {
                    try await store.data.save(books.map { Bookshop.Book($0.id, title: "T", pages: 2) })
                    try await store.data.delete(Bookshop.Book.self, where: Bookshop.Book.keys.id > "b10600")
                    context.witness()
                }
                seen.append(book.id)
                pages.insert(book.pages)
            }
            let expected = books.sorted { ($1.title ?? "", $0.id) < ($0.title ?? "", $1.id) }.map(\.id)
            try context.expectEqual(seen, expected, "the records of the stream")
            try context.expectEqual(pages, [1], "the moments from which they are")
            try context.expectEqual(try await store.data.count(Bookshop.Book.self), 601, "the records afterwards")
        },
    ]
}
