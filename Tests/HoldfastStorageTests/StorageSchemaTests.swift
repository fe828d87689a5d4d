import HoldfastStorage
import Testing

struct StorageSchemaTests {
    private static let id = FieldSchema("id", .id)

    @Test(arguments: [
        [EntitySchema("E", fields: [])],
        [EntitySchema("E", fields: [id], primaryKey: [])],
        [EntitySchema("E", fields: [id], primaryKey: ["nope"])],
        [EntitySchema("E", fields: [id], primaryKey: ["id", "id"])],
        [EntitySchema("E", fields: [id, id])],
        [EntitySchema("E", fields: [id]), EntitySchema("E", fields: [id])],
        [EntitySchema("", fields: [id])],
        [EntitySchema("E\u{0}", fields: [id])],
        [EntitySchema("E", fields: [id, FieldSchema("", .int)])],
        [EntitySchema("E", fields: [id, FieldSchema("a\u{0}b", .int)])],
        [EntitySchema("E", fields: [id, FieldSchema(String(repeating: "é", count: 128), .int)])],
        [EntitySchema("E", fields: [FieldSchema("id", .list(of: .id, elementsAreRequired: true))])],
        [EntitySchema("E", fields: [id], indexes: [IndexSchema("i", on: [])])],
        [EntitySchema("E", fields: [id], indexes: [IndexSchema("i", on: ["nope"])])],
        [EntitySchema("E", fields: [id], indexes: [IndexSchema("i", on: ["id", "id"])])],
        [EntitySchema("E", fields: [id], indexes: [IndexSchema("", on: ["id"])])],
        [EntitySchema("E", fields: [id], indexes: [IndexSchema("i", on: ["id"]), IndexSchema("i", on: ["id"])])],
        [
            EntitySchema(
                "E", fields: [id, FieldSchema("l", .list(of: .int, elementsAreRequired: true))],
                indexes: [IndexSchema("i", on: ["l"])])
        ],
    ])
    func schemaThatBreaksARuleIsRefused(_ entities: [EntitySchema]) {
        #expect(throws: StorageError(.schemaMismatch, "")) { try StorageSchema(entities: entities) }
    }

    @Test func namesAreCaseSensitiveAndUpTo255Bytes() throws {
        let long = String(repeating: "é", count: 127) + "e"
        let schema = try StorageSchema(entities: [
            EntitySchema("Post", fields: [FieldSchema("Name", .int), FieldSchema("name", .id)], primaryKey: ["name"]),
            EntitySchema("post", fields: [FieldSchema(long, .id)], primaryKey: [long]),
        ])
        #expect(try schema.entity(named: "post").primaryKeyPositions == [0])
        #expect(try schema.entity(named: "Post").primaryKeyPositions == [1])
        #expect(throws: StorageError(.schemaMismatch, "")) { try schema.entity(named: "POST") }
    }

    @Test func fieldsOfTheKeyAreRequired() throws {
        let entity = EntitySchema(
            "E", fields: [FieldSchema("a", .int), FieldSchema("b", .int), FieldSchema("c", .int)],
            primaryKey: ["c", "a"])
        #expect(entity.fields.map(\.isRequired) == [true, false, true])
        #expect(entity.primaryKeyPositions == [2, 0])
        #expect(entity.key(of: [.integer(1), .null, .integer(3)]) == RecordKey([.integer(3), .integer(1)]))
    }

    @Test func totalOrderAddsTheKeyFieldsThatTheSortLacks() {
        let entity = EntitySchema(
            "E", fields: [FieldSchema("a", .int), FieldSchema("b", .int), FieldSchema("c", .int)],
            primaryKey: ["a", "b"])
        #expect(
            entity.totalOrder([SortKey("c"), SortKey("b", .descending)])
                == [SortKey("c"), SortKey("b", .descending), SortKey("a")])
    }

    @Test func valueShapesBelongToStorageTypes() {
        #expect(StorageType.json.admits(.text("{}")))
        #expect(StorageType.integer.admits(.null))
        #expect(!StorageType.integer.admits(.double(1)))
        #expect(StorageType.list(.text).admits(.list([.text("a"), .null])))
        #expect(!StorageType.list(.text).admits(.list([.integer(1)])))
        #expect(!StorageType.text.admits(.list([])))
    }
}

struct SchemaChangeTests {
    private static let base = EntitySchema(
        "E", fields: [FieldSchema("id", .id), FieldSchema("n", .int), FieldSchema("r", .string, isRequired: true)],
        indexes: [IndexSchema("byN", on: ["n"])])

    private func change(_ old: [EntitySchema], _ new: [EntitySchema]) throws -> SchemaChange {
        SchemaChange(from: try StorageSchema(entities: old), to: try StorageSchema(entities: new))
    }

    private static func entity(
        _ fields: [FieldSchema], key: [String] = ["id"], indexes: [IndexSchema] = base.indexes
    ) -> EntitySchema {
        EntitySchema("E", fields: fields, primaryKey: key, indexes: indexes)
    }

    @Test(arguments: [
        (base, [], true),
        (entity(base.fields.reversed()), [], true),
        (
            entity(base.fields + [FieldSchema("o", .int)]),
            [SchemaChange.Difference.fieldAdded(entity: "E", field: "o", isRequired: false)], true
        ),
        (
            entity(base.fields + [FieldSchema("o", .int, isRequired: true)]),
            [.fieldAdded(entity: "E", field: "o", isRequired: true)], false
        ),
        (entity([base.fields[0], base.fields[1]]), [.fieldRemoved(entity: "E", field: "r")], false),
        (
            entity([base.fields[0], FieldSchema("n", .float), base.fields[2]]),
            [.fieldTypeChanged(entity: "E", field: "n")], false
        ),
        (entity([base.fields[0], FieldSchema("n", .timestamp), base.fields[2]]), [], true),
        (entity([base.fields[0], base.fields[1], FieldSchema("r", .email, isRequired: true)]), [], true),
        (
            entity([base.fields[0], FieldSchema("n", .int, isRequired: true), base.fields[2]]),
            [.fieldBecameRequired(entity: "E", field: "n")], false
        ),
        (
            entity([base.fields[0], base.fields[1], FieldSchema("r", .string)]),
            [.fieldBecameOptional(entity: "E", field: "r")], false
        ),
        (entity(base.fields, key: ["id", "r"]), [.primaryKeyChanged(entity: "E")], false),
        (entity(base.fields, indexes: []), [.indexRemoved(entity: "E", index: "byN")], true),
        (
            entity(base.fields, indexes: base.indexes + [IndexSchema("byR", on: ["r"])]),
            [.indexAdded(entity: "E", index: "byR")], true
        ),
        (
            entity(base.fields, indexes: [IndexSchema("byN", on: ["n"], isUnique: true)]),
            [.indexRemoved(entity: "E", index: "byN"), .indexAdded(entity: "E", index: "byN")], true
        ),
    ])
    func changeIsNamedAndClassified(
        _ new: EntitySchema, _ differences: [SchemaChange.Difference], _ isAdditive: Bool
    ) throws {
        let change = try change([Self.base], [new])
        #expect(change.differences == differences)
        #expect(change.isAdditive == isAdditive)
    }

    @Test func entitiesComeAndGo() throws {
        let other = EntitySchema("F", fields: [FieldSchema("id", .id)])
        #expect(try change([Self.base], [other, Self.base]).differences == [.entityAdded("F")])
        #expect(try change([Self.base], [other, Self.base]).isAdditive)
        #expect(try change([Self.base, other], [Self.base]).differences == [.entityRemoved("F")])
        #expect(try !change([Self.base, other], [Self.base]).isAdditive)
    }

    @Test func differencesReadAsSentences() {
        let difference = SchemaChange.Difference.fieldAdded(entity: "E", field: "o", isRequired: true)
        #expect("\(difference)" == "required field 'E.o' was added")
    }
}
