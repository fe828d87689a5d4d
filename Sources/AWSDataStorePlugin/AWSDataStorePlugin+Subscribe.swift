public import Amplify
import HoldfastEngine
public import HoldfastModel

extension AWSDataStorePlugin {
    /// The changes of a model's records from this call on; see `DataStoreCategory.observe(_:)`.
    public func observe<M: Model>(_ modelType: M.Type) -> AmplifyAsyncThrowingSequence<MutationEvent> {
        let sequence = AmplifyAsyncThrowingSequence<MutationEvent>()
        let continuation = sequence.continuation
        handle.attach { opened in
            let changes: ModelChanges<M>
            do {
                changes = try opened.get().observe(modelType)
            } catch {
                continuation.finish(throwing: DataStoreError(error, modelName: M.modelName))
                return
            }
            let pump = Task {
                do {
                    for try await change in changes { continuation.yield(try MutationEvent(change)) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: DataStoreError(error, modelName: M.modelName))
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
        let pump = Task {
            do {
                try await liveQueries.run {
                    let live = try await self.store().observeQuery(modelType, where: predicate, sort: sortInput)
                    for try await snapshot in live {
                        continuation.yield(DataStoreQuerySnapshot(items: snapshot.items, isSynced: snapshot.isSynced))
                    }
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: DataStoreError(error, modelName: M.modelName))
            }
        }
        continuation.onTermination = { _ in pump.cancel() }
        return sequence
    }
}

extension MutationEvent {
    fileprivate init<M: Model>(_ change: ModelChange<M>) throws {
        let type: MutationType =
            switch change.kind {
            case .created: .create
            case .updated: .update
            case .deleted: .delete
            }
        try self.init(model: change.model, modelSchema: M.schema, mutationType: type)
    }
}
