import HoldfastGraphQL
import HoldfastSchema
import HoldfastStorage
import Testing

@testable import HoldfastServer

/// The table of versions: every row for every strategy.
@Suite struct DecisionTests {
    let model: ServerModel

    init() throws {
        let text = """
            type Player @model @auth(rules: [{ allow: public }]) {
              id: ID!
              name: String
              jersey: Int
              interests: [String]
              points: [Int]
              stats: Stats
              notes: AWSJSON
            }
            type Stats { ppg: Float apg: Float rpg: Float }
            """
        let schema = try ServerSchema(sources: [Source(text)], defaultMode: .apiKey, sets: ["Player.interests"])
        model = try #require(schema.model("Player"))
    }

    /// A row of the fields that are given, at a version.
    func row(_ fields: [String: Value], version: Int64, isDeleted: Bool = false) -> [Value] {
        var row = [Value](repeating: .null, count: model.entity.fields.count)
        var fields = fields
        fields["id"] = .text("1")
        fields["_version"] = .integer(version)
        fields["_lastChangedAt"] = .integer(100)
        fields["_deleted"] = isDeleted ? .boolean(true) : .null
        for (name, value) in fields { row[model.entity.position(of: name)!] = value }
        return row
    }

    func mutation(
        _ operation: MutationOperation, _ fields: [String: Value] = [:], version: Int64 = 0,
        condition: Predicate? = nil, now: Int64 = 1_000
    ) throws -> Mutation {
        Mutation(
            operation, key: RecordKey("1"),
            changes: fields.map { Mutation.Change(model.entity.position(of: $0.key)!, $0.value) }, version: version,
            condition: try condition.map { try RecordFilter($0, on: model) }, now: now, tombstoneLife: 60)
    }

    func value(_ decision: MutationDecision, _ field: String) -> Value? {
        guard case .write(let row) = decision else { return nil }
        return row[model.entity.position(of: field)!]
    }

    /// What becomes of a mutation, in one word.
    func outcome(_ decision: MutationDecision) -> String {
        switch decision {
        case .write(let row): "v\(model.version(of: row))\(model.isDeleted(row) ? " deleted" : "")"
        case .conflict: "conflict"
        case .conditionFailed: "condition"
        case .ask: "ask"
        }
    }

    static let rows: [(String, MutationOperation, stored: (Int64, Bool)?, Int64, [String])] = [
        ("create", .create, nil, 0, ["v1", "v1", "v1"]),
        ("create, stored", .create, (3, false), 0, ["condition", "condition", "condition"]),
        ("create, tombstone", .create, (3, true), 0, ["condition", "condition", "condition"]),
        ("update, equal", .update, (3, false), 3, ["v4", "v4", "v4"]),
        ("update, lower", .update, (3, false), 2, ["conflict", "v4", "ask"]),
        ("update, missing", .update, (3, false), 0, ["conflict", "v4", "ask"]),
        ("update, higher", .update, (3, false), 9, ["conflict", "v4", "ask"]),
        ("delete, equal", .delete, (3, false), 3, ["v4 deleted", "v4 deleted", "v4 deleted"]),
        ("delete, lower", .delete, (3, false), 2, ["conflict", "conflict", "ask"]),
        ("delete, missing", .delete, (3, false), 0, ["conflict", "conflict", "ask"]),
        ("delete, higher", .delete, (3, false), 9, ["conflict", "conflict", "ask"]),
        ("update tombstone, equal", .update, (3, true), 3, ["conflict", "v4", "ask"]),
        ("update tombstone, lower", .update, (3, true), 2, ["conflict", "conflict", "ask"]),
        ("update, unknown", .update, nil, 1, ["condition", "condition", "condition"]),
        ("delete, unknown", .delete, nil, 1, ["condition", "condition", "condition"]),
    ]

    @Test(arguments: rows.indices) func versionsDecide(index: Int) throws {
        let (name, operation, stored, version, expected) = Self.rows[index]
        let record = stored.map { row(["name": .text("old")], version: $0.0, isDeleted: $0.1) }
        let strategies: [ConflictStrategy] = [.optimisticConcurrency, .automerge, .handler]
        for (strategy, expected) in zip(strategies, expected) {
            let decision = model.decide(
                try mutation(operation, operation == .delete ? [:] : ["name": .text("new")], version: version),
                stored: record, strategy: strategy)
            #expect(outcome(decision) == expected, "\(name), \(strategy)")
        }
    }

    @Test func conditionsAreJudgedAfterVersions() throws {
        let stored = row(["name": .text("old")], version: 3)
        let wrong = Predicate.compare("name", .equal, .text("other"))
        func decide(_ operation: MutationOperation, _ version: Int64, _ strategy: ConflictStrategy) throws -> String {
            let mutation = try mutation(operation, ["name": .text("new")], version: version, condition: wrong)
            return outcome(model.decide(mutation, stored: stored, strategy: strategy))
        }
        #expect(try decide(.update, 3, .optimisticConcurrency) == "condition")
        #expect(try decide(.delete, 3, .automerge) == "condition")
        #expect(try decide(.update, 2, .optimisticConcurrency) == "conflict")
        #expect(try decide(.update, 2, .automerge) == "condition")
        #expect(try decide(.update, 2, .handler) == "condition")
    }

    @Test func serviceSetsVersionAndTimes() throws {
        let stored = row(["name": .text("old")], version: 3)
        let update = model.decide(
            try mutation(.update, ["name": .null], version: 3, now: 50), stored: stored, strategy: .automerge)
        #expect(value(update, "name") == .null)
        #expect(value(update, "_lastChangedAt") == .integer(101))
        let deletion = model.decide(
            try mutation(.delete, version: 3, now: 5_000), stored: stored, strategy: .automerge)
        #expect(value(deletion, "name") == .text("old"))
        #expect(value(deletion, "_deleted") == .boolean(true))
        #expect(value(deletion, "_ttl") == .integer(65))
        let revival = model.decide(
            try mutation(.update, version: 4), stored: row([:], version: 4, isDeleted: true), strategy: .automerge)
        #expect(value(revival, "_deleted") == .null)
        #expect(value(revival, "_ttl") == .null)
    }

    /// The sequence of the guide: {name, jersey}, then lists and a set, then a map.
    @Test func automergeMergesByType() throws {
        func texts(_ texts: String...) -> Value { .list(texts.map(Value.text)) }
        func numbers(_ numbers: Int64...) -> Value { .list(numbers.map(Value.integer)) }
        var stored = row(["name": .text("N"), "jersey": .integer(5)], version: 4)
        func merge(_ fields: [String: Value], _ version: Int64) throws {
            let decision = model.decide(
                try mutation(.update, fields, version: version), stored: stored, strategy: .automerge)
            guard case .write(let row) = decision else {
                Issue.record("not written")
                return
            }
            stored = row
        }
        func field(_ name: String) -> Value { stored[model.entity.position(of: name)!] }
        try merge(["jersey": .integer(55)], 2)
        #expect(field("jersey") == .integer(5))
        try merge(
            ["name": .text("S"), "interests": texts("b", "l", "d"), "points": numbers(24, 30, 27)], 3)
        #expect(field("name") == .text("N"))
        try merge(["interests": texts("b", "l", "brunch"), "points": numbers(30, 35)], 5)
        #expect(field("interests") == texts("b", "l", "d", "brunch"))
        #expect(field("points") == numbers(24, 30, 27, 30, 35))
        try merge(["stats": .text(#"{"ppg":35.4,"apg":6.3}"#)], 7)
        #expect(model.version(of: stored) == 8)
        try merge(["stats": .text(#"{"ppg":25.7,"rpg":6.9}"#)], 3)
        #expect(field("stats") == .text(#"{"ppg":35.4,"apg":6.3,"rpg":6.9}"#))
        #expect(model.version(of: stored) == 9)
        try merge(["notes": .text(#"{"a":[1],"b":{"c":1}}"#)], 0)
        try merge(["notes": .text(#"{"a":[1,2],"b":{"c":2,"d":null},"e":3}"#), "name": .null], 0)
        #expect(field("notes") == .text(#"{"a":[1,1,2],"b":{"c":1,"d":null},"e":3}"#))
        #expect(field("name") == .text("N"))
    }

    /// Values of many parts, of which each must not be compared with every other one.
    @Test(arguments: [5, 17, 20_000]) func largeValuesAreMerged(count: Int) {
        func object(_ range: Range<Int>, _ value: Int) -> Value {
            .text("{" + range.map { "\"m\($0)\":[\(value)]" }.joined(separator: ",") + "}")
        }
        let merged = (0..<count * 2).map { "\"m\($0)\":\($0 < 3 ? "[1]" : $0 < count ? "[1,2]" : "[2]")" }
        #expect(
            Merging.map.merge(object(0..<count, 1), object(3..<count * 2, 2))
                == .text("{" + merged.joined(separator: ",") + "}"))
        func list(_ range: Range<Int>) -> Value { .list(range.map { .integer(Int64($0)) }) }
        #expect(Merging.set.merge(list(0..<count), list(3..<count * 2)) == list(0..<count * 2))
        #expect(Merging.set.merge(.list([]), .list([.integer(1), .integer(1)])) == .list([.integer(1)]))
    }
}
