import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastModel
import HoldfastStorage

@testable import HoldfastEngine

/// A random library, in the store and as a plain graph on which queries are answered by following every relation.
struct Library {
    /// A record: its values, and the records it relates to by their places.
    struct Node {
        let model: String
        let id: String
        var fields: [String: Value] = [:]
        var one: [String: Int] = [:]
        var many: [String: [Int]] = [:]
    }

    private(set) var nodes: [Node] = []
    let store: DataStore
    var random: SplitMix64

    static let models: [any Model.Type] = [Author.self, Profile.self, Shelf.self, Book.self, Review.self]

    init(_ adapter: EngineAdapter, seed: UInt64 = 1, relatedKeyLimit: Int = .max) async throws {
        var options = DataStoreOptions()
        options.relatedKeyLimit = relatedKeyLimit
        store = try await DataStore.open(adapter.make(), models: Self.models, options: options)
        random = SplitMix64(seed: seed)
        try await fill()
    }

    private mutating func fill() async throws {
        let authors = (0..<5).map { number in
            Author(id: "a\(number)", name: "n\(number % 3)", born: random.number(below: 3, orNilOneIn: 3))
        }
        let profiles = (0..<4).map { number in
            Profile(
                id: "p\(number)", bio: random.text(below: 3, orNilOneIn: 3),
                author: LazyReference(number == 3 ? nil : authors[number]))
        }
        let shelves = (0..<4).map { number in
            Shelf(room: "r\(number / 2)", number: number % 2, label: random.text(below: 2, orNilOneIn: 3))
        }
        let books = (0..<14).map { number in
            let instant = "2024-01-0\(1 + number % 4)T00:00:00Z"
            return Book(
                id: String(UnicodeScalar(UInt8(97 + number))), title: random.text(below: 4, orNilOneIn: 4),
                pages: random.number(below: 4, orNilOneIn: 4),
                price: random.number(below: 4, orNilOneIn: 4).map { Double($0) / 2 },
                printed: number % 5 == 0 ? nil : try? Temporal.DateTime(iso8601String: instant),
                author: LazyReference(authors.prefix(4).randomElement(orNilOneIn: 4, &random)),
                shelf: LazyReference(shelves.prefix(3).randomElement(orNilOneIn: 4, &random)))
        }
        let reviews = (0..<20).map { number in
            Review(
                id: "v\(10 + number)", stars: random.number(below: 4, orNilOneIn: 4),
                book: LazyReference(books.prefix(11).randomElement(orNilOneIn: 5, &random)))
        }
        try await store.save(authors)
        try await store.save(profiles)
        try await store.save(shelves)
        try await store.save(books)
        try await store.save(reviews)
        try add(authors, id: { $0.id })
        try add(profiles, id: { $0.id })
        try add(shelves, id: { "\($0.room)#\($0.number)" })
        try add(books, id: { $0.id })
        try add(reviews, id: { $0.id })
        relate("Profile", "author", "profile", toMany: false)
        relate("Book", "author", "books", toMany: true)
        relate("Book", "shelf", "books", toMany: true)
        relate("Review", "book", "reviews", toMany: true)
    }

    private mutating func add<M: Model>(_ models: [M], id: (M) -> String) throws {
        for model in models {
            let row = try model.row()
            var node = Node(model: M.modelName, id: id(model))
            for (column, name) in M.schema.columns.enumerated() { node.fields[name] = row[0, column] }
            nodes.append(node)
        }
    }

    private mutating func relate(_ child: String, _ field: String, _ inverse: String, toMany: Bool) {
        for index in nodes.indices where nodes[index].model == child {
            let own = nodes[index].fields
            let key: String?
            if field == "shelf" {
                key = own["shelfRoom"]?.string.map { "\($0)#\(own["shelfNumber"]?.int ?? 0)" }
            } else {
                key = own[field + "Id"]?.string
            }
            guard let parent = nodes.firstIndex(where: { $0.id == key }) else { continue }
            nodes[index].one[field] = parent
            if toMany {
                nodes[parent].many[inverse, default: []].append(index)
            } else {
                nodes[parent].one[inverse] = index
            }
        }
    }

    /// The records of a model, in key order.
    func nodes(of model: String) -> [Int] {
        nodes.indices.filter { nodes[$0].model == model }.sorted { nodes[$0].id < nodes[$1].id }
    }

    /// Whether a value at the end of a path passes a test: null for an empty relation, any of several records.
    func passes(_ index: Int?, _ path: ArraySlice<String>, _ test: (Value) -> Bool) -> Bool {
        guard let field = path.first else { return false }
        if path.count == 1 { return test(index.flatMap { nodes[$0].fields[field] } ?? .null) }
        if ["books", "reviews"].contains(field) {
            return (index.flatMap { nodes[$0].many[field] } ?? []).contains { passes($0, path.dropFirst(), test) }
        }
        return passes(index.flatMap { nodes[$0].one[field] }, path.dropFirst(), test)
    }

    /// The value at the end of a path without relations to several records.
    func value(_ index: Int, _ path: [String]) -> Value {
        var index: Int? = index
        for field in path.dropLast() { index = index.flatMap { nodes[$0].one[field] } }
        return index.flatMap { nodes[$0].fields[path.last ?? ""] } ?? .null
    }
}

extension SplitMix64 {
    mutating func number(below bound: Int, orNilOneIn share: Int) -> Int? {
        Int.random(in: 0..<share, using: &self) == 0 ? nil : Int.random(in: 0..<bound, using: &self)
    }

    mutating func text(below bound: Int, orNilOneIn share: Int) -> String? {
        number(below: bound, orNilOneIn: share).map { "t\($0)" }
    }
}

extension Collection {
    func randomElement(orNilOneIn share: Int, _ random: inout SplitMix64) -> Element? {
        Int.random(in: 0..<share, using: &random) == 0 ? nil : randomElement(using: &random)
    }
}

extension Value {
    var string: String? { if case .text(let text) = self { text } else { nil } }
    var int: Int? { if case .integer(let integer) = self { Int(integer) } else { nil } }
}
