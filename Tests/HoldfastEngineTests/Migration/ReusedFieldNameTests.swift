#if SQLite
import HoldfastConformance
import HoldfastStorage
import Testing

@testable import HoldfastEngine

/// A field that takes over the name of a removed one.
struct ReusedFieldNameTests {
    static let old = EntitySchema(
        "Item", fields: [FieldSchema("id", .string), FieldSchema("title", .string), FieldSchema("heading", .string)])
    static let new = EntitySchema("Item", fields: [FieldSchema("id", .string), FieldSchema("title", .string)])

    /// The values of the removed field come first in all texts, so a reader of the name would take them.
    @Test func everyTextHasTheValuesOfTheFieldThatRemains() async throws {
        let whole = #"{"id":"a","title":"Old","heading":"H"}"#
        let fields = #"{"title":"Old","heading":"H"}"#
        let condition = #"{"and":[{"heading":{"eq":"H"}},{"title":{"eq":"Old"}}]}"#
        let entries = [
            OutboxEntry(model: "Item", key: "a", position: 1, operation: .create, payload: whole, attempts: 1),
            OutboxEntry(
                model: "Item", key: "b", position: 2, operation: .update, changedFields: ["title", "heading"],
                before: fields, condition: condition, payload: fields, attempts: 1),
            OutboxEntry(model: "Item", key: "c", position: 3, operation: .delete, before: whole),
        ]
        let item = ShelfItem(model: "Item", key: "b", version: 1, lastChangedAt: 1, item: whole, reason: .conflict)
        var letter = DeadLetter(
            position: 4, model: "Item", key: "d", operation: .create, payload: whole, failedAt: 1)
        (letter.before, letter.remote) = (whole, whole)
        let file = MigratedStore()
        try await file.open([Self.old]) { store in
            try await store.put(entries)
            try await store.put(ShelfItem.entity, [item.row])
            try await store.put(DeadLetter.entity, [letter.row])
        }
        let policy = SchemaPolicy.migrate([
            .removeField(model: "Item", field: "title"), .renameField(model: "Item", from: "heading", to: "title"),
        ])
        let rows = try await file.dump([Self.new], policy)
        let moved = rows["__outbox"]?.compactMap { OutboxEntry($0.cells[...]) } ?? []
        let shelf = rows["__shelf"]?.compactMap { ShelfItem($0.cells[...]) } ?? []
        let letters = rows["__dead_letter"]?.compactMap { DeadLetter($0.cells[...]) } ?? []
        #expect(moved.count == 3 && shelf.count == 1 && letters.count == 1)
        let texts =
            moved.flatMap { [$0.payload, $0.before] } + shelf.map(\.item)
            + letters.flatMap { [$0.payload, $0.before, $0.remote] }
        #expect(texts.compactMap(\.self).count == 8)
        for text in texts.compactMap(\.self) {
            #expect(FieldValues.values(text, [1], of: Self.new) == [.text("H")], "\(text)")
        }
        #expect(moved.map(\.changedFields) == [[], ["title"], []])
        #expect(moved.compactMap(\.condition) == [#"{"and":[{"title":{"eq":"H"}},{"title-":{"eq":"Old"}}]}"#])
    }
}
#endif
