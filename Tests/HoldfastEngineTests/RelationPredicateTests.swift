import HoldfastAdapterTestSupport
import HoldfastModel
import HoldfastStorage
import Testing

@testable import HoldfastEngine

/// Predicates along paths, against an evaluation that follows every relation.
@Suite struct RelationPredicateTests {
    struct Case {
        let predicate: any QueryPredicate
        let holds: (Library, Int) -> Bool
    }

    /// Every path by the model it begins at.
    static let paths: [(model: String, paths: [String])] = [
        (
            "Author",
            ["name", "born", "profile.bio", "books.title", "books.pages", "books.reviews.stars", "books.shelf.label"]
        ),
        ("Profile", ["author.born", "author.books.title", "author.books.reviews.stars"]),
        ("Shelf", ["books.title", "books.author.name", "books.author.profile.bio"]),
        (
            "Book",
            [
                "title", "author.name", "author.born", "author.profile.bio", "shelf.label", "shelf.number",
                "reviews.stars", "author.books.pages", "reviews.book.author.born",
            ]
        ),
        ("Review", ["book.title", "book.author.born", "book.author.profile.bio", "book.shelf.label"]),
    ]

    static func cases(_ path: String) -> [Case] {
        let name = field(path)
        let isNumber = ["born", "pages", "stars", "number"].contains { path.hasSuffix($0) }
        func make(_ predicate: QueryPredicateOperation, _ test: @escaping (Value) -> Bool) -> Case {
            Case(predicate: predicate) { $0.passes($1, path.split(separator: ".").map(String.init)[...], test) }
        }
        var cases = [
            make(name.eq(nil)) { $0.isNull }, make(name.ne(nil)) { !$0.isNull },
            make(name.attributeExists(true)) { !$0.isNull }, make(name.attributeExists(false)) { $0.isNull },
        ]
        if isNumber {
            cases += [
                make(name == 1) { $0.int == 1 }, make(name != 1) { $0.int != 1 },
                make(name < 1) { $0.int.map { $0 < 1 } ?? false }, make(name <= 1) { $0.int.map { $0 <= 1 } ?? false },
                make(name > 1) { $0.int.map { $0 > 1 } ?? false }, make(name >= 1) { $0.int.map { $0 >= 1 } ?? false },
                make(name.between(start: 1, end: 2)) { $0.int.map { (1...2).contains($0) } ?? false },
            ]
        } else {
            let letter = path.hasSuffix("name") ? "n" : "t"
            cases += [
                make(name == "\(letter)1") { $0.string == "\(letter)1" },
                make(name != "\(letter)1") { $0.string != "\(letter)1" },
                make(name > "\(letter)0") { $0.string.map { $0 > "\(letter)0" } ?? false },
                make(name.beginsWith(letter)) { $0.string?.hasPrefix(letter) ?? false },
                make(name.contains("1")) { $0.string?.contains("1") ?? false },
                make(name.notContains("1")) { !($0.string?.contains("1") ?? false) },
            ]
        }
        return cases
    }

    func ids<M: Model>(_ type: M.Type, _ library: Library, _ predicate: any QueryPredicate) async throws -> [String] {
        try await library.store.query(type, where: predicate).map { model in
            try model.recordKey().components.map { $0.string ?? "\($0.int ?? 0)" }.joined(separator: "#")
        }
    }

    func check(_ model: String, _ library: Library, _ cases: [Case]) async throws {
        for one in cases {
            let expected = library.nodes(of: model).filter { one.holds(library, $0) }.map { library.nodes[$0].id }
            let found: ([String], Int) =
                switch model {
                case "Author":
                    (
                        try await ids(Author.self, library, one.predicate),
                        try await library.store.count(Author.self, where: one.predicate)
                    )
                case "Profile":
                    (
                        try await ids(Profile.self, library, one.predicate),
                        try await library.store.count(Profile.self, where: one.predicate)
                    )
                case "Shelf":
                    (
                        try await ids(Shelf.self, library, one.predicate),
                        try await library.store.count(Shelf.self, where: one.predicate)
                    )
                case "Review":
                    (
                        try await ids(Review.self, library, one.predicate),
                        try await library.store.count(Review.self, where: one.predicate)
                    )
                default:
                    (
                        try await ids(Book.self, library, one.predicate),
                        try await library.store.count(Book.self, where: one.predicate)
                    )
                }
            let text = (one.predicate as? QueryPredicateOperation).map { "\($0.field) \($0.operator)" } ?? "group"
            #expect(found.0 == expected, "\(model): \(text)")
            #expect(found.1 == expected.count, "\(model): \(text)")
        }
    }

    @Test(arguments: EngineAdapter.all, [Int.max, 2, 0])
    func everyOperatorAtEveryDepthSelectsWhatFollowingTheRelationsDoes(
        adapter: EngineAdapter, limit: Int
    ) async throws {
        let library = try await Library(adapter, relatedKeyLimit: limit)
        for (model, paths) in Self.paths {
            for path in paths { try await check(model, library, Self.cases(path)) }
        }
    }

    @Test(arguments: EngineAdapter.all, [Int.max, 3, 0])
    func randomGroupsSelectWhatFollowingTheRelationsDoes(adapter: EngineAdapter, limit: Int) async throws {
        for seed in 2..<5 as Range<UInt64> {
            let library = try await Library(adapter, seed: seed, relatedKeyLimit: limit)
            var random = library.random
            func group(_ leaves: [Case], depth: Int) -> Case {
                if depth == 0 { return leaves.randomElement(using: &random) ?? leaves[0] }
                let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in group(leaves, depth: depth - 1) }
                let predicates = parts.map(\.predicate)
                switch Int.random(in: 0..<3, using: &random) {
                case 0:
                    return Case(predicate: QueryPredicateGroup(type: .and, predicates: predicates)) { library, node in
                        parts.allSatisfy { $0.holds(library, node) }
                    }
                case 1:
                    return Case(predicate: QueryPredicateGroup(type: .or, predicates: predicates)) { library, node in
                        parts.contains { $0.holds(library, node) }
                    }
                default:
                    return Case(predicate: QueryPredicateGroup(type: .not, predicates: predicates)) { library, node in
                        !parts.contains { $0.holds(library, node) }
                    }
                }
            }
            for (model, paths) in Self.paths {
                let leaves = paths.flatMap(Self.cases)
                try await check(model, library, (0..<12).map { _ in group(leaves, depth: 2) })
            }
        }
    }

    @Test(arguments: EngineAdapter.all, [Int.max, 0])
    func aRelationIsComparedWithARecord(adapter: EngineAdapter, limit: Int) async throws {
        let library = try await Library(adapter, relatedKeyLimit: limit)
        let shelves = try await library.store.query(Shelf.self)
        let authors = try await library.store.query(Author.self)
        func isOn(_ shelf: Shelf) -> (Library, Int) -> Bool {
            { library, node in
                library.nodes[node].one["shelf"].map { library.nodes[$0].id } == "\(shelf.room)#\(shelf.number)"
            }
        }
        for shelf in shelves {
            let identifier = ModelIdentifier<Shelf, ModelIdentifierFormat.Custom>.make(
                fields: (name: "number", value: shelf.number), (name: "room", value: shelf.room))
            try await check(
                "Book", library,
                [
                    Case(predicate: Book.keys.shelf == shelf, holds: isOn(shelf)),
                    Case(predicate: Book.keys.shelf != shelf) { !isOn(shelf)($0, $1) },
                    Case(predicate: not(Book.keys.shelf.ne(shelf)), holds: isOn(shelf)),
                    Case(predicate: Book.keys.shelf.eq(identifier), holds: isOn(shelf)),
                    Case(predicate: Book.keys.shelf.ne(identifier)) { !isOn(shelf)($0, $1) },
                    Case(predicate: Book.keys.shelf == nil) { $0.nodes[$1].one["shelf"] == nil },
                    Case(predicate: Book.keys.shelf != nil) { $0.nodes[$1].one["shelf"] != nil },
                    Case(predicate: Book.keys.shelf.attributeExists(false)) { $0.nodes[$1].one["shelf"] == nil },
                ])
            try await check(
                "Review", library,
                [
                    Case(predicate: field("book.shelf") == shelf) { library, node in
                        library.nodes[node].one["book"].map { isOn(shelf)(library, $0) } ?? false
                    },
                    Case(predicate: field("book.shelf") != shelf) { library, node in
                        !(library.nodes[node].one["book"].map { isOn(shelf)(library, $0) } ?? false)
                    },
                ])
        }
        for author in authors {
            try await check(
                "Book", library,
                [
                    Case(predicate: Book.path.author == author) {
                        $0.nodes[$1].fields["authorId"]?.string == author.id
                    },
                    Case(predicate: Book.path.author != author) {
                        $0.nodes[$1].fields["authorId"]?.string != author.id
                    },
                    Case(predicate: Book.keys.author.eq(author.id)) {
                        $0.nodes[$1].fields["authorId"]?.string == author.id
                    },
                ])
        }
        let book = try #require(try await library.store.query(Book.self, byId: "c"))
        let profile = try #require(try await library.store.query(Profile.self, byId: "p1"))
        try await check(
            "Author", library,
            [
                Case(predicate: Author.keys.books == book) { library, node in
                    library.nodes[node].many["books"]?.contains { library.nodes[$0].id == "c" } ?? false
                },
                Case(predicate: Author.keys.books != book) { library, node in
                    library.nodes[node].many["books"]?.contains { library.nodes[$0].id != "c" } ?? false
                },
                Case(predicate: Author.keys.books == nil) { $0.nodes[$1].many["books"] == nil },
                Case(predicate: Author.keys.books.attributeExists(true)) { $0.nodes[$1].many["books"] != nil },
                Case(predicate: Author.keys.profile == profile) { $0.nodes[$1].id == "a1" },
                Case(predicate: Author.keys.profile != profile) { $0.nodes[$1].id != "a1" },
                Case(predicate: Author.keys.profile == nil) { $0.nodes[$1].one["profile"] == nil },
            ])
        try await check(
            "Book", library,
            [
                Case(predicate: field("author.books") != book) { library, node in
                    library.nodes[node].one["author"].flatMap { library.nodes[$0].many["books"] }?
                        .contains { library.nodes[$0].id != "c" } ?? false
                },
                Case(predicate: field("author.books") == nil) { $0.nodes[$1].one["author"] == nil },
            ])
    }

    @Test(arguments: EngineAdapter.all)
    func typedPathsNameTheSameFields(adapter: EngineAdapter) async throws {
        let library = try await Library(adapter)
        #expect(Book.path.author.name.fieldName == "author.name")
        let typed: any QueryPredicate = Book.path.author.name == "n1" && Book.path.reviews.stars > 1
        let named: any QueryPredicate = field("author.name") == "n1" && field("reviews.stars") > 1
        #expect(try await ids(Book.self, library, typed) == ids(Book.self, library, named))
        #expect(try await ids(Book.self, library, Book.path.author.profile.bio == nil).count > 0)
    }

    @Test(arguments: EngineAdapter.all)
    func pathsThatAreNoneAreRefused(adapter: EngineAdapter) async throws {
        let library = try await Library(adapter)
        for path in ["title.name", "nothing.name", "author..name", "author.", ".author"] {
            await #expect(throws: (any Error).self, "\(path)") {
                try await library.store.query(Book.self, where: field(path) == "x")
            }
        }
        #expect(throws: StorageError.self) { try library.store.observe(Book.self, where: field("author.none") == 1) }
        await #expect(throws: ModelError.self) {
            try await library.store.query(Book.self, where: Book.keys.shelf == "r0")
        }
        await #expect(throws: ModelError.self) {
            try await library.store.query(Book.self, where: Book.keys.shelf > "r0")
        }
    }
}
