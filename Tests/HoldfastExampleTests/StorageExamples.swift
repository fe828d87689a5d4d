import HoldfastAdapterKit
import HoldfastEngine
import HoldfastInMemory
import HoldfastSQLite
import HoldfastStorage
import Testing

/// The examples in the comments about stores without models, and about the contract of adapters.
@Suite struct StorageExamples {
    static let book = EntitySchema(
        "Book",
        fields: [
            FieldSchema("id", .id), FieldSchema("title", .string, isRequired: true), FieldSchema("pages", .int),
        ],
        indexes: [IndexSchema("byPages", on: ["pages"])])

    /// A store in memory with some books.
    private func openBooks(_ books: (id: String, title: String, pages: Int64)...) async throws -> Store {
        let schema = try StorageSchema(entities: [Self.book])
        let store = try await Store.open(InMemoryAdapter(), schema: schema)
        var rows = RowBuffer(columnCount: 3)
        for book in books { rows.append([.text(book.id), .text(book.title), .integer(book.pages)]) }
        if !books.isEmpty {
            _ = try await store.commit(
                CommitRequest(operations: [.put(entity: "Book", rows: rows, mode: .upsert)]))
        }
        return store
    }

    @Test func aStore() async throws {
        let book = Self.book
        let store = try await Store.open(InMemoryAdapter(), schema: StorageSchema(entities: [book]))
        let row = RowBuffer(row: [.text("b1"), .text("Moby-Dick"), .integer(635)])
        _ = try await store.commit(CommitRequest(operations: [.put(entity: "Book", rows: row, mode: .upsert)]))
        var found = RowBuffer()
        try await store.get([RecordKey("b1")], of: "Book", into: &found)
        let title = found[0, 1]  // .text("Moby-Dick")
        try await store.close()
        #expect(title == .text("Moby-Dick"))
    }

    @Test func openingAsStored() async throws {
        try await withPath { path in
            let schema = try StorageSchema(entities: [Self.book])
            try await Store.open(SQLiteAdapter(path: path), schema: schema).close()
            let store = try await Store.openAsStored { SQLiteAdapter(path: path) }
            let entities = store.schema.entities.map(\.name)  // what is in the file
            try await store.close()
            #expect(entities == ["Book"])
        }
    }

    @Test func aSchema() throws {
        let book = Self.book
        let schema = try StorageSchema(entities: [book])
        let entity = try schema.entity(named: "Book")
        let position = entity.position(of: "title")  // 1
        #expect(position == 1)
        let larger = EntitySchema("Book", fields: book.fields + [FieldSchema("year", .int)], indexes: book.indexes)
        let change = SchemaChange(from: schema, to: try StorageSchema(entities: [larger]))
        let isDoneInPlace = change.isAdditive  // true: a new field that may be null
        #expect(isDoneInPlace)
    }

    // MARK: Reading

    @Test func aPage() async throws {
        let store = try await openBooks(("b1", "Moby-Dick", 635), ("b2", "Emma", 474))
        var page = RowBuffer()
        try await store.page(QueryPlan("Book", sort: [SortKey("title")], limit: 50), into: &page)
        #expect(page.rowCount == 2)
        #expect(page[0, 1] == .text("Emma"))
        let error = await #expect(throws: StorageError.self) { try await store.page(QueryPlan("Book"), into: &page) }
        #expect(error?.kind == .misuse)
        try await store.close()
    }

    @Test func aQuery() async throws {
        let store = try await openBooks(("b1", "Moby-Dick", 635), ("b2", "Emma", 474))
        let plan = QueryPlan(
            "Book", where: .compare("pages", .greater, .integer(400)), sort: [SortKey("title")], limit: 10,
            projection: ["title"])
        var rows = RowBuffer()
        try await store.withSnapshot { snapshot in
            var scan = try await snapshot.query(plan)
            try await scan.next(into: &rows)  // "Emma", "Moby-Dick"
        }
        #expect(rows.cells == [.text("Emma"), .text("Moby-Dick")])
    }

    @Test func aSnapshot() async throws {
        let store = try await openBooks(("b1", "Moby-Dick", 635))
        let snapshot = try await store.snapshot()
        _ = try await store.commit(CommitRequest(operations: [.clear(entity: "Book")]))
        let count = try await snapshot.count("Book")  // 1: it shows the store as it was
        await snapshot.close()
        #expect(count == 1)
    }

    @Test func predicates() async throws {
        let store = try await openBooks(("b1", "Moby-Dick", 635), ("b2", "Emma", 474))
        let isLong = Predicate.compare("pages", .greaterOrEqual, .integer(500))
        let predicate = Predicate.and([isLong, .not(.beginsWith("title", "E"))])
        let count = try await store.withSnapshot { try await $0.count("Book", where: predicate) }  // 1
        #expect(count == 1)
    }

    @Test func pages() async throws {
        let store = try await openBooks(("b1", "Moby-Dick", 635), ("b2", "Emma", 474), ("b3", "Ulysses", 730))
        let book = Self.book
        var plan = QueryPlan("Book", sort: [SortKey("title")], limit: 2)
        var page = RowBuffer()
        try await store.withSnapshot { snapshot in
            var scan = try await snapshot.query(plan)
            try await scan.next(into: &page)  // "Emma", "Moby-Dick"
            plan.after = Cursor(after: page[page.rowCount - 1], of: book, sortedBy: plan.sort)
            scan = try await snapshot.query(plan)
            try await scan.next(into: &page)  // "Ulysses"
        }
        #expect(page.rowCount == 1 && page[0, 1] == .text("Ulysses"))
    }

    @Test func aggregates() async throws {
        let store = try await openBooks(("b1", "Moby-Dick", 635), ("b2", "Emma", 474))
        let plan = AggregatePlan("Book", [.count, .sum("pages"), .maximum("title")])
        let values = try await store.withSnapshot { try await $0.aggregate(plan) }
        // [.integer(2), .integer(1109), .text("Moby-Dick")]
        #expect(values == [.integer(2), .integer(1_109), .text("Moby-Dick")])
    }

    @Test func recordsUnderAnIndex() async throws {
        let store = try await openBooks(("b1", "Moby-Dick", 635), ("b2", "Emma", 474))
        let snapshot = try await store.snapshot()
        let books = IndexPrefix("byPages", [.integer(635)], keys: [RecordKey("b1")])
        let areAsRead = Precondition.unchanged(KeyRange("Book", under: books), since: snapshot.sequence)
        await snapshot.close()
        _ = try await store.commit(CommitRequest(preconditions: [areAsRead]))
        let row = RowBuffer(row: [.text("b3"), .text("Ulysses"), .integer(635)])
        let put = WriteOperation.put(entity: "Book", rows: row, mode: .upsert)
        _ = try await store.commit(CommitRequest(operations: [put]))
        await #expect(throws: StorageError(.preconditionFailed, "", position: .precondition(0))) {
            try await store.commit(CommitRequest(preconditions: [areAsRead]))
        }
    }

    @Test func ranges() {
        let range = KeyRange("Book", from: .included([.text("b1")]), to: .excluded([.text("b3")]))
        let isInside = range.contains([.text("b2")])  // true
        #expect(isInside)
        let simple = RecordKey("b1")
        let composite = RecordKey([.text("Ulm"), .integer(7)])  // the fields in the order of the primary key
        #expect(simple < RecordKey("b2") && composite.components.count == 2)
    }

    @Test func rows() {
        var rows = RowBuffer(columnCount: 3)
        rows.append([.text("b1"), .text("Moby-Dick"), .integer(635)])
        rows.append([.text("b2"), .text("Emma"), .null])
        let title = rows[1, 1]  // .text("Emma")
        #expect(title == .text("Emma") && rows.rowCount == 2)
    }

    @Test func order() {
        let numbers = ValueOrder.compare(.integer(2), .double(2.5))  // .ascending
        let texts = ValueOrder.compare(.text("Z"), .text("a"))  // .ascending: by bytes, not by language
        let nulls = ValueOrder.compare(.null, .boolean(false))  // .ascending: null comes first
        #expect(numbers == .ascending && texts == .ascending && nulls == .ascending)
    }

    // MARK: Writing

    @Test func aCommit() async throws {
        let store = try await openBooks(("b1", "Moby-Dick", 635))
        let row = RowBuffer(row: [.text("b2"), .text("Emma"), .integer(474)])
        let request = CommitRequest(
            preconditions: [.absent(entity: "Book", key: RecordKey("b2"))],
            operations: [
                .put(entity: "Book", rows: row, mode: .insert), .delete(entity: "Book", keys: [RecordKey("b1")]),
            ])
        let receipt = try await store.commit(request)  // both, or none
        #expect(receipt.putCount == 1 && receipt.deletedCount == 1)
    }

    @Test func preconditions() async throws {
        let store = try await openBooks(("b1", "Moby-Dick", 635))
        var rows = RowBuffer()
        try await store.get([RecordKey("b1")], of: "Book", into: &rows)
        let isAsRead = Precondition.version(entity: "Book", key: RecordKey("b1"), rows.versions[0])
        rows.set(.integer(640), row: 0, column: 2)
        let put = WriteOperation.put(entity: "Book", rows: rows, mode: .update)
        _ = try await store.commit(CommitRequest(preconditions: [isAsRead], operations: [put]))
        await #expect(throws: StorageError(.preconditionFailed, "", position: .precondition(0))) {
            try await store.commit(CommitRequest(preconditions: [isAsRead], operations: [put]))
        }
    }

    @Test func errors() async throws {
        let store = try await openBooks(("b1", "Moby-Dick", 635))
        let row = RowBuffer(row: [.text("b1"), .text("Emma"), .integer(474)])
        var wasThere = false
        do {
            let put = WriteOperation.put(entity: "Book", rows: row, mode: .insert)
            _ = try await store.commit(CommitRequest(operations: [put]))
        } catch {
            wasThere = error.kind == .preconditionFailed  // nothing was changed: `error.transaction` says so
        }
        #expect(wasThere)
    }

    // MARK: Adapters

    @Test func anAdapter() async throws {
        let book = Self.book
        let adapter = InMemoryAdapter()
        try await adapter.open(OpenRequest(schema: StorageSchema(entities: [book])))
        let row = RowBuffer(row: [.text("b1"), .text("Moby-Dick"), .integer(635)])
        let put = WriteOperation.put(entity: "Book", rows: row, mode: .upsert)
        let receipt = try await adapter.commit(CommitRequest(operations: [put]))
        let snapshot = try await adapter.snapshot()
        var rows = RowBuffer()
        try await snapshot.get(GetRequest("Book", keys: [RecordKey("b1")]), into: &rows)
        let isTheVersion = rows.versions[0] == receipt.sequence  // true
        await snapshot.close()
        try await adapter.close()
        #expect(isTheVersion)
    }

    @Test func capabilities() {
        let capabilities = Capabilities(
            adapterName: "tin", support: [.indexes: .native, .uniqueIndexes: .native], durability: .processCrash)
        let sorting = capabilities.support(for: .sorting)  // .emulated: Holdfast sorts
        let backup = capabilities.support(for: .backup)  // .unsupported: the call is refused
        #expect(sorting == .emulated && backup == .unsupported)
    }

    @Test func aChangeFeed() async throws {
        let schema = try StorageSchema(entities: [Self.book])
        let store = try await Store.open(InMemoryAdapter(changeLogCommitCount: 100), schema: schema)
        let row = RowBuffer(row: [.text("b1"), .text("Moby-Dick"), .integer(635)])
        let request = CommitRequest(operations: [.put(entity: "Book", rows: row, mode: .upsert)])
        var keys: [RecordKey] = []
        var feed = try await store.changes()
        _ = try await store.commit(request)
        switch try await feed.next() {
        case .commits(let commits): keys = commits.flatMap(\.records).map(\.key)
        case .gap, nil: break  // read again what matters
        }
        await feed.close()
        #expect(keys == [RecordKey("b1")])
    }

    @Test func theReference() throws {
        let schema = try StorageSchema(entities: [Self.book])
        var reference = ReferenceStore(schema: schema)
        let row = RowBuffer(row: [.text("b1"), .text("Moby-Dick"), .integer(635)])
        _ = try reference.commit(CommitRequest(operations: [.put(entity: "Book", rows: row, mode: .upsert)]))
        let title = reference.record("Book", RecordKey("b1"))?.row[1]  // what any adapter must return
        #expect(title == .text("Moby-Dick"))
    }

    @Test func surroundings() {
        var surroundings = Surroundings.system
        surroundings.wallMicroseconds = { 1_700_000_000_000_000 }  // a test whose clock has stopped
        let options = DataStoreOptions(surroundings: surroundings)
        #expect(options.surroundings.wallMicroseconds() == 1_700_000_000_000_000)
    }

    @Test func theAdapters() async throws {
        let schema = try StorageSchema(entities: [Self.book])
        let store = try await Store.open(InMemoryAdapter(), schema: schema)
        try await store.close()
    }

    @Test func sqlite() async throws {
        try await withPath { path in
            let schema = try StorageSchema(entities: [Self.book])
            let adapter = SQLiteAdapter(path: path)
            let store = try await Store.open(adapter, schema: schema)
            try await store.close()
        }
    }

    // MARK: For authors of adapters

    @Test func aMutex() {
        let count = Mutex(0)
        let next = count.withLock { count in
            count += 1
            return count
        }
        #expect(next == 1)
    }

    @Test func blockingWork() async throws {
        let queue = WorkQueue(label: "holdfast.tin.writer")
        let sum = try await queue.run { (1...1_000).reduce(0, +) }  // runs on a thread of the queue
        #expect(sum == 500_500)
    }
}
