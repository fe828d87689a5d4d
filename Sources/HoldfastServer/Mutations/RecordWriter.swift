import HoldfastStorage

/// A record that a mutation writes.
struct RecordWrite: Sendable {
    var model: ServerModel
    var operation: MutationOperation
    /// All cells of the record.
    var row: [Value]
    /// The version that is replaced; `nil` for a new record.
    var version: UInt64?

    fileprivate var key: RecordKey { model.entity.key(of: row) }
}

/// Commits the records of mutations; those that wait at the same time share a commit.
///
/// A commit of many records costs little more than one of a single record.
final class RecordWriter: Sendable {
    /// What became of a record.
    enum Outcome: Sendable {
        case written
        /// Another commit of this process came first.
        case precededHere
        /// A commit of another process came first, or one of this process that is forgotten.
        case precededElsewhere
    }

    private struct Waiting: Sendable {
        var write: RecordWrite
        var continuation: CheckedContinuation<Outcome, any Error>
    }

    private typealias Queue = WriteQueue<Waiting>

    private struct State {
        // With more commits at once each would have fewer records; with one, the store would wait for the next to begin.
        var queue = Queue(maximumCommitCount: 2, maximumRecordCount: 64)
        /// The last commit of this process for each record; forgotten when there are many.
        var sequences: [RecordIdentifier: UInt64] = [:]
    }

    private let store: Store
    private let hub: EventHub
    private let state = Mutex(State())
    private static let maximumSequenceCount = 1_000
    /// After this many records lost to other commits, the rest are committed one by one.
    private static let maximumSeparationCount = 4

    init(store: Store, hub: EventHub) {
        self.store = store
        self.hub = hub
    }

    /// Records that wait for a commit.
    var waitingCount: Int { state.withLock { $0.queue.waiting.count } }

    /// Writes a record, and notifies the hub.
    ///
    /// - Returns: Whether it was written, or another commit came first.
    /// - Throws: ``StorageError`` as the store's commit does.
    func write(_ write: RecordWrite) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            let record = RecordIdentifier(model: write.model.name, key: write.key)
            state.withLock { $0.queue.add(Waiting(write: write, continuation: continuation), for: record) }
            start()
        }
    }

    private func start() {
        while let group = state.withLock({ $0.queue.next() }) {
            Task { await self.carryOut(group) }
        }
    }

    private func carryOut(_ group: [Queue.Entry]) async {
        let outcomes = await outcomes(of: group.map(\.element.write))
        let late = state.withLock { state in
            if state.sequences.count > Self.maximumSequenceCount { state.sequences = [:] }
            for (entry, outcome) in zip(group, outcomes) {
                if case .success(let sequence) = outcome { state.sequences[entry.record] = sequence }
            }
            return state.queue.end(group)
        }
        for entry in late { entry.element.continuation.resume(returning: .precededHere) }
        for (entry, outcome) in zip(group, outcomes) {
            let continuation = entry.element.continuation
            switch outcome {
            case .success: continuation.resume(returning: .written)
            case .failure(let error) where [.preconditionFailed, .conflict].contains(error.kind):
                let own = state.withLock { $0.sequences[entry.record] } ?? 0
                let isOwn = entry.element.write.version.map { $0 < own } ?? false
                continuation.resume(returning: isOwn ? .precededHere : .precededElsewhere)
            case .failure(let error): continuation.resume(throwing: error)
            }
        }
        start()
    }

    /// Commits records together, without those that are in the way.
    private func outcomes(of writes: [RecordWrite]) async -> [Result<UInt64, StorageError>] {
        var outcomes: [Int: Result<UInt64, StorageError>] = [:]
        var rest = Array(writes.indices)
        while !rest.isEmpty {
            let together = await commit(rest.map { writes[$0] })
            guard rest.count > 1, case .failure(let error) = together, error.isOfOneRecord else {
                for index in rest { outcomes[index] = together }
                break
            }
            let versioned = rest.indices.filter { writes[rest[$0]].version != nil }
            if case .precondition(let number) = error.position, versioned.indices.contains(number),
                outcomes.count < Self.maximumSeparationCount
            {
                outcomes[rest.remove(at: versioned[number])] = together
            } else {
                // Which one it is is not known, or there are many.
                for index in rest { outcomes[index] = await commit([writes[index]]) }
                break
            }
        }
        return writes.indices.compactMap { outcomes[$0] }
    }

    /// Commits records, all or none.
    ///
    /// - Returns: The sequence of the commit.
    private func commit(_ writes: [RecordWrite]) async -> Result<UInt64, StorageError> {
        let ticket = hub.begin()
        do {
            let sequence = try await store.commit(Self.request(writes)).sequence
            hub.end(
                ticket,
                writes.map { Event(model: $0.model, operation: $0.operation, row: $0.row, sequence: sequence) })
            return .success(sequence)
        } catch {
            hub.end(ticket, [])
            if error.transaction == .outcomeUnknown { hub.reportGap() }
            return .failure(error)
        }
    }

    private static func request(_ writes: [RecordWrite]) -> CommitRequest {
        var request = CommitRequest()
        var puts: [(model: String, mode: WriteOperation.PutMode, rows: RowBuffer)] = []
        for write in writes {
            let name = write.model.name
            if let version = write.version {
                request.preconditions.append(.version(entity: name, key: write.key, version))
            }
            let mode: WriteOperation.PutMode = write.version == nil ? .insert : .update
            if let index = puts.firstIndex(where: { $0.model == name && $0.mode == mode }) {
                puts[index].rows.append(write.row)
            } else {
                puts.append((name, mode, RowBuffer(row: write.row)))
            }
        }
        request.operations = puts.map { .put(entity: $0.model, rows: $0.rows, mode: $0.mode) }
        return request
    }
}

extension StorageError {
    /// Whether the other records of the commit may be written without the one that failed.
    fileprivate var isOfOneRecord: Bool {
        [.preconditionFailed, .conflict, .uniqueViolation, .limitExceeded, .unrepresentable].contains(kind)
    }
}
