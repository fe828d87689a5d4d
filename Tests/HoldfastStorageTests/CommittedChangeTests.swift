import HoldfastStorage
import Testing

@Suite struct CommittedChangeTests {
    private static let note = EntitySchema("Note", fields: [FieldSchema("id", .id)])
    private static let key = RecordKey("a")

    private static func put(_ mode: WriteOperation.PutMode) -> WriteOperation {
        .put(entity: "Note", rows: RowBuffer(row: [.text("a")]), mode: mode)
    }
    private static let delete = WriteOperation.delete(entity: "Note", keys: [key])

    private static func effect(
        _ operations: [WriteOperation], _ preconditions: [Precondition] = []
    ) throws -> CommittedChange.Effect? {
        let request = CommitRequest(preconditions: preconditions, operations: operations)
        let change = try CommittedChange(of: request, sequence: 1, in: StorageSchema(entities: [note]))
        #expect(change.records.count == 1)
        return change.records.first?.effect
    }

    @Test func theModeOfTheFirstPutDecidesWhetherTheRecordIsNew() throws {
        #expect(try Self.effect([Self.put(.insert)]) == .created)
        #expect(try Self.effect([Self.put(.update)]) == .replaced)
        #expect(try Self.effect([Self.put(.upsert)]) == .put)
        #expect(try Self.effect([Self.put(.insert), Self.put(.update)]) == .created)
        #expect(try Self.effect([Self.put(.update), Self.put(.upsert)]) == .replaced)
        #expect(try Self.effect([Self.put(.upsert), Self.put(.update)]) == .put)
    }

    @Test func aDeletionBetweenPutsIsNotReported() throws {
        #expect(try Self.effect([Self.delete, Self.put(.insert)]) == .put)
        #expect(try Self.effect([Self.put(.update), Self.delete, Self.put(.insert)]) == .replaced)
        #expect(try Self.effect([Self.put(.insert), Self.delete, Self.put(.insert)]) == .created)
        #expect(try Self.effect([Self.put(.insert), Self.delete]) == .deleted)
        #expect(try Self.effect([Self.delete]) == .deleted)
    }

    @Test func preconditionsShowWhatWasThereBefore() throws {
        let absent = Precondition.absent(entity: "Note", key: Self.key)
        let present = Precondition.present(entity: "Note", key: Self.key)
        let version = Precondition.version(entity: "Note", key: Self.key, 7)
        let other = Precondition.absent(entity: "Note", key: RecordKey("b"))
        #expect(try Self.effect([Self.put(.upsert)], [absent]) == .created)
        #expect(try Self.effect([Self.put(.upsert)], [other, present]) == .replaced)
        #expect(try Self.effect([Self.put(.upsert)], [version]) == .replaced)
        #expect(try Self.effect([Self.delete, Self.put(.insert)], [version]) == .replaced)
        #expect(try Self.effect([Self.put(.upsert)], [other]) == .put)
        #expect(try Self.effect([Self.delete], [version]) == .deleted)
    }
}
