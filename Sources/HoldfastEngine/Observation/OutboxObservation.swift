import HoldfastStorage

/// How much awaits the service.
public struct OutboxStatus: Sendable, Hashable {
    /// The changes that are pending or in flight.
    public let entryCount: Int
    /// The changes that were given up, as far as the present user is shown them: ``DataStore/deadLetters(limit:)``.
    public let deadLetterCount: Int

    /// Whether nothing awaits the service.
    public var isEmpty: Bool { entryCount == 0 }
}

/// How much awaits the service, now and whenever that changes.
///
/// Commits that happen while the consumer is busy yield one element, the newest. Those of other handles and processes
/// are not seen. Ends when the store is closed or the consuming task is cancelled.
public struct OutboxObservation: AsyncSequence, Sendable {
    let store: DataStore
    /// Whether there is an element also for commits that leave the numbers as they were.
    var repeats = false
    /// The models whose changes are counted; `nil` for all.
    var models: Set<String>?

    /// Starts observing.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Takes the elements one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private let observation: OutboxObservation
        private let subscription: ChangeSubscription
        private var last: OutboxStatus?

        init(_ observation: OutboxObservation) {
            self.observation = observation
            subscription = observation.store.publisher.subscribe(to: [OutboxEntry.entity.name, DeadLetter.entity.name])
        }

        /// The next element; the first at once.
        ///
        /// - Returns: `nil` once the store is closed or the task cancelled.
        /// - Throws: ``/HoldfastStorage/StorageError`` `.io`.
        public mutating func next() async throws -> OutboxStatus? {
            while true {
                if last != nil, try await subscription.next() == nil { return nil }
                // If this fails, the change that was taken is lost, so that the next call asks again.
                let before = last
                last = nil
                let status: OutboxStatus
                do {
                    status = try await observation.store.outboxStatus(of: observation.models)
                } catch let error as StorageError where error.kind == .closed || error.kind == .cancelled {
                    return nil
                } catch is CancellationError {
                    return nil
                }
                last = status
                if status == before && !observation.repeats { continue }
                return status
            }
        }
    }
}

extension DataStore {
    /// How much awaits the service, now and whenever that changes.
    ///
    /// ```swift
    /// for try await status in store.observeOutbox() {
    ///     badge = status.entryCount
    ///     if status.isEmpty { break }  // everything was sent
    /// }
    /// ```
    public func observeOutbox() -> OutboxObservation { OutboxObservation(store: self) }

    /// The same, with an element also for commits that leave the numbers as they were.
    ///
    /// - Parameters:
    ///   - repeats: Whether there are such elements.
    ///   - models: The models whose unsent changes are counted; `nil` for all. What was given up is counted for all.
    /// - Returns: The sequence.
    package func observeOutbox(repeats: Bool, of models: Set<String>? = nil) -> OutboxObservation {
        OutboxObservation(store: self, repeats: repeats, models: models)
    }

    /// How much awaits the service; nothing if mutations are not recorded.
    ///
    /// ```swift
    /// let status = try await store.outboxStatus()
    /// let summary = "\(status.entryCount) to send, \(status.deadLetterCount) refused"
    /// ```
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.closed`, `.io`.
    @concurrent public func outboxStatus() async throws -> OutboxStatus { try await outboxStatus(of: nil) }

    @concurrent fileprivate func outboxStatus(of models: Set<String>?) async throws -> OutboxStatus {
        guard engine.recordsMutations else { return OutboxStatus(entryCount: 0, deadLetterCount: 0) }
        return try await withSnapshot { snapshot in
            let isShown = DeadLetter.shown(to: try await presentIdentity(in: snapshot))
            return OutboxStatus(
                entryCount: try await snapshot.count(OutboxEntry.entity.name, where: OutboxEntry.isChange(of: models)),
                deadLetterCount: try await snapshot.count(DeadLetter.entity.name, where: isShown))
        }
    }
}
