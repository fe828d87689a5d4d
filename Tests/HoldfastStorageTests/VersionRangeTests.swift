import HoldfastStorage
import Testing

@Suite struct VersionRangeTests {
    private static let note = EntitySchema("Note", fields: [FieldSchema("id", .id)], isOrderedByVersion: true)
    private static let schema = try? StorageSchema(entities: [note])

    private static func bind(_ range: VersionRange) throws -> BoundVersionRange {
        try #require(schema).bind(range)
    }

    private static func kind(_ range: VersionRange) throws -> StorageError.Kind? {
        do {
            _ = try bind(range)
            return nil
        } catch let error as StorageError {
            return error.kind
        }
    }

    @Test func aRangeIsCheckedAgainstTheSchema() throws {
        #expect(try Self.kind(VersionRange("Note", limit: 0)) == nil)
        #expect(try Self.kind(VersionRange("Note", limit: -1)) == .misuse)
        #expect(try Self.kind(VersionRange("Other")) == .schemaMismatch)
        let two = VersionCursor(version: 1, key: RecordKey([.text("a"), .text("b")]))
        #expect(try Self.kind(VersionRange("Note", cursor: two)) == .schemaMismatch)
        let long = VersionCursor(version: 1, key: RecordKey(String(repeating: "a", count: 2_000)))
        #expect(try Self.kind(VersionRange("Note", cursor: long)) == .limitExceeded)
    }

    /// Adapters need not compare a cursor with the beginning of the range.
    @Test func aCursorBeforeTheRangeIsDropped() throws {
        let cursor = VersionCursor(version: 5, key: RecordKey("a"))
        #expect(try Self.bind(VersionRange("Note", after: 5, cursor: cursor)).cursor == nil)
        #expect(try Self.bind(VersionRange("Note", after: 4, cursor: cursor)).cursor == cursor)
    }

    @Test func theOrderIsAnAdditiveChangeInBothDirections() throws {
        let plain = try StorageSchema(entities: [EntitySchema("Note", fields: Self.note.fields)])
        let ordered = try #require(Self.schema)
        let added = SchemaChange(from: plain, to: ordered)
        #expect(added.differences == [.versionOrderAdded(entity: "Note")] && added.isAdditive)
        let removed = SchemaChange(from: ordered, to: plain)
        #expect(removed.differences == [.versionOrderRemoved(entity: "Note")] && removed.isAdditive)
    }

    @Test func theReferenceDeliversByVersionThenKey() throws {
        var store = ReferenceStore(schema: try #require(Self.schema))
        func put(_ ids: [String]) throws {
            var rows = RowBuffer(columnCount: 1)
            for id in ids { rows.append([.text(id)]) }
            _ = try store.commit(CommitRequest(operations: [.put(entity: "Note", rows: rows, mode: .upsert)]))
        }
        try put(["c", "a", "b"])
        try put(["d", "a"])
        let all = try store.scan(Self.bind(VersionRange("Note")))
        #expect(all.map(\.row) == [[.text("b")], [.text("c")], [.text("a")], [.text("d")]])
        let cursor = VersionCursor(version: 1, key: RecordKey("b"))
        let page = try store.scan(Self.bind(VersionRange("Note", cursor: cursor, limit: 2)))
        #expect(page.map(\.version) == [1, 2])
    }
}
