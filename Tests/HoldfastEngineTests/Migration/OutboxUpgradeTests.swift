#if SQLite
import HoldfastConformance
import HoldfastSQLite
import HoldfastStorage
import Testing

@testable import HoldfastEngine

/// Stores of versions whose outbox could not be undone.
struct OutboxUpgradeTests {
    static let item = EntitySchema(
        "Item", fields: [FieldSchema("id", .string), FieldSchema("name", .string), FieldSchema("note", .json)])

    /// The system entities as version 1.0 had them.
    static let old = [
        EntitySchema(
            "__outbox", fields: Array(OutboxEntry.entity.fields.prefix(7)), primaryKey: OutboxEntry.entity.primaryKey,
            indexes: OutboxEntry.entity.indexes),
        EntitySchema(
            "__record_metadata", fields: Array(RecordMetadata.entity.fields.prefix(5)),
            primaryKey: RecordMetadata.entity.primaryKey),
        EntitySchema("__model_state", fields: Array(ModelState.entity.fields.prefix(3)), primaryKey: ["model"]),
        Setting.entity,
    ]

    func store() async throws -> MigratedStore {
        let file = MigratedStore()
        let adapter = SQLiteAdapter(SQLiteConfiguration(.file(file.path)))
        let store = try await Store.open(adapter, schema: StorageSchema(entities: [Self.item] + Self.old))
        func put(_ entity: String, _ row: [Value]) -> WriteOperation {
            .put(entity: entity, rows: RowBuffer(row: row), mode: .insert)
        }
        _ = try await store.commit(
            CommitRequest(operations: [
                put("Item", [.text("a"), .text("n"), .null]),
                put(
                    "__outbox",
                    [
                        .text("Item"), .text("a"), .integer(1), .integer(5), .text("update"), .list([.text("name")]),
                        .null,
                    ]),
                put("__record_metadata", [.text("Item"), .text("a"), .integer(3), .integer(9), .boolean(false)]),
                put("__model_state", [.text("Item"), .integer(7), .null]),
            ]))
        try await store.close()
        return file
    }

    @Test func theyOpenAsTheyAre() async throws {
        let file = try await store()
        let entry = OutboxEntry(model: "Item", key: "a", position: 5, operation: .update, changedFields: ["name"])
        for _ in 0..<2 {
            let rows = try await file.dump([Self.item])
            #expect(rows["__outbox"]?.compactMap { OutboxEntry($0.cells[...]) } == [entry])
            #expect(
                rows["__record_metadata"]?.compactMap { RecordMetadata($0.cells[...]) } == [
                    RecordMetadata(model: "Item", key: "a", version: 3, lastChangedAt: 9)
                ])
            #expect(
                rows["__model_state"]?.compactMap { ModelState($0.cells[...]) } == [
                    ModelState(model: "Item", lastSync: 7)
                ])
            #expect(rows["__shelf"] == [] && rows["__dead_letter"] == [] && rows["__sync_session"] == [])
        }
    }

    @Test func aShelfWithoutAnIndexGetsOne() async throws {
        let file = MigratedStore()
        let shelf = ShelfItem.entity
        let old = EntitySchema(
            shelf.name, fields: shelf.fields, primaryKey: shelf.primaryKey, isInChangeFeed: shelf.isInChangeFeed)
        let item = ShelfItem(
            model: "Item", key: "a", version: 1, lastChangedAt: 1, item: #"{"name":"x"}"#, reason: .conflict)
        let store = try await Store.open(
            SQLiteAdapter(SQLiteConfiguration(.file(file.path))),
            schema: StorageSchema(entities: [Self.item, old, Setting.entity]))
        try await store.put(old, [item.row])
        try await store.close()
        try await file.open([Self.item]) { store in
            let plan = QueryPlan(
                shelf.name, where: .compare("reason", .equal, .text(ShelfItem.Reason.conflict.rawValue)))
            let items = try await store.withSnapshot { snapshot in
                try await snapshot.rows(plan).compactMap { ShelfItem($0.cells[...]) }
            }
            #expect(items == [item])
        }
    }

    /// The names of fields change in all texts; what a transform touched can no longer be undone.
    @Test(arguments: [false, true])
    func namesInTextsFollowTheModel(isTransformed: Bool) async throws {
        let file = MigratedStore()
        let entry = OutboxEntry(
            model: "Item", key: "a", position: 5, operation: .update, changedFields: ["name"],
            before: #"{"name":"name"}"#, condition: #"{"name":{"eq":"name"}}"#, payload: #"{"name":"new"}"#,
            attempts: 2,
            notBefore: 3, identity: "ann")
        let item = ShelfItem(
            model: "Item", key: "a", version: 1, lastChangedAt: 1, item: #"{"name":"x"}"#, reason: .conflict)
        let letter = DeadLetter(
            position: 1, model: "Item", key: "a", operation: .update, payload: #"{"name":"y"}"#, failedAt: 1)
        let state = ModelState(
            model: "Item", lastSync: 7, shape: "s", fullSyncAt: 8, generation: 3, token: "t", tokenLabel: 9,
            tokenMode: "delta", tokenCount: 2)
        try await file.open([Self.item]) { store in
            var rows = RowBuffer(columnCount: OutboxEntry.entity.fields.count)
            entry.append(to: &rows)
            _ = try await store.commit(
                CommitRequest(
                    operations: [.put(entity: "__outbox", rows: rows, mode: .insert)]
                        + WriteOperation.put([item.row], in: ShelfItem.entity)
                        + WriteOperation.put([state.row], in: ModelState.entity)
                        + WriteOperation.put([letter.row], in: DeadLetter.entity)))
        }
        let thing = EntitySchema(
            "Thing", fields: [FieldSchema("id", .string), FieldSchema("title", .string), FieldSchema("note", .json)])
        let steps: [ModelMigration] = [
            .renameModel(from: "Item", to: "Thing"), .renameField(model: "Thing", from: "name", to: "title"),
        ]
        let transform: [ModelMigration] = isTransformed ? [.transform(model: "Thing") { $0 }] : []
        let rows = try await file.dump([thing], .migrate(steps + transform))
        let moved = rows["__outbox"]?.compactMap { OutboxEntry($0.cells[...]) }.first
        #expect(moved?.model == "Thing" && moved?.changedFields == ["title"])
        #expect(moved?.before == (isTransformed ? nil : #"{"title":"name"}"#))
        #expect(moved?.condition == #"{"title":{"eq":"name"}}"#)
        #expect(moved?.payload == (isTransformed ? FieldValues.notFrozen : #"{"title":"new"}"#))
        #expect(moved?.attempts == 2 && moved?.notBefore == 3 && moved?.identity == "ann")
        var kept = isTransformed ? ModelState(model: "Thing", lastSync: 7, shape: "s", generation: 3) : state
        kept.model = "Thing"
        #expect(rows["__model_state"]?.compactMap { ModelState($0.cells[...]) } == [kept])
        let shelf = rows["__shelf"]?.compactMap { ShelfItem($0.cells[...]) }.first
        #expect(shelf?.item == (isTransformed ? nil : #"{"title":"x"}"#))
        let moved2 = rows["__dead_letter"]?.compactMap { DeadLetter($0.cells[...]) }.first
        #expect(moved2?.model == "Thing" && moved2?.payload == #"{"title":"y"}"#)
    }

    @Test func theRecordOfACascadeFollowsItsModel() async throws {
        let file = MigratedStore()
        let other = EntitySchema("Other", fields: [FieldSchema("id", .string)])
        var entry = OutboxEntry(model: "Other", key: "o", position: 5, operation: .delete, before: #"{"id":"o"}"#)
        entry.cascade = SendOrder.Record(model: "Item", key: "a")
        let row = entry.row
        try await file.open([Self.item, other]) { store in
            _ = try await store.commit(
                CommitRequest(operations: WriteOperation.put([row], in: OutboxEntry.entity)))
        }
        let thing = EntitySchema("Thing", fields: Self.item.fields)
        let rows = try await file.dump([thing, other], .migrate([.renameModel(from: "Item", to: "Thing")]))
        entry.cascade?.model = "Thing"
        #expect(rows["__outbox"]?.compactMap { OutboxEntry($0.cells[...]) } == [entry])
    }

    /// A change of a removed field alone, after one that is in flight.
    @Test func earlierChangesOfARecordAreStillFound() async throws {
        let file = MigratedStore()
        var sent = OutboxEntry(
            model: "Item", key: "a", position: 5, operation: .update, changedFields: ["name"], baseVersion: 1,
            before: #"{"name":"x"}"#, payload: #"{"name":"y"}"#)
        sent.isNewest = false
        let later = OutboxEntry(
            model: "Item", key: "a", position: 6, operation: .update, changedFields: ["note"], before: #"{"note":1}"#)
        try await file.open([Self.item]) { store in
            var rows = RowBuffer(columnCount: OutboxEntry.entity.fields.count)
            for entry in [sent, later] { entry.append(to: &rows) }
            _ = try await store.commit(
                CommitRequest(operations: [.put(entity: "__outbox", rows: rows, mode: .insert)]))
        }
        let target = EntitySchema("Item", fields: Array(Self.item.fields.prefix(2)))
        let policy = SchemaPolicy.migrate([.removeField(model: "Item", field: "note")])
        try await file.open([target], policy) { store in
            try await store.withSnapshot { snapshot in
                let reader = SyncedRecordReader(snapshot: snapshot, catalog: try ModelCatalog(models: []))
                let found = try await reader.records([RecordKey("a")], of: target)
                #expect(found.first?.record.entries.first == sent)
                #expect(found.first?.record.entries.map(\.changedFields) == [["name"], []])
            }
        }
    }
}
#endif
