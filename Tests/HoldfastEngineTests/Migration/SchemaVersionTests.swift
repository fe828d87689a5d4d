import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

@Suite struct SchemaVersionTests {
    let id = FieldSchema("id", .id)
    let name = FieldSchema("name", .string)

    func hash(_ entities: EntitySchema...) -> String { SchemaVersion(of: entities).hash }

    @Test func theHashNeverChanges() {
        #expect(hash() == "6c62272e07bb014262b821756295c58d")
        #expect(hash(EntitySchema("A", fields: [id])) == "d9e2bd052b3b252ab44501fc8194b7d5")
    }

    @Test func orderAndTypesThatAreStoredAlikeDoNotCount() {
        let one = EntitySchema("A", fields: [id, name])
        let two = EntitySchema("B", fields: [id])
        #expect(hash(one, two) == hash(two, EntitySchema("A", fields: [FieldSchema("name", .email), id])))
    }

    @Test func whatAffectsStorageCounts() {
        let all = [
            hash(EntitySchema("A", fields: [id, name])), hash(EntitySchema("B", fields: [id, name])),
            hash(EntitySchema("A", fields: [id])), hash(EntitySchema("A", fields: [id, FieldSchema("name", .int)])),
            hash(EntitySchema("A", fields: [id, FieldSchema("name", .string, isRequired: true)])),
            hash(EntitySchema("A", fields: [id, name], primaryKey: ["name"])),
            hash(EntitySchema("A", fields: [id, name], primaryKey: ["name", "id"])),
            hash(EntitySchema("A", fields: [id, name], indexes: [IndexSchema("i", on: ["name"])])),
            hash(EntitySchema("A", fields: [id, name], indexes: [IndexSchema("i", on: ["name"], isUnique: true)])),
            hash(EntitySchema("A", fields: [id, FieldSchema("name", .list(of: .string, elementsAreRequired: true))])),
        ]
        #expect(Set(all).count == all.count)
    }

    @Test(arguments: EngineAdapter.all)
    func theVersionIsASettingOfTheStore(_ adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        #expect(try await store.setting("schemaVersion") == store.schemaVersion.hash)
        #expect(store.schemaVersion == SchemaVersion(of: store.catalog.entities))
        try await store.close()
    }
}
