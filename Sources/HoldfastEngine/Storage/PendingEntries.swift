import HoldfastStorage

/// The pending outbox entries found for the records of a change, by record key text.
struct PendingEntries: Sendable {
    /// Rows of the outbox as read.
    var rows = RowBuffer()
    private var entries: [RecordKey: (entry: OutboxEntry, version: UInt64)] = [:]

    /// Takes in ``rows``.
    mutating func index() {
        entries = [:]
        for row in 0..<rows.rowCount where rows.versions[row] != 0 {
            if let entry = OutboxEntry(rows[row]) { entries[RecordKey(entry.key)] = (entry, rows.versions[row]) }
        }
    }

    /// The entry of a record and the version it was read at, or `nil`.
    subscript(_ key: String) -> (entry: OutboxEntry, version: UInt64)? { entries[RecordKey(key)] }
}
