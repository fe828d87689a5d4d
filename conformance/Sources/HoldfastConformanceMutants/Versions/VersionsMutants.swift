import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of the order by version.
    static let versions: [Mutant] = versionOrder + versionChanges + versionSnapshots + versionStores

    /// Creates a mutant that changes the rows a scan by version delivers.
    private init(
        _ id: String, _ summary: String, killedBy clause: String,
        versions change: @escaping @Sendable (BoundVersionRange, [StoredRow]) -> [StoredRow]
    ) {
        self.init(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.scanningVersions = { range, snapshot throws(StorageError) in
                    var scan = try await snapshot.scan(range)
                    let right = try await scan.drain()
                    let rows = change(range, right)
                    if rows != right { trigger.fire() }
                    return RowsScan(rows: rows, columnCount: range.entity.fields.count)
                }
            }
        }
    }

    /// Creates a mutant that asks for another range of versions, and cuts what it gets.
    private init(
        _ id: String, _ summary: String, killedBy clause: String,
        asking change: @escaping @Sendable (inout VersionRange) -> Void
    ) {
        self.init(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.scanningVersions = { range, snapshot throws(StorageError) in
                    var other = range.asked
                    change(&other)
                    if other != range.asked { trigger.fire() }
                    return try await snapshot.scan(StorageSchema(entities: [range.entity]).bind(other))
                }
            }
        }
    }

    private static let versionOrder = [
        Mutant(
            "version-ties-reversed", "Records of one commit come in the opposite order of their keys.",
            killedBy: "VER-001",
            versions: { range, rows in
                rows.sorted { ($0.version, range.key($1)) < ($1.version, range.key($0)) }
            }),
        Mutant(
            "version-scan-in-key-order", "The records of a range of versions come in key order.", killedBy: "VER-001",
            versions: { range, rows in rows.sorted { range.key($0) < range.key($1) } }),
        Mutant(
            "version-after-included", "The records of the version `after` are delivered too.", killedBy: "VER-002",
            asking: { range in if range.after > 0, range.cursor == nil { range.after -= 1 } }),
        Mutant(
            "version-through-excluded", "The records of the version `through` are left out.", killedBy: "VER-002",
            asking: { range in if range.through < .max, range.through > 0 { range.through -= 1 } }),
        Mutant(
            "version-through-signed", "A bound beyond 63 bits is taken for a negative number.", killedBy: "VER-002",
            asking: { range in if range.through > UInt64(Int64.max) { range.through = 0 } }),
        Mutant(
            "version-cursor-passes-over-commit", "A cursor skips the rest of its commit.", killedBy: "VER-003",
            asking: { range in
                guard let cursor = range.cursor else { return }
                range.after = max(range.after, cursor.version)
                range.cursor = nil
            }),
        Mutant(
            "version-cursor-begins-commit-again", "A cursor begins its commit again.", killedBy: "VER-003",
            asking: { range in
                guard let cursor = range.cursor else { return }
                range.after = max(range.after, cursor.version - 1)
                range.cursor = nil
            }),
        Mutant(
            "version-limit-ignored", "A scan by version delivers all records, whatever its limit.", killedBy: "VER-003",
            asking: { $0.limit = nil }),
        Mutant(
            "version-order-unknown", "An entity without the order has no records to scan by version.",
            killedBy: "VER-011",
            versions: { range, rows in range.entity.isOrderedByVersion ? rows : [] }),
        Mutant(
            "version-prune-drops-largest-keys", "What a limited scan need not keep is chosen by key.",
            killedBy: "VER-011",
            versions: { range, rows in
                guard !range.entity.isOrderedByVersion, let limit = range.limit, limit > 100 else { return rows }
                return rows.filter { $0.cells.last != .integer(499) }
            }),
    ]

    private static let versionChanges = [
        Mutant(
            "version-entry-of-replaced-stays", "A replaced record is delivered at its former version too.",
            killedBy: "VER-004", remembering: { _, _, isStored in isStored }),
        Mutant(
            "version-entry-of-deleted-stays", "A deleted record is still delivered by a scan by version.",
            killedBy: "VER-005", remembering: { _, _, isStored in !isStored }),
        Mutant("version-of-record-put-twice", "A record that one commit puts twice is left out.", killedBy: "VER-014") {
            base, trigger in
            let twice = Mutex<Set<UInt64>>([])
            return HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    let receipt = try await base.commit(request)
                    let puts = request.operations.filter { if case .put = $0 { true } else { false } }
                    if puts.count > 1 { twice.withLock { _ = $0.insert(receipt.sequence) } }
                    return receipt
                }
                hooks.scanningVersions = { range, snapshot throws(StorageError) in
                    var scan = try await snapshot.scan(range)
                    let right = try await scan.drain()
                    let rows = right.filter { row in
                        !twice.withLock { $0.contains(row.version) } || row.cells[0] == .text("")
                    }
                    if rows != right { trigger.fire() }
                    return RowsScan(rows: rows, columnCount: range.entity.fields.count)
                }
            }
        },
    ]

    /// Creates a mutant that continues to deliver rows that it has delivered once.
    ///
    /// `stays` gets the range, the row, and whether its record is still stored. It returns whether the row stays.
    private init(
        _ id: String, _ summary: String, killedBy clause: String,
        remembering stays: @escaping @Sendable (BoundVersionRange, StoredRow, Bool) -> Bool
    ) {
        self.init(id, summary, killedBy: clause) { base, trigger in
            let seen = Mutex<[StoredRow]>([])
            return HookedAdapter(base) { hooks in
                hooks.scanningVersions = { range, snapshot throws(StorageError) in
                    var scan = try await snapshot.scan(range)
                    let right = try await scan.drain()
                    let stored = Set(try await snapshot.allRecords(of: range.entity.name).map(range.key))
                    let old = seen.withLock { seen in
                        defer { seen += right.filter { !seen.contains($0) } }
                        return seen.filter { !right.contains($0) && stays(range, $0, stored.contains(range.key($0))) }
                    }
                    let inside = old.filter { row in
                        row.cells.withUnsafeBufferPointer { range.contains($0, version: row.version) }
                    }
                    if !inside.isEmpty { trigger.fire() }
                    let rows = (right + inside).sorted { ($0.version, range.key($0)) < ($1.version, range.key($1)) }
                    return RowsScan(rows: rows, columnCount: range.entity.fields.count)
                }
            }
        }
    }
}

extension BoundVersionRange {
    /// The range as it was asked for.
    var asked: VersionRange {
        VersionRange(entity.name, after: after, through: through, cursor: cursor, limit: limit)
    }

    /// The key of a row of the entity.
    func key(_ row: StoredRow) -> RecordKey { entity.key(of: row.cells) }
}
