import HoldfastStorage

extension Clause {
    /// Numbers beyond 16 bits.
    static let limitsOfCounts: [Clause] = [
        Clause(
            "LIM-018", "Versions and sequences continue beyond 65,535 commits, and are compared in all their digits.",
            catches: "Versions are kept in 16 bits: after so many commits an old version passes for the newest.",
            witness: "preconditions over versions that differ by 65,536", protectsData: true
        ) { context in
            let store = try await context.open(.notes)
            let old = try await store.put("Note", [[.text("old"), .integer(0)]]).sequence
            let distance: UInt64 = 1 << 16
            var last = old
            // Many at a time, so that adapters that share transactions among commits can do so.
            while last < old + distance - 200 {
                last = try await withThrowingTaskGroup(of: UInt64.self) { group in
                    for lane in 0..<64 {
                        group.addTask {
                            let row = RowBuffer(row: [.text("lane\(lane)"), .integer(1)])
                            return try await store.adapter.commit(
                                CommitRequest(
                                    operations: [.put(entity: "Note", rows: row, mode: .upsert)],
                                    durability: Durability.none)
                            ).sequence
                        }
                    }
                    return try await group.reduce(last) { max($0, $1) }
                }
            }
            // A record whose version differs by 2^16 from that of another, or nearly so where sequences have gaps.
            var twin = last
            while twin < old + distance {
                twin = try await store.commit(
                    [.put(entity: "Note", rows: RowBuffer(row: [.text("twin"), .integer(1)]), mode: .upsert)],
                    durability: Durability.none
                ).sequence
            }
            let (oldKey, twinKey) = (RecordKey("old"), RecordKey("twin"))
            let versions = try await store.store.records([oldKey, twinKey], of: "Note").map(\.version)
            try context.expectEqual(versions, [old, twin], "the versions of an old and of a new record")
            let range = { (key: RecordKey) in
                KeyRange("Note", from: .included(key.components), to: .included(key.components))
            }
            for held in [
                Precondition.version(entity: "Note", key: oldKey, old),
                .version(entity: "Note", key: twinKey, twin), .unchanged(range(oldKey), since: old),
                .unchanged(range(oldKey), since: old + distance), .unchanged(range(twinKey), since: twin),
            ] {
                try await store.commit([], if: [held])
                context.witness()
            }
            for broken in [
                Precondition.version(entity: "Note", key: oldKey, old + distance),
                .version(entity: "Note", key: twinKey, twin - distance), .unchanged(range(twinKey), since: old),
                .unchanged(range(twinKey), since: twin - distance),
                .unchanged(KeyRange("Note"), since: twin - distance),
            ] {
                try await context.expectError(.preconditionFailed, from: "a commit if \(broken)") {
                    try await store.commit([], if: [broken])
                }
                context.witness()
            }
            let sequence = try await store.store.withSnapshot { $0.sequence }
            try context.expectEqual(sequence, twin, "the sequence of a snapshot after so many commits")
        }
    ]
}
