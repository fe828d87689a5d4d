import HoldfastStorage

/// What was found for the records of a change: their newest outbox entries and what the service said of them.
struct PendingEntries: Sendable {
    /// What is known of the service's version of a record.
    enum ServiceVersion {
        /// It was not looked up.
        case unknown
        /// The service never mentioned the record.
        case unmentioned
        case known(Int64)
    }

    private var entries: [RecordKey: (entry: OutboxEntry, version: UInt64)] = [:]
    private var serviceVersions: [RecordKey: Int64?] = [:]
    /// The entries of records before their newest ones, oldest first, of records that are deleted.
    private var earlier: [RecordKey: [(entry: OutboxEntry, version: UInt64)]] = [:]
    /// The deletions that go with that of a record.
    private var cascaded: [SendOrder.Record: [(entry: OutboxEntry, version: UInt64)]] = [:]
    /// The user of the store's last session, if that was asked for.
    private(set) var lastIdentity: String?

    /// The reads that find what is pending for records of an entity.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - keys: The keys of the records.
    ///   - existing: Those of records that exist.
    /// - Returns: One read of each system entity that is asked.
    static func reads(_ entity: EntitySchema, _ keys: [RecordKey], existing: [RecordKey]) -> [GetRequest] {
        var requests: [GetRequest] = []
        let sought = keys.map { OutboxEntry.newestKey(entity.name, $0.outboxText) }
        if !sought.isEmpty { requests.append(GetRequest(OutboxEntry.entity.name, keys: sought)) }
        // Needed only of those without an entry, and asked for with the entries, which saves a round trip.
        let metadata = existing.map { RecordMetadata.storedKey(entity.name, $0.outboxText) }
        if !metadata.isEmpty { requests.append(GetRequest(RecordMetadata.entity.name, keys: metadata)) }
        return requests
    }

    /// Takes in the answers to ``reads(_:_:existing:)``, and to a read of the session.
    ///
    /// - Parameters:
    ///   - answers: One buffer for each request.
    ///   - requests: The requests.
    ///   - absent: The keys of records that do not exist after all, as text.
    mutating func insert(
        _ answers: some Sequence<RowBuffer>, to requests: [GetRequest], without absent: Set<String> = []
    ) {
        for (request, rows) in zip(requests, answers) {
            if request.entity == OutboxEntry.entity.name {
                insert(rows)
                continue
            }
            if request.entity == SyncSession.entity.name {
                lastIdentity = SyncSession(rows[0])?.identity
                continue
            }
            for (row, key) in request.keys.enumerated() {
                guard case .text(let model) = key.components[0], case .text(let text) = key.components[1],
                    self[model, text] == nil, !absent.contains(text)
                else { continue }
                insert(serviceVersion: RecordMetadata(rows[row])?.version, of: model, text)
            }
        }
    }

    /// Takes in rows of the outbox as read, version 0 where there is no entry.
    mutating func insert(_ rows: RowBuffer) {
        for row in 0..<rows.rowCount where rows.versions[row] != 0 {
            guard let entry = OutboxEntry(rows[row]) else { continue }
            entries[OutboxEntry.newestKey(entry.model, entry.key)] = (entry, rows.versions[row])
        }
    }

    /// Takes in the entries of a record before its newest one, oldest first.
    mutating func insert(earlier entries: [(entry: OutboxEntry, version: UInt64)], than newest: OutboxEntry) {
        earlier[newest.storedKey] = entries
    }

    /// The entries of a record before its newest one, oldest first, if they were looked for.
    func earlier(than newest: OutboxEntry) -> [(entry: OutboxEntry, version: UInt64)] {
        earlier.isEmpty ? [] : earlier[newest.storedKey] ?? []
    }

    /// Takes in deletions that go with those of other records.
    mutating func insert(cascaded rows: RowBuffer) {
        for row in 0..<rows.rowCount {
            guard let entry = OutboxEntry(rows[row]), let parent = entry.cascade else { continue }
            cascaded[parent, default: []].append((entry, rows.versions[row]))
        }
    }

    /// The records whose newest entries are deletions that are not yet sent, in order.
    var deletions: [SendOrder.Record] {
        let unsent = entries.values.map(\.entry).filter { $0.operation == .delete && $0.stage == .pending }
        let inOrder = unsent.sorted { $0.position < $1.position }
        return inOrder.map { SendOrder.Record(model: $0.model, key: $0.key) }
    }

    /// The deletions that go with that of a record, each with the version it was read at.
    func cascaded(with record: SendOrder.Record) -> [(entry: OutboxEntry, version: UInt64)] {
        cascaded.isEmpty ? [] : cascaded[record] ?? []
    }

    /// Takes in the service's version of a record; `nil` if it never mentioned it.
    mutating func insert(serviceVersion: Int64?, of model: String, _ key: String) {
        serviceVersions[OutboxEntry.newestKey(model, key)] = .some(serviceVersion)
    }

    /// Whether no record has an entry.
    var isEmpty: Bool { entries.isEmpty }

    /// The versions at which the entries were read.
    var versions: [UInt64] { entries.values.map(\.version) }

    /// The newest entry of a record and the version it was read at, or `nil`.
    subscript(_ model: String, _ key: String) -> (entry: OutboxEntry, version: UInt64)? {
        entries.isEmpty ? nil : entries[OutboxEntry.newestKey(model, key)]
    }

    /// The service's version of a record.
    func serviceVersion(of model: String, _ key: String) -> ServiceVersion {
        guard !serviceVersions.isEmpty, let found = serviceVersions[OutboxEntry.newestKey(model, key)] else {
            return .unknown
        }
        return found.map(ServiceVersion.known) ?? .unmentioned
    }
}
