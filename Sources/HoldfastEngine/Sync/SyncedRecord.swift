import HoldfastModel
package import HoldfastStorage

/// One record with everything that is kept of it for the service: a value without I/O.
///
/// Invariant: ``row`` is the service's record at the version of ``metadata`` with the changes of ``entries`` on top, in
/// order; taking them back gives that record exactly.
package struct SyncedRecord: Sendable, Hashable {
    private let shape: RecordShape
    package let key: RecordKey
    /// The cells; `nil` if there is no record.
    package var row: [Value]?
    /// What the service last said, as far as it is part of ``row``.
    package var metadata: RecordMetadata?
    /// What is kept of few records: one or none, so that a copy of any other record retains nothing for it.
    private var rest: [Rest] = []

    private struct Rest: Sendable, Hashable {
        var entries: [OutboxEntry] = []
        var shelf: ShelfItem?
        var letters: [DeadLetter] = []

        var isEmpty: Bool { entries.isEmpty && shelf == nil && letters.isEmpty }
    }

    /// Creates a record of which nothing is known.
    package init(entity: EntitySchema, key: RecordKey, jointColumns: [[Int]] = []) {
        self.init(RecordShape(entity, jointColumns: jointColumns), key: key)
    }

    /// Creates a record of which nothing is known, and which shares what all records of its model have in common.
    init(_ shape: RecordShape, key: RecordKey) {
        self.shape = shape
        self.key = key
    }

    /// The entity of the record.
    package var entity: EntitySchema { shape.entity }

    /// The columns of each foreign key that has several, which change together.
    var jointColumns: [[Int]] { shape.jointColumns }
    var readOnlyColumns: [Int] { shape.readOnlyColumns }

    /// The key as text.
    var keyText: String { key.outboxText }

    /// The changes that await the service, oldest first.
    package var entries: [OutboxEntry] {
        get { rest.isEmpty ? [] : rest[0].entries }
        set { change { $0.entries = newValue } }
    }

    /// What the service said and is not yet part of ``row``.
    package var shelf: ShelfItem? {
        get { rest.isEmpty ? nil : rest[0].shelf }
        set { change { $0.shelf = newValue } }
    }

    /// Changes that were given up, with those of ``entries`` that were given up in part before.
    package var letters: [DeadLetter] {
        get { rest.isEmpty ? [] : rest[0].letters }
        set { change { $0.letters = newValue } }
    }

    private mutating func change(_ body: (inout Rest) -> Void) {
        var changed = rest.isEmpty ? Rest() : rest[0]
        rest = []
        body(&changed)
        if !changed.isEmpty { rest = [changed] }
    }

    /// Whether nothing is kept besides the record and its metadata.
    var isUsual: Bool { rest.isEmpty }

    /// Whether the same is kept besides the record and its metadata.
    func hasSameRest(as other: SyncedRecord) -> Bool { rest == other.rest }

    /// Whether something was or may have been sent and is not yet answered.
    package var isInFlight: Bool { entries.contains { $0.stage == .inFlight } }

    /// The service's record at the version of its metadata; `nil` itself if it is not known.
    package var base: [Value]?? { entries.undone(row, of: entity) }

    // MARK: - Steps that several rules share

    /// Takes the service's record as it is.
    package mutating func accept(_ remote: RemoteRecord, generation: Int64) {
        row = remote.isInScope ? remote.row : nil
        advance(to: remote, generation: generation)
    }

    /// Records the version that ``row`` now builds on, and whether the record is to go once it has no changes.
    mutating func advance(to remote: RemoteRecord, generation: Int64) {
        metadata = RecordMetadata(
            model: entity.name, key: keyText, version: remote.version, lastChangedAt: remote.lastChangedAt,
            isDeleted: remote.isDeleted, generation: max(generation, metadata?.generation ?? 0))
        metadata?.isOutside = !remote.isInScope && !remote.isDeleted
        metadata?.isFromEvent = remote.isEvent
        if let shelf, shelf.isSuperseded(by: remote, generation) { self.shelf = nil }
    }

    /// Keeps what the service said until it can be judged; only the newest.
    mutating func shelve(_ remote: RemoteRecord, _ reason: ShelfItem.Reason, generation: Int64) {
        // The same version once more may have fields that the models did not have before.
        if let shelf, !shelf.isSuperseded(by: remote, generation) { return }
        // An event may have less than what waits.
        if remote.isEvent, shelf?.version == remote.version { return }
        shelf = ShelfItem(
            model: entity.name, key: keyText, version: remote.version, lastChangedAt: remote.lastChangedAt,
            isDeleted: remote.isDeleted, item: remote.row.map { FieldValues.text($0, of: entity) }, reason: reason,
            isOutside: !remote.isInScope, generation: generation)
    }

    /// Lets the changes build on no version, 0, if the service has made the record again since theirs.
    ///
    /// The new record may have the same version by chance, or reach it. Then the service would carry the change out,
    /// though it was made without a look at that record:
    ///
    ///     this client:  a = 9 waits, based on version 1
    ///     a restore of the service loses the record; another client creates it: a = 5, version 1
    ///     this client:  receives version 1, which waits for the change; sends a = 9, based on version 1
    ///
    /// No record has version 0, so that the service finds the conflict.
    ///
    /// - Parameters:
    ///   - version: A version that the service has.
    ///   - time: When it made that version, in milliseconds since 1970-01-01T00:00Z.
    mutating func leaveForgottenVersion(for version: Int64, at time: Int64) {
        guard let known = metadata, entries.first?.operation != .create else { return }
        if version <= known.version, time > known.lastChangedAt { metadata?.version = 0 }
    }

    /// Lets the changes build on no version if what waits is a record that the service has made again.
    mutating func leaveForgottenVersion() {
        guard let shelf, shelf.reason == .conflict else { return }
        leaveForgottenVersion(for: shelf.version, at: shelf.lastChangedAt)
    }

    /// Puts the changes on top of another record of the service.
    ///
    /// - Parameter base: The service's record; `nil` for none.
    mutating func rebase(onto base: [Value]?) {
        var later = row
        var values: [[Value]?] = []
        for entry in entries.reversed() {
            values.append(later)
            if let earlier = entry.undone(later, of: entity) { later = earlier }
        }
        var present = base
        for (index, after) in values.reversed().enumerated() {
            switch entries[index].operation {
            case .create: present = after
            case .delete:
                entries[index].before = present.map { FieldValues.text($0, of: entity) } ?? FieldValues.noRecord
                present = nil
            case .update:
                let changed = entries[index].changedFields.compactMap(entity.position(of:))
                guard let after else { continue }
                guard var changing = present else {
                    entries[index].changedFields = shape.changeableFields
                    entries[index].before = FieldValues.noRecord
                    present = after
                    continue
                }
                entries[index].before = FieldValues.text(changing, changed, of: entity)
                for position in changed { changing[position] = after[position] }
                present = changing
            }
        }
        row = present
        dropIdleDeletions()
    }

    /// Drops deletions of what the service has deleted.
    mutating func dropIdleDeletions() {
        while let first = entries.first, first.operation == .delete, first.stage == .pending,
            first.before == FieldValues.noRecord
        {
            entries.removeFirst()
        }
    }

    /// Gives up the changes from one on.
    mutating func addDeadLetters(
        from index: Int, errorType: String?, message: String?, remote: RemoteRecord?, at time: Int64
    ) {
        for entry in entries[index...] { keep(letter(for: entry, errorType, message, remote, time)) }
        entries.removeSubrange(index...)
    }

    /// Keeps a letter: a change that is sent again may be given up field by field, and its letter has all of them.
    mutating func keep(_ letter: DeadLetter) {
        guard let index = letters.firstIndex(where: { $0.position == letter.position }) else {
            letters.append(letter)
            return
        }
        let earlier = letters[index]
        letters[index] = letter
        func joined(_ text: String?, _ earlier: String?) -> String? {
            guard let text, let earlier else { return text }
            return FieldValues.joined(text, earlier, of: entity)
        }
        letters[index].payload = joined(letter.payload, earlier.payload)
        letters[index].before = joined(letter.before, earlier.before)
    }

    /// The letter that keeps a change.
    func letter(
        for entry: OutboxEntry, _ errorType: String?, _ message: String?, _ remote: RemoteRecord?, _ time: Int64
    ) -> DeadLetter {
        DeadLetter(
            position: entry.position, model: entity.name, key: keyText, operation: entry.operation,
            payload: sentValues(of: entry), before: entry.before, condition: entry.condition,
            errorType: errorType, message: message, remote: remote?.row.map { FieldValues.text($0, of: entity) },
            failedAt: time, identity: entry.identity)
    }

    /// The values that a change sends: as they were frozen, or else as the record has them.
    func sentValues(of entry: OutboxEntry) -> String? {
        entry.payload == FieldValues.notFrozen ? payload(of: entry) : entry.payload ?? payload(of: entry)
    }

    /// The values that a change set.
    package func payload(of entry: OutboxEntry) -> String? {
        let after = row(after: entry)
        switch entry.operation {
        case .delete: return nil
        case .create: return after.map { FieldValues.text($0, of: entity) }
        case .update:
            return after.map {
                FieldValues.text($0, entry.changedFields.compactMap(entity.position(of:)), of: entity)
            }
        }
    }

    /// The record without the changes after one; `nil` if there was none then.
    func row(after entry: OutboxEntry) -> [Value]? {
        entries.after(entries.count { $0.position <= entry.position } - 1, row, of: entity)
    }
}

extension ShelfItem {
    /// Whether what the service says is as new as the item.
    ///
    /// A service that was restored from a backup may say a lower version, in a later full sync than that of the item.
    fileprivate func isSuperseded(by remote: RemoteRecord, _ generation: Int64) -> Bool {
        version <= remote.version || generation > self.generation && remote.lastChangedAt > lastChangedAt
    }
}
