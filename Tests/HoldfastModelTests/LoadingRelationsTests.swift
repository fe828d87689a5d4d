import Foundation
import GeneratedModels
import HoldfastModel
import HoldfastStorage
import Testing

/// Keeps the rows of a few models and counts what is asked for.
private final class RowLoader: ModelLoader {
    let rows: [String: RowBuffer]
    let requests = Mutex<[String]>([])

    init(_ rows: [String: RowBuffer]) { self.rows = rows }

    func load<M: Model>(_ type: M.Type, key: RecordKey) async throws -> M? {
        requests.withLock { $0.append("\(M.modelName) \(key.components.count)") }
        var models: [M] = []
        try M.read(rows[M.modelName] ?? RowBuffer(), loader: self, parents: nil, into: &models)
        return try models.first { try $0.recordKey() == key }
    }

    func loadChildren<M: Model>(_ type: M.Type, _ request: ChildrenRequest) async throws -> ChildrenPage<M> {
        requests.withLock { $0.append("\(M.modelName) by \(request.fields.joined(separator: "+"))") }
        let rows = rows[M.modelName] ?? RowBuffer()
        let columns = M.schema.columnPositions(of: request.fields)
        var models: [M] = []
        try M.read(rows, loader: self, parents: nil, into: &models)
        models = try zip(models, 0..<rows.rowCount).filter { model, row in
            try RecordKey(columns.map { rows[row, $0] }) == request.parent
                && request.after.map { try model.recordKey() > $0 } ?? true
        }.map(\.0)
        guard let limit = request.limit, models.count > limit else { return ChildrenPage(models) }
        models = Array(models.prefix(limit))
        return ChildrenPage(models, next: try models.last?.recordKey())
    }
}

/// Answers empty pages: one more after the token `t1`.
private final class PageLoader: ModelLoader {
    let tokens = Mutex<[String]>([])

    func load<M: Model>(_ type: M.Type, key: RecordKey) async throws -> M? { nil }

    func loadChildren<M: Model>(_ type: M.Type, _ request: ChildrenRequest) async throws -> ChildrenPage<M> {
        tokens.withLock { $0.append(request.pageToken ?? "") }
        return ChildrenPage([], pageToken: request.pageToken == "t1" ? "t2" : nil)
    }
}

@Suite struct LoadingRelationsTests {
    private func library() throws -> (RowLoader, Book) {
        let author = Author(id: "a1", name: "A", authorPassportId: "p1")
        let book = Book(isbn: "x", edition: 2, title: "T", author: author)
        let reviews = (0..<5).map {
            Review(id: "r\($0)", content: "\($0)", bookReviewsIsbn: $0 == 4 ? "y" : "x", bookReviewsEdition: 2)
        }
        let loader = RowLoader([
            "Author": try Author.rows([author]), "Review": try Review.rows(reviews),
            "Passport": try Passport.rows([Passport(id: "p1", number: 7, author: author)]),
        ])
        var books: [Book] = []
        try Book.read(try Book.rows([book]), loader: loader, parents: nil, into: &books)
        return (loader, books[0])
    }

    @Test func aReferenceIsLoadedOnce() async throws {
        let (loader, book) = try library()
        #expect(loader.requests.withLock { $0 } == [])
        #expect(try await book.author?.name == "A")
        #expect(try await book.author?.id == "a1")
        #expect(loader.requests.withLock { $0 } == ["Author 1"])
    }

    @Test func hasOneFollowsTheKeyHeldHere() async throws {
        let (_, book) = try library()
        let passport = try #require(await book.author?.passport)
        #expect(passport.number == 7)
        #expect(try await passport.author.id == "a1")
    }

    @Test func aListIsEmptyUntilItIsFetched() async throws {
        let (loader, book) = try library()
        let reviews = try #require(book.reviews)
        #expect(!reviews.isLoaded && reviews.isEmpty && !reviews.hasNextPage())
        try await reviews.fetch()
        try await reviews.fetch()
        #expect(reviews.map(\.id) == ["r0", "r1", "r2", "r3"])
        #expect(!reviews.hasNextPage())
        #expect(loader.requests.withLock { $0 } == ["Review by bookReviewsIsbn+bookReviewsEdition"])
    }

    @Test func pagesFollowEachOther() async throws {
        let (_, book) = try library()
        let first = try #require(book.reviews)
        try await first.fetch(limit: 3)
        #expect(first.count == 3 && first.hasNextPage())
        let second = try await first.getNextPage()
        #expect(second.map(\.id) == ["r3"])
        #expect(!second.hasNextPage() && first.count == 3)
        await #expect(throws: CoreError.self) { try await second.getNextPage() }
    }

    @Test func aRequiredReferenceToNothingIsAnError() async throws {
        await #expect(throws: ModelError.self) { try await LazyReference<Author>(nil).require() }
        await #expect(throws: ModelError.self) {
            try await LazyReference<Author>(identifiers: [LazyReferenceIdentifier(name: "id", value: "a")]).get()
        }
        #expect(try await LazyReference<Author>(identifiers: nil).get() == nil)
    }

    @Test func anUnloadedReferenceIsWrittenByItsIdentifier() throws {
        let (loader, book) = try library()
        let json = try book.toJSON()
        #expect(json.contains(#""author":{"identifiers":[{"name":"id","value":"a1"}],"source":"DataStore"}"#))
        let reviews =
            #"{"dataStoreAssociatedFields":["bookReviewsIsbn","bookReviewsEdition"],"#
            + #""dataStoreAssociatedIdentifiers":["x",2]}"#
        #expect(json.contains("\"reviews\":" + reviews))
        let decoder = JSONDecoder()
        decoder.userInfo[.modelLoader] = loader
        #expect(try Book.from(json: json, decoder: decoder).toJSON() == json)
    }

    @Test func aDecodedReferenceLoadsFromTheDecodersLoader() async throws {
        let (loader, book) = try library()
        let decoder = JSONDecoder()
        decoder.userInfo[.modelLoader] = loader
        let copy = try Book.from(json: try book.toJSON(), decoder: decoder)
        #expect(try await copy.author?.name == "A")
        try await copy.reviews?.fetch()
        #expect(copy.reviews?.count == 4)
    }

    @Test(arguments: [
        #"{"identifiers":[{"name":"edition","value":"2"},{"name":"isbn","value":"x"}],"source":"AppSync"}"#,
        #"{"identifiers":[{"name":"isbn","value":"x"},{"name":"edition","value":2}]}"#,
        #"{"isbn":"x","edition":2}"#, #"{"isbn":"x","edition":2,"title":"T"}"#,
    ])
    func keysWithIntegersAreRead(_ json: String) throws {
        let reference = try JSONDecoder().decode(LazyReference<Book>.self, from: Data(json.utf8))
        #expect(try reference.key() == RecordKey([.text("x"), .integer(2)]))
        #expect(try reference.identifiers()?.stringValue == "\"x\"#\"2\"")
    }

    @Test func aListLoadsItsNextPage() async throws {
        let reviews = (0..<3).map { Review(id: "r\($0)", content: "") }
        let list = List(elements: [reviews[0]]) { List(elements: [reviews[1]]) { List(elements: [reviews[2]]) } }
        #expect(list.hasNextPage() && list.isLoaded)
        let second = try await list.getNextPage()
        let third = try await second.getNextPage()
        #expect(second.map(\.id) == ["r1"] && third.map(\.id) == ["r2"] && list.map(\.id) == ["r0"])
        #expect(!third.hasNextPage())
        await #expect(throws: CoreError.self) { try await third.getNextPage() }
    }

    @Test func thePageOfAServiceLoadsTheNextByItsToken() async throws {
        let loader = PageLoader()
        let decoder = JSONDecoder()
        decoder.userInfo[.modelLoader] = loader
        let json = """
            {"items":[{"id":"r0","content":""}],"nextToken":"t1",
             "dataStoreAssociatedFields":["book"],"dataStoreAssociatedIdentifiers":["x",2]}
            """
        let list = try decoder.decode(List<Review>.self, from: Data(json.utf8))
        #expect(list.map(\.id) == ["r0"] && list.hasNextPage())
        let second = try await list.getNextPage()
        #expect(second.isEmpty && second.hasNextPage())
        #expect(try await !second.getNextPage().hasNextPage())
        #expect(loader.tokens.withLock { $0 } == ["t1", "t2"])
        let last = json.replacingOccurrences(of: #""t1""#, with: "null")
        #expect(try !decoder.decode(List<Review>.self, from: Data(last.utf8)).hasNextPage())
    }

    @Test func nullIsNotARelation() throws {
        let reference = try JSONDecoder().decode([LazyReference<Book>].self, from: Data("[null]".utf8))[0]
        #expect(try reference.key() == nil)
        #expect(try String(decoding: JSONEncoder().encode([reference]), as: UTF8.self) == "[null]")
        let list = try JSONDecoder().decode([List<Review>].self, from: Data("[{}]".utf8))[0]
        #expect(list.isLoaded && list.isEmpty)
    }
}
