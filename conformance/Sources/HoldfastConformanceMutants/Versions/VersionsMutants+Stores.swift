import HoldfastConformance
import HoldfastStorage

extension Mutant {
    static let versionSnapshots = [
        Mutant(
            "version-scan-of-newest", "A scan by version shows what is committed when it begins, not its snapshot.",
            killedBy: "VER-006"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.scanningVersions = { range, snapshot throws(StorageError) in
                    let newest = try await base.snapshot()
                    if newest.sequence != snapshot.sequence { trigger.fire() }
                    return try await newest.scan(range)
                }
            }
        },
        Mutant(
            "version-pages-by-offset", "A cursor stands for as many records as were delivered before it.",
            killedBy: "VER-007"
        ) { base, trigger in
            let offset = Mutex(0)
            return HookedAdapter(base) { hooks in
                hooks.scanningVersions = { range, snapshot throws(StorageError) in
                    var scan = try await snapshot.scan(range)
                    let right = try await scan.drain()
                    var whole = range.asked
                    whole.cursor = nil
                    whole.limit = nil
                    var all = try await snapshot.scan(StorageSchema(entities: [range.entity]).bind(whole))
                    if range.cursor == nil { offset.withLock { $0 = 0 } }
                    let skipped = offset.withLock { $0 }
                    let rows = Array(try await all.drain().dropFirst(skipped).prefix(range.limit ?? .max))
                    offset.withLock { $0 += rows.count }
                    if rows != right { trigger.fire() }
                    return RowsScan(rows: rows, columnCount: range.entity.fields.count)
                }
            }
        },
        Mutant(
            "version-order-lags", "The newest commit is missing from what is newer than a version.", killedBy: "VER-008"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.scanningVersions = { range, snapshot throws(StorageError) in
                    var scan = try await snapshot.scan(range)
                    let right = try await scan.drain()
                    let rows = range.after == 0 ? right : right.filter { $0.version != snapshot.sequence }
                    if rows != right { trigger.fire() }
                    return RowsScan(rows: rows, columnCount: range.entity.fields.count)
                }
            }
        },
        Mutant(
            "version-rows-outlive-snapshot", "Sorted rows are delivered after their snapshot was closed.",
            killedBy: "VER-009"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.scanningVersions = { range, snapshot throws(StorageError) in
                    var scan = try await snapshot.scan(range)
                    let rows = try await scan.drain()
                    trigger.fire()
                    return RowsScan(rows: rows, columnCount: range.entity.fields.count)
                }
            }
        },
    ]

    /// Creates a mutant of the order of records that were there when the store was opened.
    private init(
        _ id: String, _ summary: String, killedBy clause: String,
        older change:
            @escaping @Sendable (BoundVersionRange, SharedHandleState.Content, [StoredRow]) -> [StoredRow]
    ) {
        self.init(
            id, summary, killedBy: clause,
            noting: { hooks, notes, _, trigger in
                hooks.scanningVersions = { range, snapshot throws(StorageError) in
                    var scan = try await snapshot.scan(range)
                    let right = try await scan.drain()
                    let rows = change(range, notes.with { $0 }, right)
                    if rows != right { trigger.fire() }
                    return RowsScan(rows: rows, columnCount: range.entity.fields.count)
                }
            })
    }

    static let versionStores = [
        Mutant(
            "version-order-in-memory", "The order by version knows what this handle wrote.", killedBy: "VER-010",
            older: { _, notes, rows in
                notes.openingCount < 2 ? rows : rows.filter { $0.version > notes.sequenceAtOpening }
            }),
        Mutant(
            "version-order-made-empty", "The order by version begins empty when an entity is given it.",
            killedBy: "VER-012",
            older: { range, notes, rows in
                guard range.entity.isOrderedByVersion,
                    notes.schemas.dropLast().last?.entities.contains(where: \.isOrderedByVersion) == false
                else { return rows }
                return rows.filter { $0.version > notes.sequenceAtOpening }
            }),
        Mutant(
            "version-order-returns-as-it-was", "An order that comes back lacks what was written meanwhile.",
            killedBy: "VER-012",
            older: { range, notes, rows in
                guard range.entity.isOrderedByVersion,
                    notes.schemas.dropLast().contains(where: { $0.entities.contains(where: \.isOrderedByVersion) })
                else { return rows }
                return rows.filter { $0.cells[0] != .text("not ordered") }
            }),
        Mutant(
            "version-order-of-migration", "Migrated records are in key order.", killedBy: "VER-013",
            older: { range, notes, rows in
                guard notes.openingCount > 1 else { return rows }
                return rows.sorted { range.key($0) < range.key($1) }
            }),
    ]
}
