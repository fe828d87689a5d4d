#if SQLite
import HoldfastStorage
import HoldfastConformance
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

/// One kind of difference between the models of two versions of an application.
struct ModelDifference: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let new: [EntitySchema]
    let isAdditive: Bool
    /// Steps that cover it.
    var steps: [ModelMigration] = []
    /// The rows of the first model then.
    var migrated: [[Value]] = ModelDifference.rows

    static let item = EntitySchema(
        "Item",
        fields: [
            FieldSchema("id", .id), FieldSchema("name", .string), FieldSchema("size", .int, isRequired: true),
        ],
        indexes: [IndexSchema("by_size", on: ["size"])])
    static let other = EntitySchema("Other", fields: [FieldSchema("id", .id), FieldSchema("note", .string)])
    static let old = [item, other]
    static let rows: [[Value]] = [
        [.text("a"), .text("Ann"), .integer(1)], [.text("b"), .null, .integer(2)],
        [.text("c"), .text("Cid"), .integer(3)],
    ]

    static func items(
        named name: String = "Item", _ fields: [FieldSchema], key: [String] = ["id"], index: [IndexSchema]? = nil
    ) -> [EntitySchema] {
        [EntitySchema(name, fields: fields, primaryKey: key, indexes: index ?? item.indexes), other]
    }

    static let id = FieldSchema("id", .id)
    static let name = FieldSchema("name", .string)
    static let size = FieldSchema("size", .int, isRequired: true)

    static let all: [ModelDifference] = [
        ModelDifference(testDescription: "nothing", new: old, isAdditive: true),
        ModelDifference(
            testDescription: "new model", new: old + [EntitySchema("New", fields: [id])], isAdditive: true),
        ModelDifference(
            testDescription: "new optional field", new: items([id, FieldSchema("more", .date), name, size]),
            isAdditive: true, migrated: rows.map { [$0[0], .null, $0[1], $0[2]] }),
        ModelDifference(
            testDescription: "new index",
            new: items([id, name, size], index: [IndexSchema("by_name", on: ["name"])]),
            isAdditive: true),
        ModelDifference(
            testDescription: "new required field",
            new: items([id, name, size, FieldSchema("more", .boolean, isRequired: true)]), isAdditive: false,
            steps: [.setDefault(model: "Item", field: "more", value: .boolean(true))],
            migrated: rows.map { $0 + [.boolean(true)] }),
        ModelDifference(
            testDescription: "required",
            new: items([id, FieldSchema("name", .string, isRequired: true), size]),
            isAdditive: false, steps: [.setDefault(model: "Item", field: "name", value: .text("?"))],
            migrated: rows.map { [$0[0], $0[1].isNull ? .text("?") : $0[1], $0[2]] }),
        ModelDifference(
            testDescription: "optional", new: items([id, name, FieldSchema("size", .int)]), isAdditive: false),
        ModelDifference(
            testDescription: "removed field", new: items([id, size]), isAdditive: false,
            steps: [.removeField(model: "Item", field: "name")], migrated: rows.map { [$0[0], $0[2]] }),
        ModelDifference(
            testDescription: "renamed field", new: items([id, FieldSchema("title", .string), size]),
            isAdditive: false, steps: [.renameField(model: "Item", from: "name", to: "title")]),
        ModelDifference(
            testDescription: "renamed model", new: items(named: "Thing", [id, name, size]), isAdditive: false,
            steps: [.renameModel(from: "Item", to: "Thing")]),
        ModelDifference(
            testDescription: "removed model", new: [other], isAdditive: false, steps: [.removeModel("Item")],
            migrated: []),
        ModelDifference(
            testDescription: "other type",
            new: items([id, name, FieldSchema("size", .string, isRequired: true)]), isAdditive: false,
            steps: [
                .transform(model: "Item") { record in
                    var record = record
                    if case .integer(let size) = record.stored("size") { record["size"] = .text("\(size)") }
                    return record
                }
            ], migrated: zip(rows, ["1", "2", "3"]).map { [$0[0], $0[1], .text($1)] }),
        ModelDifference(
            testDescription: "other key", new: items([id, name, size], key: ["size", "id"]), isAdditive: false,
            steps: [.transform(model: "Item") { $0 }]),
    ]
}

@Suite struct SchemaPolicyTests {
    /// A store of the old models with rows and unsent changes.
    func store() async throws -> MigratedStore {
        let stored = MigratedStore()
        try await stored.open(ModelDifference.old) { store in
            for row in ModelDifference.rows { try await store.put(ModelDifference.item, [row]) }
            try await store.put(ModelDifference.other, [[.text("o"), .text("note")]])
            try await store.put([
                OutboxEntry(model: "Item", key: "a", position: 1, operation: .create),
                OutboxEntry(
                    model: "Item", key: "b", position: 2, operation: .update, changedFields: ["name", "size"]),
                OutboxEntry(model: "Other", key: "o", position: 3, operation: .update, changedFields: ["note"]),
            ])
        }
        return stored
    }

    @Test(arguments: ModelDifference.all)
    func changesAreRefusedUnlessAdditive(_ difference: ModelDifference) async throws {
        let stored = try await store()
        let before = try await stored.dump(ModelDifference.old)
        if difference.isAdditive {
            let after = try await stored.dump(difference.new)
            #expect(after["Item"]?.map(\.cells) == difference.migrated)
            #expect(after["Item"]?.map(\.version) == before["Item"]?.map(\.version))
            #expect(after["__outbox"] == before["__outbox"])
            #expect(after["Other"] == before["Other"])
        } else {
            let bytes = stored.bytes
            for policy in [SchemaPolicy.refuse, .migrate([])] {
                if difference.testDescription == "optional", case .migrate = policy.kind { continue }
                let error = await schemaError { _ = try await stored.dump(difference.new, policy) }
                #expect(error?.kind == .schemaMismatch)
                #expect(error?.message.contains("'Item") == true)
            }
            #expect(stored.bytes == bytes)
            #expect(try await stored.dump(ModelDifference.old) == before)
        }
    }

    @Test(arguments: ModelDifference.all)
    func rebuiltModelsStartEmptyAndAllElseStays(_ difference: ModelDifference) async throws {
        let stored = try await store()
        let before = try await stored.dump(ModelDifference.old)
        let after = try await stored.dump(difference.new, .rebuild)
        let name = difference.new[0].name
        #expect(after["Other"] == before["Other"])
        if difference.isAdditive {
            #expect(after["Item"]?.map(\.cells) == difference.migrated)
            #expect(after["__outbox"] == before["__outbox"])
        } else {
            if name != "Other" { #expect(after[name] == []) }
            #expect(after["__outbox"] == before["__outbox"]?.filter { $0.cells[0] == .text("Other") })
        }
        #expect(try await stored.dump(difference.new) == after)
    }

    @Test(arguments: ModelDifference.all)
    func migratedModelsKeepRowsVersionsAndQueuedChanges(_ difference: ModelDifference) async throws {
        let stored = try await store()
        let before = try await stored.dump(ModelDifference.old)
        let after = try await stored.dump(difference.new, .migrate(difference.steps))
        let name = difference.new[0].name
        #expect(after["Other"] == before["Other"])
        if name != "Other" {
            #expect(after[name]?.map(\.cells) == difference.migrated)
            #expect(after[name]?.map(\.version) == before["Item"]?.map(\.version))
            #expect(after["__outbox"]?.count == 3)
        } else {
            #expect(after["__outbox"]?.count == 1)
        }
        #expect(try await stored.dump(difference.new, .migrate(difference.steps)) == after)
        #expect(try await stored.dump(difference.new) == after)
    }

    @Test func allDifferencesThatNoStepCoversAreListed() async throws {
        let stored = try await store()
        let new = ModelDifference.items([
            ModelDifference.id, FieldSchema("size", .float, isRequired: true),
            FieldSchema("more", .int, isRequired: true),
        ])
        let error = await schemaError {
            _ = try await stored.dump(Array(new.prefix(1)), .migrate([.removeField(model: "Item", field: "name")]))
        }
        let message = error?.message ?? ""
        #expect(message.contains("required field 'Item.more' was added"))
        #expect(message.contains("the type of 'Item.size' changed"))
        #expect(message.contains("entity 'Other' was removed"))
        #expect(!message.contains("name"))
    }

    @Test func stepsForWhatDoesNotExistAreRefused() async throws {
        let stored = try await store()
        let new = ModelDifference.items([ModelDifference.id, ModelDifference.size])
        for step in [
            ModelMigration.transform(model: "Itme") { $0 }, .setDefault(model: "Item", field: "szie", value: .null),
            .setDefault(model: "Itme", field: "size", value: .null),
        ] {
            let error = await schemaError {
                _ = try await stored.dump(new, .migrate([.removeField(model: "Item", field: "name"), step]))
            }
            #expect(error?.kind == .schemaMismatch)
        }
    }
}
#endif
