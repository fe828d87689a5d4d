import HoldfastStorage

/// What a transaction has read and written so far; a value without I/O.
///
/// Invariant: every record in ``records`` was read before it was written, so the commit can demand that it is still
/// as it was read.
struct ReadWriteSet: Sendable {
    /// A record that the transaction touched.
    struct Record: Sendable {
        /// As stored when the transaction read it; `nil` if it did not exist.
        let base: [Value]?
        /// Whether ``base`` is only the key's cells: enough to delete the record.
        var isKeyOnly = false
        /// The version read; 0 if it did not exist.
        let version: UInt64
        /// The new state; `nil` if it does not exist or is deleted.
        var row: [Value]?
        /// Whether the transaction wrote it.
        var isWritten = false
        /// Its position among those written.
        var position = 0
        /// What the service's record must satisfy.
        var condition: String?
        /// The record with whose deletion it goes.
        var cascade: (entity: String, key: RecordKey)?
    }

    /// The records touched, by entity.
    private(set) var records: [String: [RecordKey: Record]] = [:]
    /// The records written, in the order in which each was first saved or deleted; an entry that is not at its
    /// record's position was overtaken by a later one.
    private(set) var written: [(entity: EntitySchema, key: RecordKey)] = []
    /// The names of their entities.
    private var writtenEntities: Set<String> = []
    /// The ranges that queries have read.
    private(set) var ranges: Set<KeyRange> = []
    /// The records that queries have read under some values of an index, without their keys, and the keys of those that
    /// are stored; `nil` if these are not known yet.
    private(set) var prefixes: [KeyRange: [RecordKey]?] = [:]

    /// What is pending for records that will be deleted, which is looked up with them.
    private(set) var pending = PendingEntries()
    /// The records of which that is known, by entity.
    private var keysWithPending: [String: Set<RecordKey>] = [:]

    /// Whether ``pending`` has what is pending for a record.
    func hasPending(_ entity: EntitySchema, _ key: RecordKey) -> Bool {
        keysWithPending[entity.name]?.contains(key) ?? false
    }

    /// Remembers records as read, and what is pending for them.
    ///
    /// - Parameters:
    ///   - rows: The records of the keys.
    ///   - keys: The keys.
    ///   - entity: Their entity.
    ///   - answers: What was found with ``PendingEntries/reads(_:_:existing:)``.
    ///   - requests: These reads.
    mutating func read(
        _ rows: RowBuffer, _ keys: [RecordKey], of entity: EntitySchema, pending answers: some Sequence<RowBuffer>,
        to requests: [GetRequest]
    ) {
        var absent: Set<String> = []
        for (index, key) in keys.enumerated() {
            let version = rows.versions[index]
            if version == 0 { absent.insert(key.outboxText) }
            read(entity, key, row: version == 0 ? nil : Array(rows[index]), version: version)
        }
        pending.insert(answers, to: requests, without: absent)
        keysWithPending[entity.name, default: []].formUnion(keys)
    }

    /// The record of a key, if it was touched.
    func record(_ entity: EntitySchema, _ key: RecordKey) -> Record? { records[entity.name]?[key] }

    /// Whether records of an entity were written.
    func hasWritten(_ entity: EntitySchema) -> Bool { writtenEntities.contains(entity.name) }

    /// Remembers a record as read, unless it is known.
    mutating func read(_ entity: EntitySchema, _ key: RecordKey, row: [Value]?, version: UInt64) {
        if record(entity, key) == nil {
            records[entity.name, default: [:]][key] = Record(base: row, version: version, row: row)
        }
    }

    /// Remembers a record of which only the key was read, unless it is known; it may only be deleted.
    mutating func read(_ entity: EntitySchema, keyOnly key: RecordKey, version: UInt64) {
        if record(entity, key) == nil {
            records[entity.name, default: [:]][key] = Record(
                base: key.components, isKeyOnly: true, version: version, row: key.components)
        }
    }

    /// Remembers a range as read.
    mutating func read(_ range: KeyRange) { ranges.insert(range) }

    /// Remembers the records under some values of an index as read.
    ///
    /// - Parameters:
    ///   - prefix: The index and the values.
    ///   - entity: The entity.
    ///   - keys: The keys of those that are stored; `nil` if they are not known.
    mutating func read(_ prefix: IndexPrefix, of entity: EntitySchema, keys: [RecordKey]? = nil) {
        let range = KeyRange(entity.name, under: prefix)
        if keys != nil || prefixes[range] == nil { prefixes[range] = .some(keys) }
    }

    /// Writes a record that was read before; `nil` deletes it.
    ///
    /// A condition counts with the record's first write; one of a later write is about the transaction's own writes.
    /// With `cascade`, it is deleted with that record.
    mutating func write(
        _ entity: EntitySchema, _ key: RecordKey, row: [Value]?, where condition: String? = nil,
        with cascade: (entity: String, key: RecordKey)? = nil
    ) {
        guard var record = record(entity, key) else { return }
        if !record.isWritten { record.condition = condition }
        if !record.isWritten || (record.row == nil) != (row == nil) {
            record.position = written.count
            written.append((entity, key))
            writtenEntities.insert(entity.name)
        }
        record.row = row
        record.cascade = cascade
        record.isWritten = true
        records[entity.name]?[key] = record
    }

    /// The versions of the records read; `nil` if queries have found others that were not recorded.
    var versionsRead: [UInt64]? {
        guard ranges.isEmpty, prefixes.values.allSatisfy({ $0 != nil }) else { return nil }
        return records.values.flatMap { $0.values.map(\.version) }
    }

    /// The conditions that what was read is still so, also of a record that was created and deleted again; the commit
    /// asks by itself for those that it writes.
    ///
    /// - Parameters:
    ///   - ranges: What queries have read.
    ///   - sequence: The sequence of the snapshot.
    /// - Returns: The conditions.
    func readConditions(of ranges: Set<KeyRange>, since sequence: UInt64) -> [Precondition] {
        var conditions: [Precondition] = ranges.map { .unchanged($0, since: sequence) }
        for (entity, records) in records {
            for (key, record) in records where !record.isWritten || record.base == nil && record.row == nil {
                conditions.append(
                    record.version == 0
                        ? .absent(entity: entity, key: key) : .version(entity: entity, key: key, record.version))
            }
        }
        return conditions
    }
}
