import HoldfastStorage

extension Clause {
    /// The order of records by version.
    static let versions: [Clause] =
        versionOrder + versionPages + versionChanges + versionSnapshots + versionStores + versionHistories

    static func version(
        _ id: String, _ rule: String, requires requirement: Requirement? = nil, catches: String, witness: String,
        check: @escaping Check
    ) -> Clause {
        Clause(id, rule, level: .query, requires: requirement, catches: catches, witness: witness, check: check)
    }

    private static let versionOrder = [
        version(
            "VER-001",
            "A scan by version delivers the records in the order of the commits that last wrote them, and those of one "
                + "commit in key order.",
            catches:
                "An index on the version alone leaves the records of one commit in the order in which they were written.",
            witness: "records of one commit"
        ) { context in
            var rows = try await VersionedStore(context)
            for start in stride(from: 0, to: 60, by: 12) { try await rows.put(Array((start..<start + 12).reversed())) }
            for number in 60..<64 { try await rows.put([number]) }
            try await rows.expectAgrees()
            context.witness(rows.records.count)
        },
        version(
            "VER-002", "A range of versions begins after `after` and ends with `through`; turned round, it is empty.",
            catches: "A change at the watermark is delivered twice, or the last one before the horizon never.",
            witness: "ranges compared"
        ) { context in
            var rows = try await VersionedStore(context)
            for number in 0..<9 { try await rows.put([number, number + 20, number + 40]) }
            let edges = [0, 1] + rows.sequences + [rows.sequences[8] + 1, UInt64(Int64.max), .max]
            for after in edges {
                for through in edges {
                    try await rows.expectAgrees(VersionRange("Row", after: after, through: through))
                    context.witness()
                }
            }
        },
    ]

    private static let versionPages = [
        version(
            "VER-003",
            "A scan by version with a cursor delivers what follows it, whether or not there is a record at the "
                + "cursor, and never more than its limit.",
            catches: "A cursor that compares the version alone skips the rest of a large commit.",
            witness: "pages compared"
        ) { context in
            var rows = try await VersionedStore(context)
            for start in stride(from: 0, to: 60, by: 20) { try await rows.put(Array(start..<start + 20)) }
            try await rows.delete([5, 25])
            let (first, last) = (rows.sequences[0], rows.sequences[2])
            for size in [1, 2, 7, 20, 100] {
                var range = VersionRange("Row", after: first - 1, through: last, limit: size)
                var isLast = false
                while !isLast {
                    let page = rows.expected(range)
                    try await rows.expectAgrees(range)
                    context.witness()
                    isLast = page.count < size
                    guard let row = page.last else { break }
                    range.cursor = VersionCursor(
                        version: row.version, key: EntitySchema.versionedRows.key(of: row.cells))
                }
            }
            for (version, number) in [(first, 5), (rows.sequences[1], 25), (first, 59), (last, 0), (last + 1, 0)] {
                let cursor = VersionCursor(version: version, key: VersionedStore.key(number))
                for after in [0, first, rows.sequences[1], last] {
                    try await rows.expectAgrees(VersionRange("Row", after: after, cursor: cursor, limit: 9))
                    try await rows.expectAgrees(VersionRange("Row", after: after, cursor: cursor))
                }
            }
            for limit in [0, 1, 59] { try await rows.expectAgrees(VersionRange("Row", limit: limit)) }
        }
    ]

    private static let versionChanges = [
        version(
            "VER-004",
            "A replaced record is where its last commit put it and nowhere else, also if its cells are the same.",
            catches: "The entry of the old version stays in the index, and the record is delivered twice.",
            witness: "records replaced"
        ) { context in
            var rows = try await VersionedStore(context)
            try await rows.put(Array(0..<30))
            try await rows.expectAgrees()
            for round in 1...3 {
                let numbers = Array(stride(from: round, to: 30, by: 3))
                try await rows.put(numbers, round == 2 ? "" : "round \(round)")
                try await rows.expectAgrees()
                try await rows.expectAgrees(VersionRange("Row", through: rows.sequences[0]))
                context.witness(numbers.count)
            }
        },
        version(
            "VER-005",
            "A deleted record, and every record of a cleared entity, is gone from the scan by version; one that is created "
                + "again has the version of that commit.",
            catches: "Deletion forgets the entry in the index, which then names a record that is not there.",
            witness: "records deleted"
        ) { context in
            var rows = try await VersionedStore(context)
            try await rows.put(Array(0..<30))
            try await rows.put(Array(10..<20), "again")
            try await rows.expectAgrees()
            try await rows.delete([3, 12, 13, 29])
            try await rows.expectAgrees(VersionRange("Row"), " after a deletion")
            try await rows.put([12, 29], "back")
            try await rows.expectAgrees(VersionRange("Row"), " after creating two again")
            try await rows.commit([VersionedStore.put([40]), .clear(entity: "Row"), VersionedStore.put([1, 41])])
            try await rows.expectAgrees(VersionRange("Row"), " after clearing")
            try await rows.commit([.clear(entity: "Row")])
            try await rows.expectAgrees()
            try await rows.put([2, 1])
            try await rows.expectAgrees()
            context.witness(35)
        },
    ]
}
