import HoldfastStorage

extension Clause {
    static let versionStores = [
        version(
            "VER-010", "The order by version is that of all commits, also of those before the store was opened again.",
            requires: .persistence, catches: "The order is kept in memory, and begins with each handle.",
            witness: "records from before"
        ) { context in
            var rows = try await VersionedStore(context)
            for round in 0..<4 {
                try await rows.put(Array(round * 9..<round * 9 + 12), "round \(round)")
                try await rows.delete([round * 5])
                try await rows.reopen()
                context.witness(try await rows.expectAgrees(VersionRange("Row"), " after reopening"))
                try await rows.expectAgrees(VersionRange("Row", after: rows.sequences[0]), " after reopening")
            }
        },
        version(
            "VER-011",
            "A scan by version gives the same answer for an entity that is not ordered by version.",
            catches: "Without the index nothing is found, or the scan is refused.", witness: "records without the order"
        ) { context in
            var rows = try await VersionedStore(context, .unversionedRows)
            for start in stride(from: 0, to: 40, by: 10) { try await rows.put(Array((start..<start + 10).reversed())) }
            try await rows.put([3, 22, 9], "again")
            try await rows.delete([4, 30])
            context.witness(try await rows.expectAgrees())
            let (first, last) = (rows.sequences[1], rows.sequences[4])
            try await rows.expectAgrees(VersionRange("Row", after: first, through: last))
            let cursor = VersionCursor(version: first, key: VersionedStore.key(14))
            for limit in [nil, 0, 5] {
                try await rows.expectAgrees(VersionRange("Row", cursor: cursor, limit: limit))
            }
            // So many that what need not be kept is given up on the way.
            for start in stride(from: 0, to: 3_000, by: 500) {
                try await rows.commit([
                    .put(
                        entity: "Row",
                        rows: RowBuffer(rows: (start..<start + 500).map { [.null, .text("m"), .integer(Int64($0))] }),
                        mode: .upsert)
                ])
            }
            for limit in [nil, 3, 700] { try await rows.expectAgrees(VersionRange("Row", after: first, limit: limit)) }
        },
        version(
            "VER-012",
            "An entity that is ordered by version from now on has the order of all its records; one that was not for a "
                + "while has it too.",
            requires: .persistence,
            catches: "The index holds only what was written since it was made, or what was there when it was dropped.",
            witness: "records from before"
        ) { context in
            var rows = try await VersionedStore(context, .unversionedRows)
            for start in stride(from: 0, to: 40, by: 10) { try await rows.put(Array((start..<start + 10).reversed())) }
            try await rows.put([3, 22, 9], "again")
            for round in 0..<3 {
                try await rows.reopen(.versionedRows)
                context.witness(try await rows.expectAgrees(VersionRange("Row"), " after the change of the schema"))
                try await rows.put([round, 50 + round], "ordered")
                try await rows.expectAgrees()
                try await rows.reopen(.unversionedRows)
                try await rows.put([30 + round, 60 + round], "not ordered")
                try await rows.delete([10 + round])
                try await rows.expectAgrees()
            }
        },
        version(
            "VER-013", "A migration leaves the records their versions, and their order.",
            requires: .persistence, catches: "The records are put again one by one, and the rewritten ones come last.",
            witness: "records migrated"
        ) { context in
            var rows = try await VersionedStore(context)
            for start in stride(from: 0, to: 40, by: 10) { try await rows.put(Array((start..<start + 10).reversed())) }
            try await rows.put([7, 8], "again")
            try await rows.migrate("migrated")
            context.witness(try await rows.expectAgrees(VersionRange("Row"), " after a migration"))
            try await rows.put([31])
            try await rows.expectAgrees(VersionRange("Row", after: rows.sequences[2]))
            try await rows.reopen()
            try await rows.expectAgrees()
        },
    ]

    static let versionHistories = [
        version(
            "VER-014",
            "Whatever commits do to records in any order, the scan by version shows each record once, where its last commit "
                + "put it.",
            catches: "A record that one commit writes twice, or deletes and creates, has two entries or none.",
            witness: "commits compared"
        ) { context in
            var random = SplitMix64(seed: context.seed)
            var rows = try await VersionedStore(context)
            for round in 0..<60 {
                var operations: [WriteOperation] = []
                for step in 0..<random.below(4) + 1 {
                    let numbers = (0..<random.below(6) + 1).map { _ in random.below(40) }
                    switch random.below(20) {
                    case 0: operations.append(.clear(entity: "Row"))
                    case 1...5: operations.append(VersionedStore.delete(numbers))
                    default: operations.append(VersionedStore.put(numbers, "\(round) \(step)"))
                    }
                }
                try await rows.commit(operations)
                try await rows.expectAgrees()
                let edges = [0, .max] + rows.sequences
                let cursor = VersionCursor(version: random.pick(edges), key: VersionedStore.key(random.below(40)))
                try await rows.expectAgrees(
                    VersionRange(
                        "Row", after: random.pick(edges), through: random.pick(edges),
                        cursor: random.chance(50) ? cursor : nil, limit: random.chance(50) ? random.below(9) : nil))
                context.witness()
            }
            if rows.store.store.capabilities.support(for: .verification) != .unsupported {
                try context.expectEqual(try await rows.store.store.verify(), [], "the defects of a sound store")
            }
        }
    ]
}
