import HoldfastStorage

/// Reads the records that mutations change; those that are asked for while others are read share a read.
///
/// A read of many records costs little more than one of a single record.
final class RecordLookup: Sendable {
    private struct Waiting: Sendable {
        var key: RecordKey
        var continuation: CheckedContinuation<StoredRecord?, any Error>
    }

    private struct State {
        /// In the order in which the first of each model came.
        var waiting: [(model: String, readers: [Waiting])] = []
        var readCount = 0
    }

    private let store: Store
    private let state = Mutex(State())
    /// Reads that are in progress at the same time.
    private static let maximumReadCount = 2
    /// Records of one read.
    private static let maximumRecordCount = 64

    init(store: Store) { self.store = store }

    /// Records that wait for a read.
    var waitingCount: Int { state.withLock { $0.waiting.reduce(0) { $0 + $1.readers.count } } }

    /// A record as it is stored after this call began, with the version that a commit that replaces it demands; `nil`
    /// if there is none.
    ///
    /// - Throws: ``StorageError`` as the store's reads do.
    func record(_ key: RecordKey, of model: ServerModel) async throws -> StoredRecord? {
        try await withCheckedThrowingContinuation { continuation in
            let reader = Waiting(key: key, continuation: continuation)
            state.withLock { state in
                if let index = state.waiting.firstIndex(where: { $0.model == model.name }) {
                    state.waiting[index].readers.append(reader)
                } else {
                    state.waiting.append((model.name, [reader]))
                }
            }
            start()
        }
    }

    private func start() {
        while let (model, readers) = next() {
            Task {
                await self.answer(readers, of: model)
                self.state.withLock { $0.readCount -= 1 }
                self.start()
            }
        }
    }

    private func next() -> (model: String, readers: [Waiting])? {
        state.withLock { state in
            guard state.readCount < Self.maximumReadCount, !state.waiting.isEmpty else { return nil }
            state.readCount += 1
            var group = state.waiting.removeFirst()
            let rest = group.readers.dropFirst(Self.maximumRecordCount)
            if !rest.isEmpty {
                state.waiting.append((group.model, Array(rest)))
                group.readers.removeLast(rest.count)
            }
            return group
        }
    }

    private func answer(_ readers: [Waiting], of model: String) async {
        do throws(StorageError) {
            let records = try await store.records(readers.map(\.key), of: model)
            for (reader, record) in zip(readers, records) { reader.continuation.resume(returning: record) }
        } catch {
            guard readers.count > 1, error.isOfOneKey else {
                for reader in readers { reader.continuation.resume(throwing: error) }
                return
            }
            // Which key it is is not known.
            for reader in readers { await answer([reader], of: model) }
        }
    }
}

extension StorageError {
    /// Whether a key that the store cannot have has failed the whole read; the other records may be read without it.
    fileprivate var isOfOneKey: Bool { [.schemaMismatch, .unrepresentable, .limitExceeded].contains(kind) }
}
