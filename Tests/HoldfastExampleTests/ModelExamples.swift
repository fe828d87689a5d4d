import ExampleModels
import Foundation
import HoldfastEngine
import HoldfastInMemory
import HoldfastModel
import HoldfastStorage
import Testing

/// The examples in the comments about models, predicates, and relations.
@Suite struct ModelExamples {
    @Test func predicates() throws {
        let recent = Post.keys.rating >= 4 && Post.keys.title.beginsWith("H")
        let others = !recent || Post.keys.rating == nil
        #expect(recent.evaluate(target: Post(title: "Hold fast", rating: 5)))
        #expect(others.evaluate(target: Post(title: "Let go")))
        let post = Post(title: "Hold fast", rating: 5)
        let isShown = try (Post.keys.rating >= 4).isSatisfied(by: post)  // without asking a store
        #expect(isShown)
    }

    @Test func fieldsByName() async throws {
        let store = try await openBlog(("Hold fast", 5), ("Let go", 2))
        let good = try await store.query(Post.self, where: field("rating").between(start: 4, end: 5))
        let unrated = try await store.query(Post.self, where: field("rating").attributeExists(false))
        #expect(good.map(\.title) == ["Hold fast"] && unrated.isEmpty)
    }

    @Test func sorting() async throws {
        let store = try await openBlog(("Hold on", 5), ("Let go", 2), ("Hold fast", 5))
        let sort = QuerySortInput.by(.descending(Post.keys.rating), .ascending(Post.keys.title))
        let titles = try await store.query(Post.self, sort: sort).map(\.title)  // ["Hold fast", "Hold on", "Let go"]
        #expect(titles == ["Hold fast", "Hold on", "Let go"])
    }

    @Test func pages() async throws {
        let store = try await openBlog(("Hold fast", 5), ("Hold on", 4), ("Let go", 2))
        let second = try await store.query(Post.self, paginate: .page(1, limit: 2))  // one post
        let first = try await store.query(Post.self, paginate: .firstResult).first
        #expect(second.map(\.title) == ["Let go"] && first?.title == "Hold fast")
    }

    // MARK: Relations

    @Test func aList() async throws {
        let store = try await openBlog(("Hold fast", 5))
        let post = try #require(try await store.query(Post.self, byId: "p1"))
        try await store.save(Comment(text: "Thank you", post: post))
        try await post.comments?.fetch()  // until then the list is empty
        let texts = post.comments?.map(\.text)  // ["Thank you"]
        #expect(texts == ["Thank you"])
    }

    @Test func aReference() async throws {
        let store = try await openBlog(("Hold fast", 5))
        try await store.save(Comment(text: "so fast", post: store.query(Post.self, byId: "p1")))
        let comments = try await store.query(Comment.self, where: Comment.keys.text.contains("fast"))
        let post = try await comments.first?.post
        #expect(post?.id == "p1")
        let note = LazyReference(post)
        let title = try await note.get()?.title  // loads the record once; nil if there is none
        #expect(title == "Hold fast")
    }

    // MARK: Values

    @Test func dates() throws {
        let instant = try Temporal.DateTime(iso8601String: "2026-11-21T09:30:00+01:00")
        let day = try Temporal.Date(iso8601String: "2026-11-21")
        let time = try Temporal.Time(iso8601String: "09:30")
        let text = instant.iso8601FormattedString(format: .short)  // "2026-11-21T08:30", in UTC
        #expect(text == "2026-11-21T08:30")
        #expect(day.iso8601String == "2026-11-21Z" && time.text == "09:30:00")
        let written = try Temporal.DateTime(iso8601String: "2026-11-21T09:30:00+01:00")
        let sameInstant = written.foundationDate == Date(timeIntervalSince1970: 1_795_249_800)  // true
        let kept = written.iso8601String  // "2026-11-21T09:30:00.000+01:00": it keeps its offset
        #expect(sameInstant && kept == "2026-11-21T09:30:00.000+01:00")
    }

    @Test func json() {
        let value: JSONValue = ["address": ["city": "Ulm", "floors": [1, 2]]]
        let city = value.address?.city?.stringValue  // "Ulm"
        let floor = value.value(at: "address.floors")?[1]?.intValue  // 2
        #expect(city == "Ulm" && floor == 2)
    }

    @Test func modelsAsJSON() throws {
        let post = try Post.from(json: #"{"id": "p1", "title": "Hold fast", "rating": 5}"#)
        #expect(post.title == "Hold fast" && post.rating == 5)
        let bookmark = Bookmark(id: "b1", url: "example.org", shelf: .later)
        let text = try bookmark.toJSON()  // {"id":"b1","shelf":"later","url":"example.org"}
        #expect(text == #"{"id":"b1","shelf":"later","url":"example.org"}"#)
    }

    @Test func identifiers() async throws {
        let store = try await openBlog(("Hold fast", 5))
        let id = ModelIdentifier<Post, ModelIdentifierFormat.Default>.makeDefault(id: "p1")
        let post = try await store.query(Post.self, byId: id.recordKey)
        #expect(post?.title == "Hold fast")
    }

    @Test func errors() async throws {
        let store = try await openBlog(("Hold fast", 5))
        let post = try #require(try await store.query(Post.self, byId: "p1"))
        var isConflict = false
        do {
            try await store.save(post, where: Post.keys.rating < 3)
        } catch let error as ModelError where error.kind == .conditionFailed {
            isConflict = true  // nothing was changed; read the record again
        }
        #expect(isConflict)
    }

    // MARK: Models without a schema file

    @Test func aModelInCode() async throws {
        let store = try await DataStore.open(InMemoryAdapter(), models: [Bookmark.self])
        try await store.save(Bookmark(id: "b1", url: "https://example.org", shelf: .later))
        let later = try await store.query(Bookmark.self, where: Bookmark.keys.shelf == Shelf.later)
        #expect(later.map(\.id) == ["b1"])
        #expect(try await store.query(Bookmark.self, byId: "b1")?.size?.width == nil)
    }

    @Test func schemas() {
        let fields = Post.schema.orderedFields.map(\.name)  // ["id", "title", "rating", "comments", …]
        let key = Post.schema.primaryKeyNames  // ["id"]
        #expect(fields.starts(with: ["id", "title", "rating", "comments"]) && key == ["id"])
        let rules = Post.schema.authRules  // of `@auth(rules: [{ allow: owner }])`
        let isOwned = rules.contains { $0.allow == .owner }
        #expect(isOwned)
    }
}

struct Bookmark: Model {
    let id: String
    var url: String
    var shelf: Shelf
    var size: Size?

    enum CodingKeys: String, ModelKey { case id, url, shelf, size }
    static let keys = CodingKeys.self

    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [keys.id]))
        model.fields(
            .field(keys.id), .field(keys.url), .field(keys.shelf, ofType: .enum(type: Shelf.self)),
            .field(keys.size, is: .optional, ofType: .embedded(type: Size.self)))
    }
}

enum Shelf: String, EnumPersistable { case later, read }

struct Size: Embeddable {
    var width: Double
    var height: Double
}
