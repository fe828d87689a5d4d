import HoldfastStorage

/// What was found for the records of a change: their newest outbox entries and what the service said of them.
struct PendingEntries: Sendable {
    private var entries: [RecordKey: (entry: OutboxEntry, version: UInt64)] = [:]
    private var serviceVersions: [RecordKey: Int64?] = [:]

    /// Takes in rows of the outbox as read, version 0 where there is no entry.
    mutating func insert(_ rows: RowBuffer) {
        for row in 0..<rows.rowCount where rows.versions[row] != 0 {
            guard let entry = OutboxEntry(rows[row]) else { continue }
            entries[OutboxEntry.newestKey(entry.model, entry.key)] = (entry, rows.versions[row])
        }
    }

    /// Takes in the service's version of a record; `nil` if it never mentioned it.
    mutating func insert(serviceVersion: Int64?, of model: String, _ key: String) {
        serviceVersions[OutboxEntry.newestKey(model, key)] = .some(serviceVersion)
    }

    /// The versions at which the entries were read.
    var versions: [UInt64] { entries.values.map(\.version) }

    /// The newest entry of a record and the version it was read at, or `nil`.
    subscript(_ model: String, _ key: String) -> (entry: OutboxEntry, version: UInt64)? {
        entries.isEmpty ? nil : entries[OutboxEntry.newestKey(model, key)]
    }

    /// The service's version of a record, with `nil` for a record that it never mentioned; `nil` itself if that was not
    /// looked up.
    func serviceVersion(of model: String, _ key: String) -> Int64?? {
        serviceVersions.isEmpty ? nil : serviceVersions[OutboxEntry.newestKey(model, key)]
    }
}
