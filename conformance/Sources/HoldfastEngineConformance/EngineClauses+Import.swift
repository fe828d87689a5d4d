import HoldfastConformance
import HoldfastEngine
import HoldfastModel
import HoldfastStorage

extension Clause {
    static let engineImport = [
        eng(
            "ENG-085",
            "Records of another product's store are taken over once, with their metadata and what is unsent.",
            catches: "Batches lose their end, children come before their parents, a second import takes all again.",
            witness: "records taken over", protectsData: true
        ) { context in
            var store = try await context.openEngine()
            let source = ForeignShop(bookCount: 33)
            try await store.data.save(Bookshop.Book("b10007", title: "mine"))
            let report = try await store.data.importRecords(from: source, batchSize: 10)
            try context.expectEqual(report.rejectedCount, 1, "the records refused")
            try context.expectEqual(report.outboxEntryCount, 2, "the unsent changes")
            let authors = (0..<5).map { Bookshop.Author("a\($0)", name: "n\($0)") }
            var books = Bookshop.books(33)
            for index in books.indices { books[index].author = LazyReference(authors[index % 5]) }
            books[7] = Bookshop.Book("b10007", title: "mine")
            store = try await store.expectHolds(books)
            try await store.compare(authors, "")
            let metadata = try await store.data.recordMetadata(["b10003", "b10007"], of: "Book")
            try context.expectEqual(metadata.map { $0?.version }, [4, nil], "the versions of the service")
            try context.expectEqual(
                try await store.outbox().filter { !$0.hasSuffix("b10007") },
                ["update Book b10004", "create Author a1"], "the outbox")
            let before = try await store.dump()
            let again = try await store.data.importRecords(from: source, batchSize: 10)
            try context.expect(again.wasFinished, "A finished import was done again.")
            _ = try await store.data.importRecords(from: source, batchSize: 7, repeatsFinished: true)
            try context.expectEqual(
                try await store.dump().rows["Book"], before.rows["Book"], "the books after importing them again")
            context.witness(books.count)
        }
    ]
}

/// The store of another product: authors, their books, one without its author, and two unsent changes.
private struct ForeignShop: ForeignStore {
    let name = "foreign-shop"
    let bookCount: Int

    func entities() async throws(StorageError) -> [ForeignEntity] {
        [
            ForeignEntity(name: "Book", fields: Bookshop.Book.schema.columns, recordCount: bookCount + 1),
            ForeignEntity(name: "Author", fields: Bookshop.Author.schema.columns, recordCount: 5),
        ]
    }

    func records(_ request: ForeignRecordRequest) async throws(StorageError) -> [ForeignRecord] {
        let rows: [[Value]] =
            request.entity.name == "Author"
            ? (0..<5).map { [.text("a\($0)"), .text("n\($0)"), .null, .null] }
            : (0...bookCount).map { number in
                [
                    .text("b\(10_000 + number)"), .text("T\(number)"), .integer(Int64(number % 7)), .null, .null,
                    .text(number == bookCount ? "absent" : "a\(number % 5)"), .null, .null,
                ]
            }
        let records = rows.enumerated().map { number, row in
            record(request.entity.name, Int64(number + 1), row)
        }
        return Array(records.filter { $0.position > request.position ?? .min }.prefix(request.limit))
    }

    private func record(_ entity: String, _ position: Int64, _ row: [Value]) -> ForeignRecord {
        guard case .text(let id) = row[0] else {
            return ForeignRecord(position: position, identifier: "", cells: row, metadata: nil, fault: "No identifier.")
        }
        return ForeignRecord(
            position: position, identifier: id, cells: row,
            metadata: ForeignMetadata(
                position: position, entity: entity, identifier: id, version: position, lastChangedAt: 1_000),
            fault: nil)
    }

    func tombstones(after position: Int64?, limit: Int) async throws(StorageError) -> [ForeignMetadata] { [] }
    func states() async throws(StorageError) -> [ForeignState] { [] }

    func mutations() async throws(StorageError) -> [ForeignMutation] {
        [
            ForeignMutation(
                position: 1, entity: "Book", identifier: "b10004", operation: .update, madeAt: 7, baseVersion: 5,
                hasCondition: false),
            ForeignMutation(
                position: 2, entity: "Author", identifier: "a1", operation: .create, madeAt: 8, baseVersion: nil,
                hasCondition: false),
        ]
    }

    func key(_ identifier: String, of entity: EntitySchema) -> RecordKey? { RecordKey(identifier) }
    func close() async {}
}
