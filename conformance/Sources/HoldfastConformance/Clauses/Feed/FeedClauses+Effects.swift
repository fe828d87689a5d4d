import HoldfastStorage

extension Clause {
    /// What feeds report about new records, and about others.
    static let feedEffects: [Clause] = [
        Clause(
            "FED-018",
            "A record that a commit creates is reported as created, one that it replaces as replaced; a feed that does "
                + "not know which reports it as put, and never as the other.",
            level: .feed, requires: .feature(.changeFeed),
            catches: "Every upsert is logged as an insertion, or what a commit deletes and puts again as a new record.",
            witness: "effects reported"
        ) { context in
            let store = try await context.open(.notes)
            var feed = try await FeedReader(store, after: nil, context)
            func put(_ key: String, _ mode: WriteOperation.PutMode) -> WriteOperation {
                .put(entity: "Note", rows: RowBuffer(row: [.text(key), .integer(1)]), mode: mode)
            }
            func key(_ key: String) -> RecordKey { RecordKey(key) }
            let delete = { (key: String) in WriteOperation.delete(entity: "Note", keys: [RecordKey(key)]) }
            var version: UInt64 = 0
            var expected: [(what: String, effects: [String: CommittedChange.Effect])] = []
            func commit(
                _ what: String, _ operations: [WriteOperation], if preconditions: [Precondition] = [],
                _ effects: [String: CommittedChange.Effect]
            ) async throws {
                version = try await store.commit(operations, if: preconditions).sequence
                expected.append((what, effects))
            }
            try await commit("an insertion", [put("a", .insert)], ["a": .created])
            try await commit("an update", [put("a", .update)], ["a": .replaced])
            try await commit("an upsert of a record", [put("a", .upsert)], ["a": .replaced])
            try await commit(
                "an upsert of a record of a version", [put("a", .upsert)],
                if: [.version(entity: "Note", key: key("a"), version)], ["a": .replaced])
            try await commit("an upsert of a new record", [put("b", .upsert)], ["b": .created])
            try await commit(
                "an upsert of an absent record", [put("c", .upsert)], if: [.absent(entity: "Note", key: key("c"))],
                ["c": .created])
            try await commit(
                "an upsert of a present record", [put("c", .upsert), put("d", .insert)],
                if: [.present(entity: "Note", key: key("c"))], ["c": .replaced, "d": .created])
            try await commit("an insertion and an update", [put("e", .insert), put("e", .update)], ["e": .created])
            try await commit("a deletion and an insertion", [delete("e"), put("e", .insert)], ["e": .replaced])
            try await commit(
                "an update, a deletion, and an insertion", [put("e", .update), delete("e"), put("e", .insert)],
                ["e": .replaced])
            try await commit(
                "an insertion, a deletion, and an insertion", [put("f", .insert), delete("f"), put("f", .insert)],
                ["f": .created])
            try await commit(
                "an insertion and a deletion", [put("g", .insert), delete("g"), delete("f")],
                ["f": .deleted, "g": .deleted])
            try await commit("an insertion after a deletion", [put("f", .insert)], ["f": .created])
            let delivered = try await feed.commits(through: version)
            try context.expectEqual(delivered.count, expected.count, "the commits reported")
            for (change, expected) in zip(delivered, expected) {
                for record in change.records {
                    guard case .text(let key)? = record.key.components.first, let effect = expected.effects[key] else {
                        throw ClauseFailure("Of \(expected.what) a record is reported that it did not touch.")
                    }
                    try context.expect(
                        record.effect == effect || record.effect == .put && effect.isPut,
                        "Of \(expected.what) the record is reported as \(record.effect), not as \(effect).")
                    context.witness()
                }
                try context.expectEqual(change.records.count, expected.effects.count, "the records of \(expected.what)")
            }
        }
    ]
}
