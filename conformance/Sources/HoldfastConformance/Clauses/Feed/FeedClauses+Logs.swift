import HoldfastStorage

extension Clause {
    /// What feeds report about keys, migrations and old commits, and when.
    static let feedLogs: [Clause] = [
        Clause(
            "FED-014",
            "Keys of every type, alone and as parts of keys, are reported as they were written, also after reopening.",
            level: .feed, requires: .feature(.changeFeed),
            catches: "The log has an encoding of its own for keys: components change places, bytes become text.",
            witness: "keys reported"
        ) { context in
            let types = MappedType.all
            let entities = types.enumerated().map { number, type in
                // The key's order is not that of the fields.
                EntitySchema(
                    "Key\(number)",
                    fields: [FieldSchema("value", type.type), FieldSchema("note", .int), FieldSchema("part", .string)],
                    primaryKey: number % 2 == 0 ? ["part", "value"] : ["value", "part"])
            }
            let store = try await context.open(StorageSchema(entities: entities))
            var feed = try await FeedReader(store, after: nil, context)
            var expected: [(entity: String, put: Set<RecordKey>, deleted: Set<RecordKey>)] = []
            var last: UInt64 = 0
            for (entity, type) in zip(entities, types) {
                let rows = type.values.prefix(12).flatMap { value in
                    ["", "a"].map { [value, .integer(1), .text($0)] as [Value] }
                }
                var keys: [RecordKey] = []
                for row in rows where !keys.contains(entity.key(of: row)) { keys.append(entity.key(of: row)) }
                try await store.put(entity.name, rows)
                expected.append((entity.name, Set(keys), []))
                let gone = Array(keys.prefix((keys.count + 1) / 2))
                let again = rows.last ?? []
                last = try await store.commit([
                    .delete(entity: entity.name, keys: gone),
                    .put(entity: entity.name, rows: RowBuffer(row: again), mode: .upsert),
                ]).sequence
                expected.append((entity.name, [entity.key(of: again)], Set(gone).subtracting([entity.key(of: again)])))
            }
            func check(_ delivered: [CommittedChange], _ when: String) throws {
                try context.expectEqual(delivered.count, expected.count, "the commits reported\(when)")
                for (change, expected) in zip(delivered, expected) {
                    for (isPut, keys) in [(true, expected.put), (false, expected.deleted)] {
                        let found = change.records.filter { $0.effect.isPut == isPut && $0.entity == expected.entity }
                        try context.expect(
                            found.count == keys.count && Set(found.map(\.key)) == keys,
                            "Of commit \(change.sequence) of \(expected.entity) other keys are reported than were "
                                + "written\(when).")
                        context.witness(keys.count)
                    }
                }
            }
            try check(try await feed.commits(through: last), "")
            guard store.isPersistent else { return }
            let again = try await store.reopen()
            var second = try await FeedReader(again, after: 0, context)
            try check(try await second.commits(through: last), " after reopening")
        },
        Clause(
            "FED-015",
            "What was committed before a migration is reported as forgotten; entities and keys that no longer exist "
                + "are never reported.",
            level: .feed, requires: .all([.feature(.changeFeed), .persistence]),
            catches: "The log outlives the tables it speaks of, and its reader asks for an entity that does not exist.",
            witness: "feeds begun before a migration"
        ) { context in
            let store = try await context.open(.notes, .others)
            let first = try await store.put("Note", [[.text("a"), .integer(1)]]).sequence
            try await store.put("Other", [[.text("o"), .integer(1)]])
            let last = try await store.put("Note", [[.text("b"), .integer(2)]]).sequence
            try await store.store.close()
            let target = EntitySchema(
                "Memo", fields: [FieldSchema("number", .int), FieldSchema("note", .id)],
                primaryKey: ["number"])
            let schema = try StorageSchema(entities: [.others, target])
            let again = try await context.open(schema, at: store.location) { _ in
                SchemaMigration(steps: [.init(from: .notes, to: target) { [$0[1], $0[0]] }])
            }
            let next = try await again.put("Memo", [[.integer(9), .text("n")]]).sequence
            for start in [0, first, last - 1] where start < last {
                var feed = try await FeedReader(again, after: start, context)
                var (position, isForgotten) = (start, false)
                while position < next {
                    switch try await feed.next() {
                    case .gap(let through)?:
                        try context.expect(
                            through > position && through < next,
                            "Forgotten through \(through), at \(position), before commit \(next).")
                        (position, isForgotten) = (through, true)
                    case .commits(let commits)?:
                        for commit in commits {
                            try context.expect(
                                commit.sequence > last,
                                "Commit \(commit.sequence), from before a migration, is reported.")
                            let names = Set(commit.records.map(\.entity) + commit.wholeEntities)
                            try context.expect(
                                names.isSubset(of: ["Memo", "Other"]), "Commit \(commit.sequence) is of other entities."
                            )
                            position = commit.sequence
                        }
                    case nil: throw ClauseFailure("The feed ended while the store was open.")
                    }
                }
                try context.expect(
                    isForgotten,
                    "A feed begun at \(start) does not report that what was before a migration is forgotten.")
                await feed.close()
                context.witness()
            }
        },
    ]
}
