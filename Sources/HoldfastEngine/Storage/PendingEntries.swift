import HoldfastStorage

/// The pending outbox entries found for the records of a change.
struct PendingEntries: Sendable {
    private var entries: [RecordKey: (entry: OutboxEntry, version: UInt64)] = [:]

    /// Takes in rows of the outbox as read, version 0 where there is no entry.
    mutating func insert(_ rows: RowBuffer) {
        for row in 0..<rows.rowCount where rows.versions[row] != 0 {
            guard let entry = OutboxEntry(rows[row]) else { continue }
            entries[OutboxEntry.pendingKey(entry.model, entry.key)] = (entry, rows.versions[row])
        }
    }

    /// The newest version read; 0 if there are no entries.
    var newestVersion: UInt64 { entries.values.reduce(0) { max($0, $1.version) } }

    /// The entry of a record and the version it was read at, or `nil`.
    subscript(_ model: String, _ key: String) -> (entry: OutboxEntry, version: UInt64)? {
        entries.isEmpty ? nil : entries[OutboxEntry.pendingKey(model, key)]
    }
}
