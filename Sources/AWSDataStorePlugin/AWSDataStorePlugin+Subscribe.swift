public import Amplify
import HoldfastEngine
public import HoldfastModel
import HoldfastStorage

extension AWSDataStorePlugin {
    /// The changes of a model's records from this call on; see `DataStoreCategory.observe(_:)`.
    public func observe<M: Model>(_ modelType: M.Type) -> AmplifyAsyncThrowingSequence<MutationEvent> {
        events(of: M.modelName) { store in
            try store.observe(modelType).map { try MutationEvent($0.kind, $0.model) }
        }
    }

    /// The changes of all models' records from this call on, in the order in which they were made; otherwise as
    /// `DataStoreCategory.observe(_:)`.
    public func observe() -> AmplifyAsyncThrowingSequence<MutationEvent> {
        events(of: "") { store in try store.observe().map { try MutationEvent($0.kind, $0.model) } }
    }

    private func events<Changes: AsyncSequence & Sendable>(
        of modelName: ModelName, _ observe: @escaping @Sendable (DataStore) throws -> Changes
    ) -> AmplifyAsyncThrowingSequence<MutationEvent> where Changes.Element == MutationEvent {
        let sequence = AmplifyAsyncThrowingSequence<MutationEvent>()
        let continuation = sequence.continuation
        handle.attach { opened in
            let changes: Changes
            do {
                changes = try observe(opened.get())
            } catch {
                continuation.end(error, modelName: modelName)
                return
            }
            let pump = Task {
                do {
                    for try await event in changes { continuation.yield(event) }
                    continuation.finish()
                } catch {
                    continuation.end(error, modelName: modelName)
                }
            }
            continuation.onTermination = { _ in pump.cancel() }
        }
        return sequence
    }

    /// The matching records now and after every change; see `DataStoreCategory.observeQuery(for:where:sort:)`.
    ///
    /// A slow consumer gets the newest snapshot and misses those in between.
    public func observeQuery<M: Model>(
        for modelType: M.Type, where predicate: (any QueryPredicate)? = nil, sort sortInput: QuerySortInput? = nil
    ) -> AmplifyAsyncThrowingSequence<DataStoreQuerySnapshot<M>> {
        let sequence = AmplifyAsyncThrowingSequence<DataStoreQuerySnapshot<M>>(bufferingPolicy: .bufferingNewest(1))
        let continuation = sequence.continuation
        let epoch = handle.epoch
        let pump = Task {
            do {
                try await liveQueries.run {
                    let store = try await self.store(in: epoch)
                    let live = try store.observeQuery(modelType, where: predicate, sort: sortInput)
                    for try await snapshot in live {
                        continuation.yield(DataStoreQuerySnapshot(items: snapshot.items, isSynced: snapshot.isSynced))
                    }
                }
                continuation.finish()
            } catch {
                continuation.end(error, modelName: M.modelName)
            }
        }
        continuation.onTermination = { _ in pump.cancel() }
        return sequence
    }
}

extension AsyncThrowingStream.Continuation where Failure == any Error {
    /// Ends an observation: without an error if the DataStore was reset, as at the end of any other observation.
    fileprivate func end(_ error: any Error, modelName: String) {
        let mapped = DataStoreError(error, modelName: modelName)
        if let cause = mapped.underlyingError as? StorageError, cause.kind == .closed {
            finish()
        } else {
            finish(throwing: mapped)
        }
    }
}

extension MutationEvent {
    fileprivate init<M: Model>(_ kind: ChangeKind, _ model: M) throws {
        let type: MutationType =
            switch kind {
            case .created: .create
            case .updated: .update
            case .deleted: .delete
            }
        try self.init(model: model, modelSchema: M.schema, mutationType: type)
    }
}
