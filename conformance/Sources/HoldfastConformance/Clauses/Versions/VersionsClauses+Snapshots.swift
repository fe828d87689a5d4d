import HoldfastStorage

extension Clause {
    static let versionSnapshots = [
        version(
            "VER-006",
            "A scan by version shows what its snapshot sees, whatever is committed before it begins and while it runs.",
            catches: "An index that is changed in place moves records to the end of a scan that has begun.",
            witness: "records of an old snapshot"
        ) { context in
            var rows = try await VersionedStore(context)
            for start in stride(from: 0, to: 40, by: 8) { try await rows.put(Array(start..<start + 8)) }
            let before = rows
            let snapshot = try await rows.store.store.snapshot()
            var scan = try await snapshot.scan(VersionRange("Row"))
            var batch = RowBuffer()
            var found: [StoredRow] = []
            var number = 0
            repeat {
                try await scan.next(maximumRowCount: 5, into: &batch)
                found += batch.storedRows
                try await rows.put([number, number + 50], "later")
                try await rows.delete([39 - number])
                number += 1
            } while !batch.isEmpty
            try context.expectEqual(found, before.expected(VersionRange("Row")), "the rows of a scan in progress")
            try await before.expectAgrees(VersionRange("Row"), in: snapshot, " in an old snapshot")
            try await before.expectAgrees(
                VersionRange("Row", after: before.sequences[2]), in: snapshot, " in an old snapshot")
            await snapshot.close()
            try await rows.expectAgrees()
            context.witness(found.count)
        },
        version(
            "VER-007",
            "Pages by cursor of later and later snapshots, up to the sequence of the first, deliver every "
                + "unchanged record exactly once.",
            catches: "Pages by offset skip as many records as were replaced or deleted before them.",
            witness: "pages between commits"
        ) { context in
            var rows = try await VersionedStore(context)
            for start in stride(from: 0, to: 60, by: 6) { try await rows.put(Array(start..<start + 6)) }
            let horizon = rows.sequences[9]
            var range = VersionRange("Row", through: horizon, limit: 4)
            var found: [StoredRow] = []
            var changed: Set<RecordKey> = []
            for number in 0..<60 {
                let page = try await rows.store.store.withSnapshot { try await $0.rows(range) }
                found += page
                context.witness()
                guard let last = page.last else { break }
                range.cursor = VersionCursor(
                    version: last.version, key: EntitySchema.versionedRows.key(of: last.cells))
                let numbers = [(number * 5) % 60, 59 - number]
                try await rows.commit([VersionedStore.put([numbers[0]], "later"), VersionedStore.delete([numbers[1]])])
                changed.formUnion(numbers.map(VersionedStore.key))
                if changed.count > 40 { break }
            }
            while let last = found.last {
                range.cursor = VersionCursor(version: last.version, key: EntitySchema.versionedRows.key(of: last.cells))
                let page = try await rows.store.store.withSnapshot { try await $0.rows(range) }
                if page.isEmpty { break }
                found += page
            }
            let keys = found.map { EntitySchema.versionedRows.key(of: $0.cells) }
            try context.expectEqual(
                Set(keys).count, keys.count, "the number of different records among those delivered")
            let unchanged = rows.expected(VersionRange("Row", through: horizon))
            try context.expectEqual(
                found.filter { !changed.contains(EntitySchema.versionedRows.key(of: $0.cells)) }, unchanged,
                "the records that were not changed")
        },
        version(
            "VER-008",
            "A reader that asks again and again for what is newer than the sequence of its last snapshot misses no "
                + "commit while others write.",
            catches: "A commit becomes visible with a sequence that a reader has passed already.",
            witness: "records taken over"
        ) { context in
            let store = try await context.open(.versionedRows)
            var copy: [RecordKey: StoredRow] = [:]
            var horizon: UInt64 = 0
            func read() async throws {
                let snapshot = try await store.store.snapshot()
                for row in try await snapshot.rows(VersionRange("Row", after: horizon)) {
                    copy[EntitySchema.versionedRows.key(of: row.cells)] = row
                    context.witness()
                }
                horizon = snapshot.sequence
                await snapshot.close()
            }
            async let first: Void = Clause.write(0, to: store)
            async let second: Void = Clause.write(1, to: store)
            async let third: Void = Clause.write(2, to: store)
            for number in 0..<40 {
                try await store.commit([VersionedStore.put([70 + number], "own")])
                try await read()
            }
            _ = try await (first, second, third)
            try await read()
            let stored = try await store.store.rows(QueryPlan("Row"))
            let taken = copy.sorted { $0.key < $1.key }.map(\.value)
            try context.expectEqual(taken, stored, "the records that the reader took over")
        },
        version(
            "VER-009", "A scan by version ends with its snapshot: later calls fail with `closed`.",
            catches: "Rows that were sorted in memory are delivered from a store that is closed.",
            witness: "scans ended"
        ) { context in
            var rows = try await VersionedStore(context)
            try await rows.put(Array(0..<30))
            let snapshot = try await rows.store.store.snapshot()
            var scan = try await snapshot.scan(VersionRange("Row"))
            var batch = RowBuffer()
            try await scan.next(maximumRowCount: 2, into: &batch)
            try context.expectEqual(batch.rowCount, 2, "the rows of the first batch")
            await snapshot.close()
            try await context.expectError(.closed, from: "a scan by version of a closed snapshot") {
                try await scan.next(maximumRowCount: 100, into: &batch)
            }
            try await context.expectError(.closed, from: "beginning a scan by version on a closed snapshot") {
                _ = try await snapshot.rows(VersionRange("Row"))
            }
            context.witness(2)
        },
    ]

    /// Replaces records, a few at a time.
    private static func write(_ writer: Int, to store: TestStore) async throws {
        for round in 0..<40 {
            let numbers = [(round * 3 + writer) % 60, 60 + writer, (round * 7 + writer) % 20]
            try await store.commit([VersionedStore.put(Set(numbers).sorted(), "\(writer) \(round)")])
        }
    }
}
