import HoldfastStorage

/// The times that clients keep as `lastSync`, and the commits that were visible at each.
///
/// A label is bound to the sequence of a snapshot that was taken before it was given out, by a commit that succeeds
/// only if no other process has bound one meanwhile. Labels and sequences rise together, even if the clocks of the
/// processes differ. A commit that a page does not see has a later sequence than the page's snapshot, and so than the
/// label that the page answers: the next request, which asks for all after that label, has it.
actor Labels {
    /// One label.
    struct Label: Sendable, Hashable {
        /// Milliseconds since 1970, by the clock of a process, and later than every label before.
        var label: Int64
        /// The commits up to this one were visible.
        var sequence: UInt64
    }

    private let store: Store
    private let surroundings: Surroundings
    private var newest: (label: Label, at: Duration)?
    private var making: Task<Result<Void, StorageError>, Never>?

    /// The key of the head, which names the newest label; ``head(in:)`` reads it.
    static let headKey = RecordKey("head")
    /// How long a label is given out before a new one is made.
    private static let lifetime = Duration.seconds(1)
    /// How far a client's clock may be from ours where `lastSync` is not a label of ours, in milliseconds.
    private static let tolerance: Int64 = 5_000
    /// How far the clocks of the service's processes may be from each other, in milliseconds.
    private static let clockDifference: Int64 = 60_000
    /// How old the newest label may become while nothing is written, in milliseconds.
    ///
    /// Clients of Amplify read everything if the label that they were answered is a day old.
    private static let oldestAge: Int64 = 3_600_000

    init(store: Store, surroundings: Surroundings) {
        self.store = store
        self.surroundings = surroundings
    }

    /// Makes a new label if the newest one is older than a second.
    ///
    /// Callers that come meanwhile get the same one. Each would replace the head, and all but one would fail.
    func refresh() async throws(StorageError) {
        let now = surroundings.uptime()
        if let newest, now - newest.at < Self.lifetime { return }
        let task = making ?? Task { await self.renew(at: now) }
        making = task
        try await task.value.get()
    }

    private func renew(at now: Duration) async -> Result<Void, StorageError> {
        defer { making = nil }
        do throws(StorageError) {
            newest = (try await make(), now)
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// The newest label of which a snapshot sees every commit.
    func label(for snapshot: StoreSnapshot) async throws(StorageError) -> Label {
        if let newest, newest.label.sequence <= snapshot.sequence { return newest.label }
        let predicate = Predicate.compare("sequence", .lessOrEqual, Self.value(snapshot.sequence))
        return try await Self.newest(predicate, in: snapshot) ?? Label(label: 0, sequence: 0)
    }

    /// The commit after which a client needs everything; `nil` if it must read everything.
    ///
    /// - Parameters:
    ///   - lastSync: What the client has; 0 for nothing.
    ///   - snapshot: What is read.
    /// - Returns: The sequence of the commit.
    /// - Throws: ``StorageError`` if the labels cannot be read.
    func sequence(since lastSync: Int64, in snapshot: StoreSnapshot) async throws(StorageError) -> UInt64? {
        let now = surroundings.wallMicroseconds() / 1000
        guard lastSync > 0, lastSync <= max(now, newest?.label.label ?? 0) + Self.tolerance else { return nil }
        let key = Predicate.compare("label", .equal, .integer(lastSync))
        if let own = try await Self.newest(key, in: snapshot) { return own.sequence }
        let earlier = Predicate.compare("label", .lessOrEqual, .integer(lastSync - Self.tolerance))
        return try await Self.newest(earlier, in: snapshot)?.sequence
    }

    /// Makes a label later than all that were given out before, also those that a restored store has lost.
    ///
    /// A label of the lost time must not be taken for one from after the renewal:
    ///
    ///     process, clock at 20                  device
    ///     label 20 ---------------------------> has label 20
    ///     restored: label 5
    ///     process, clock at 12: renewal
    ///     label 13: all up to the renewal
    ///     since 20: what came after label 13    keeps what was lost
    func skipLostLabels() async throws(StorageError) {
        let end = surroundings.wallMicroseconds() / 1000 + Self.clockDifference + Self.tolerance
        while try await make(notBefore: end).label < end {}
    }

    private func make(notBefore earliest: Int64 = 0) async throws(StorageError) -> Label {
        let (head, sequence) = try await store.read { snapshot async throws(StorageError) in
            (try await Self.head(in: snapshot), snapshot.sequence)
        }
        let now = surroundings.wallMicroseconds() / 1000
        if let (label, version) = head, label.label >= earliest {
            // Nothing was written since but the label itself.
            if sequence <= version, version == label.sequence + 1, now - label.label < Self.oldestAge { return label }
            // This snapshot is behind the one of another process, and sequences must not fall.
            if sequence < label.sequence { return label }
        }
        let label = Label(
            label: max(now, (head?.label.label ?? 0) + 1, earliest),
            sequence: max(sequence, head?.label.sequence ?? 0))
        let request = CommitRequest(
            preconditions: [
                head.map { .version(entity: SystemEntity.labelHead.name, key: Self.headKey, $0.version) }
                    ?? .absent(entity: SystemEntity.labelHead.name, key: Self.headKey)
            ], operations: Self.operations(label))
        do {
            _ = try await store.commit(request)
            return label
        } catch {
            guard error.kind == .preconditionFailed else { throw error }
            // Another process has made one; it is as good.
            let head = try await store.read { snapshot async throws(StorageError) in try await Self.head(in: snapshot) }
            return head?.label ?? Label(label: 0, sequence: 0)
        }
    }

    /// The newest label, and the version of the head that names it; `nil` before the first.
    static func head(in snapshot: StoreSnapshot) async throws(StorageError) -> (label: Label, version: UInt64)? {
        var rows = RowBuffer()
        try await snapshot.get([headKey], of: SystemEntity.labelHead.name, into: &rows)
        let version = rows.versions[0]
        return version == 0 ? nil : (label(rows, 0, labelAt: 1, sequenceAt: 2), version)
    }

    /// What a commit writes so that a label is the newest.
    static func operations(_ label: Label) -> [WriteOperation] {
        let row: [Value] = [.integer(label.label), value(label.sequence)]
        return [
            .put(entity: SystemEntity.label.name, rows: RowBuffer(row: row), mode: .insert),
            .put(
                entity: SystemEntity.labelHead.name, rows: RowBuffer(row: headKey.components + row), mode: .upsert),
        ]
    }

    private static func newest(
        _ predicate: Predicate, in snapshot: StoreSnapshot
    ) async throws(StorageError) -> Label? {
        var scan = try await snapshot.query(
            QueryPlan(SystemEntity.label.name, where: predicate, sort: [SortKey("label", .descending)], limit: 1))
        var rows = RowBuffer()
        try await scan.next(into: &rows)
        await scan.close()
        return rows.isEmpty ? nil : label(rows, 0, labelAt: 0, sequenceAt: 1)
    }

    private static func label(_ rows: RowBuffer, _ row: Int, labelAt: Int, sequenceAt: Int) -> Label {
        guard case .integer(let label) = rows[row, labelAt], case .integer(let sequence) = rows[row, sequenceAt] else {
            return Label(label: 0, sequence: 0)
        }
        return Label(label: label, sequence: UInt64(bitPattern: sequence))
    }

    private static func value(_ sequence: UInt64) -> Value { .integer(Int64(bitPattern: sequence)) }
}
