import HoldfastConformance
import HoldfastEngine
import HoldfastModel
import HoldfastStorage

extension Clause {
    private typealias First = ToolVersions.First
    private typealias Second = ToolVersions.Second
    private typealias Third = ToolVersions.Third
    private typealias Owner = ToolVersions.Owner

    static let engineSchemas = [
        eng(
            "ENG-076",
            "New models, new optional fields and new indexes are made in place: records, versions and queue stay.",
            requires: .persistence, catches: "The table is copied, with new versions; cells move to the next column.",
            witness: "records after the change", protectsData: true
        ) { context in
            let store = try await oldTools(context)
            let before = try await store.dump()
            let again = try await store.reopen(Second.models)
            let owner = Owner("o", name: "Ann")
            var tools = (0..<25).map {
                Second.Tool("t\(100 + $0)", name: toolName($0), size: $0, owner: $0 < 5 ? owner : nil)
            }
            try await again.compare(tools, " after a field was added")
            let after = try await again.dump()
            for entity in ["Tool", "Owner", "__outbox"] {
                try context.expectEqual(
                    after.rows[entity]?.map(\.version), before.rows[entity]?.map(\.version), "the versions of \(entity)"
                )
            }
            try context.expectEqual(after.rows["__outbox"], before.rows["__outbox"], "the outbox")
            context.witness(tools.count)
            tools[3] = Second.Tool("t103", colour: "red", name: "n3", size: 3, owner: owner)
            try await again.data.save(tools[3])
            try await again.data.save(Second.Loan("l", tool: tools[3]))
            let named = try await again.data.query(Second.Tool.self, where: Second.Tool.CodingKeys.name == "n2")
            try context.expectEqual(
                named.map(\.id), tools.filter { $0.name == "n2" }.map(\.id), "the tools found by the new index")
            try await again.expectHolds(tools)
        },
        eng(
            "ENG-077",
            "Models that differ in more than additions are refused with the list of differences; nothing changes.",
            requires: .persistence, catches: "Half of the change is made before the first difference is seen.",
            witness: "stores that stayed as they were", protectsData: true
        ) { context in
            let store = try await oldTools(context)
            let before = try await store.dump()
            try await store.data.close()
            for (policy, parts) in [
                (SchemaPolicy.refuse, ["'Tool'"]),
                (.migrate([.renameModel(from: "Tool", to: "Device")]), ["size", "grade"]),
            ] {
                let error = try await context.expectError(.schemaMismatch, from: "opening with other models") {
                    _ = try await context.openEngine(
                        Third.models, DataStoreOptions(schemaPolicy: policy), at: store.location)
                }
                let said = error.message
                for part in parts {
                    try context.expect(said.contains(part), "The error does not mention \(part): \(said)")
                }
                let again = try await context.openEngine(First.models, at: store.location)
                try context.expect(try await again.dump() == before, "A refused change changed something.")
                try await again.data.close()
                context.witness()
            }
        },
        eng(
            "ENG-078", "Models that differ start empty under the policy to rebuild; all others keep records and queue.",
            requires: .persistence,
            catches: "Everything is emptied, or the queue keeps changes of records that are gone.",
            witness: "models that were kept", protectsData: true
        ) { context in
            let store = try await oldTools(context)
            let before = try await store.dump()
            var options = DataStoreOptions(schemaPolicy: .rebuild)
            let again = try await store.reopen(Third.models, options)
            try context.expectEqual(try await again.data.count(Third.Device.self), 0, "the devices")
            let after = try await again.dump()
            try context.expectEqual(after.rows["Owner"], before.rows["Owner"], "the owners")
            try context.expectEqual(
                after.rows["__outbox"], before.rows["__outbox"]?.filter { $0.cells[0] == .text("Owner") }, "the outbox")
            context.witness()
            let device = Third.Device("d", size: "1", grade: 1, owner: Owner("o"))
            try await again.data.save(device)
            options.schemaPolicy = .refuse
            try await again.reopen(nil, options).expectHolds([device])
        },
    ]

    static let engineMigrations = [
        eng(
            "ENG-079", "Steps rename, fill and transform every record; versions stay and the queue follows.",
            requires: .persistence,
            catches: "What is renamed is deleted and created again; the last batch is left as it was.",
            witness: "records migrated", protectsData: true
        ) { context in
            let store = try await oldTools(context, count: 260)
            let before = try await store.dump()
            let again = try await store.reopen(Third.models, DataStoreOptions(schemaPolicy: .migrate(steps())))
            let owner = Owner("o", name: "Ann")
            let devices = (0..<260).map { number in
                Third.Device(
                    "t\(100 + number)", label: toolName(number) ?? "?", size: "\(number) mm", grade: 3,
                    owner: number < 5 ? owner : nil)
            }
            try await again.compare(devices, " after the migration")
            let after = try await again.dump()
            try context.expectEqual(
                after.rows["Device"]?.map(\.version), before.rows["Tool"]?.map(\.version), "the versions of the records"
            )
            let entries = try await again.data.outboxEntries()
            try context.expectEqual(
                entries.map { "\($0.operation) \($0.model) \($0.key) \($0.changedFields.joined(separator: ","))" },
                ["update Device t103 label,size", "create Owner p ", "delete Device t099 "], "the outbox")
            context.witness(devices.count)
            let found = try await again.data.query(
                Third.Device.self, where: Third.Device.CodingKeys.owner == owner, sort: .descending("size"))
            try context.expectEqual(found.map(\.id), ["t104", "t103", "t102", "t101", "t100"], "the owner's devices")
            let third = try await again.reopen(nil, DataStoreOptions(schemaPolicy: .migrate(steps())))
            try await third.compare(devices, " after opening again with the same steps")
            try await third.reopen(nil, DataStoreOptions()).expectHolds(devices)
        },
        eng(
            "ENG-080", "A step may drop records; the others keep their place, and relations to them are followed.",
            requires: .persistence, catches: "A dropped record shifts those after it.", witness: "records migrated",
            protectsData: true
        ) { context in
            let store = try await oldTools(context, count: 30)
            let drop = ModelMigration.transform(model: "Device") { record in
                if case .integer(let size) = record.stored("size"), size % 4 == 1 { return nil }
                return record
            }
            let again = try await store.reopen(
                Third.models, DataStoreOptions(schemaPolicy: .migrate(steps() + [drop])))
            let devices = (0..<30).filter { $0 % 4 != 1 }.map { number in
                Third.Device(
                    "t\(100 + number)", label: toolName(number) ?? "?", size: "\(number) mm", grade: 3,
                    owner: number < 5 ? Owner("o") : nil)
            }
            try await again.expectHolds(devices)
            context.witness(devices.count)
        },
        eng(
            "ENG-081",
            "A migration that is interrupted leaves the old store, at whatever record; the next one does it all.",
            requires: .persistence, catches: "Some records are new, others old; the next opening takes it for done.",
            witness: "interruptions", protectsData: true
        ) { context in
            let store = try await oldTools(context, count: 40)
            let before = try await store.dump()
            try await store.data.close()
            for size in [0, 1, 20, 39] {
                let fails = ModelMigration.transform(model: "Device") { record in
                    if record.stored("size") == .integer(Int64(size)) { throw ClauseSkip("interrupted") }
                    return record
                }
                do {
                    _ = try await context.openEngine(
                        Third.models, DataStoreOptions(schemaPolicy: .migrate(steps() + [fails])), at: store.location)
                    throw ClauseFailure("A migration whose step fails must fail.")
                } catch is ClauseSkip {
                    context.witness()
                }
                let again = try await context.openEngine(First.models, at: store.location)
                try context.expect(try await again.dump() == before, "An interrupted migration changed something.")
                try await again.data.close()
            }
            let migrated = try await context.openEngine(
                Third.models, DataStoreOptions(schemaPolicy: .migrate(steps())), at: store.location)
            try context.expectEqual(try await migrated.data.count(Third.Device.self), 40, "the devices")
            let few = try await migrated.data.query(Third.Device.self, where: Third.Device.CodingKeys.size == "39 mm")
            try context.expectEqual(few.map(\.grade), [3], "the grade of the last device")
        },
    ]

    /// The name of the tool of a number: a third of them do not have one, except the one that is changed.
    private static func toolName(_ number: Int) -> String? { number % 3 == 0 && number != 3 ? nil : "n\(number % 5)" }

    /// A store of the first version with tools and a queue of one change of each kind.
    private static func oldTools(_ context: ClauseContext, count: Int = 25) async throws -> EngineStore {
        let store = try await context.openEngine(First.models)
        let owner = Owner("o", name: "Ann")
        try await store.data.save(owner)
        let tools = (0..<count).map {
            First.Tool("t\(100 + $0)", name: toolName($0), size: $0, owner: $0 < 5 ? owner : nil)
        }
        try await store.data.save(First.Tool("t103", name: "old", size: -1, owner: owner))
        try await store.data.save(tools.filter { $0.id != "t103" })
        try await store.data.save(First.Tool("t099"))
        try await store.sendOutbox()
        try await store.data.save(First.Tool("t103", name: "n3", size: 3, owner: owner))
        try await store.data.save(Owner("p"))
        try await store.data.delete(First.Tool("t099"))
        return store
    }

    /// The way from the first version to the third.
    private static func steps() -> [ModelMigration] {
        [
            .renameModel(from: "Tool", to: "Device"),
            .renameField(model: "Device", from: "name", to: "label"),
            .setDefault(model: "Device", field: "grade", value: .integer(3)),
            .setDefault(model: "Device", field: "label", value: .text("?")),
            .transform(model: "Device") { record in
                var record = record
                if case .integer(let size) = record.stored("size") { record["size"] = .text("\(size) mm") }
                return record
            },
        ]
    }
}
