public import Amplify
import HoldfastEngine
public import HoldfastModel
import HoldfastStorage

extension AWSDataStorePlugin {
    /// The changes of a model's records from this call on; see `DataStoreCategory.observe(_:)`.
    public func observe<M: Model>(_ modelType: M.Type) -> AmplifyAsyncThrowingSequence<MutationEvent> {
        events(of: M.modelName) { store in
            try store.observe(modelType).map { try MutationEvent($0.kind, $0.model, $0.serviceVersion) }
        }
    }

    /// The changes of all models' records from this call on, in the order in which they were made; otherwise as
    /// `DataStoreCategory.observe(_:)`.
    public func observe() -> AmplifyAsyncThrowingSequence<MutationEvent> {
        events(of: "") { store in
            try store.observe().map { try MutationEvent($0.kind, $0.model, $0.serviceVersion) }
        }
    }

    private func events<Changes: AsyncSequence & Sendable>(
        of modelName: ModelName, _ observe: @escaping @Sendable (DataStore) throws -> Changes
    ) -> AmplifyAsyncThrowingSequence<MutationEvent> where Changes.Element == MutationEvent {
        let sequence = AmplifyAsyncThrowingSequence<MutationEvent>()
        let continuation = sequence.continuation
        let pump = ObservationPump()
        // Before the store is open, so that nothing begins for an observer that is gone by then.
        continuation.onTermination = { _ in pump.end() }
        let configuration = configuration
        handle.attach { [weak self] opened in
            pump.begin {
                do {
                    let store = try opened.get()
                    let changes = try observe(store)
                    self?.startSync(of: store)
                    return Self.pumping(changes, of: modelName, to: continuation, configuration) { [weak self] in
                        await self?.dispatchStart(of: store)
                    }
                } catch {
                    continuation.end(error, modelName: modelName)
                    return nil
                }
            }
        }
        return sequence
    }

    private static func pumping<Changes: AsyncSequence & Sendable>(
        _ changes: Changes, of modelName: ModelName,
        to continuation: AsyncThrowingStream<MutationEvent, any Error>.Continuation,
        _ configuration: DataStoreConfiguration, _ begin: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> where Changes.Element == MutationEvent {
        Task {
            await begin()
            var iterator = changes.makeAsyncIterator()
            while true {
                do {
                    guard let event = try await iterator.next() else { return continuation.finish() }
                    if case .terminated = continuation.yield(event) { return }
                } catch  where error.endsNoObservation {
                    await configuration.report(error, modelName: modelName)
                } catch {
                    return continuation.end(error, modelName: modelName)
                }
            }
        }
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
        let configuration = configuration
        let pump = Task {
            do {
                _ = try await self.store(in: epoch)
                try await liveQueries.run {
                    // Begins again after a `clear`, which alone must not bring the service's records back.
                    let store = try await self.hasService ? self.openStore(in: epoch) : self.store(in: epoch)
                    let live = try store.observeQuery(modelType, where: predicate, sort: sortInput)
                    var snapshots = live.makeAsyncIterator()
                    while true {
                        do {
                            guard let next = try await snapshots.next() else { return }
                            continuation.yield(DataStoreQuerySnapshot(items: next.items, isSynced: next.isSynced))
                        } catch  where error.endsNoObservation {
                            // What cannot be read as its model is left out from now on.
                            await configuration.report(error, modelName: M.modelName)
                        }
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

extension Error {
    /// Whether it is about one record, or about changes that cannot be reported one by one, so that others follow, or the
    /// store can be read later.
    fileprivate var endsNoObservation: Bool {
        if let error = self as? ModelError { return error.kind == .decodingFailed }
        return (self as? StorageError)?.kind == .changesMissed || mayPass
    }

    /// Whether the store can be read later.
    fileprivate var mayPass: Bool { (self as? StorageError)?.retry == .afterBackoff }
}

extension DataStoreConfiguration {
    /// Reports an error after which an observation continues, and waits if the store can be read later.
    fileprivate func report(_ error: any Error, modelName: String) async {
        errorHandler(DataStoreError(error, modelName: modelName))
        if error.mayPass { try? await options.surroundings.sleep(.seconds(1)) }
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
