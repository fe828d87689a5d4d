import HoldfastStorage

/// What became of one local change on its way to the service.
///
/// It is found again by its ``id``, also after a restart: ``DataStore/receipt(_:)``. Later changes of the record that
/// go to the service together with this one share its fate.
///
/// ```swift
/// let receipt = try await store.saveWithReceipt(Post(title: "Hold fast"))
/// switch try await receipt.settled() {
/// case .confirmed: break  // the service has it
/// case .rejected(let letter): showRefusal(letter.message ?? "The service refused the change.")
/// case .cleared: break  // the store was emptied meanwhile
/// case .stored, .sent: break  // not final; `settled()` never returns these
/// }
/// ```
public struct Receipt: Sendable {
    /// How far a change has come.
    public enum State: Sendable, Hashable {
        /// It is in the store and awaits the service.
        case stored
        /// It was or may have been sent, and there is no answer yet.
        case sent
        /// The service has it, or there was nothing to send.
        ///
        /// The version is that of the service's record by now; `nil` if the service does not know the record.
        case confirmed(version: Int64?)
        /// The service refused it, and the record is as the service has it; the letter keeps what was changed.
        ///
        /// Once the letter is retried or discarded the change counts as confirmed, since nothing is left of it.
        case rejected(DeadLetter)
        /// The store was cleared since, or a migration emptied or removed the model.
        ///
        /// What had not been sent by then is lost, and whether the service has the change is not known any longer.
        case cleared

        /// Whether the state is final.
        public var isSettled: Bool {
            switch self {
            case .stored, .sent: false
            case .confirmed, .rejected, .cleared: true
            }
        }
    }

    /// Names the change for as long as the store exists; text to keep anywhere.
    public var id: String { "\(position)\(clearCount == 0 ? "" : ".\(clearCount)")#\(model)#\(key)" }

    let store: DataStore
    let model: String
    let key: String
    /// The position in the outbox; 0 if there was nothing to send.
    let position: Int64
    /// How often the store had been cleared or the model emptied when the change was made.
    let clearCount: Int64

    /// How far the change has come by now.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.closed`, `.io`.
    @concurrent public func state() async throws -> State { try await store.state(of: self) }

    /// How far the change has come, now and whenever that changes.
    ///
    /// Ends after a final state, when the store is closed, or when the consuming task is cancelled.
    public var states: ReceiptStates { ReceiptStates(receipt: self) }

    /// Waits until the change has come to its end.
    ///
    /// - Returns: A final state.
    /// - Throws: ``/HoldfastStorage/StorageError`` `.closed` if the store is closed before, `.io`; `CancellationError`.
    @concurrent public func settled() async throws -> State {
        for try await state in states where state.isSettled { return state }
        try Task.checkCancellation()
        throw StorageError(.closed, "The store is closed; open it again and ask for the receipt by its id.")
    }
}

/// How far a change has come, now and whenever that changes.
public struct ReceiptStates: AsyncSequence, Sendable {
    let receipt: Receipt

    /// Starts observing.
    public func makeAsyncIterator() -> Iterator { Iterator(receipt: receipt) }

    /// Takes the states one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private let receipt: Receipt
        private let subscription: ChangeSubscription
        private var last: Receipt.State?
        private var pause = Self.shortestPause

        private static let shortestPause = Duration.seconds(1)
        private static let longestPause = Duration.seconds(16)

        init(receipt: Receipt) {
            self.receipt = receipt
            subscription = receipt.store.publisher.subscribe(
                to: [OutboxEntry.entity.name, DeadLetter.entity.name])
        }

        /// The next state; the first at once.
        ///
        /// - Returns: `nil` after a final state, once the store is closed, or the task cancelled.
        /// - Throws: ``/HoldfastStorage/StorageError`` `.io`.
        public mutating func next() async throws -> Receipt.State? {
            if last?.isSettled == true { return nil }
            while true {
                if last != nil, try await !waitForNews() { return nil }
                let state: Receipt.State
                do {
                    state = try await receipt.state()
                } catch let error as StorageError where error.kind == .closed || error.kind == .cancelled {
                    return nil
                } catch is CancellationError {
                    return nil
                }
                if state == last {
                    pause = Swift.min(pause * 2, Self.longestPause)
                    continue
                }
                last = state
                pause = Self.shortestPause
                return state
            }
        }

        /// Waits until the state may be another one.
        ///
        /// What other handles do to the outbox is not in the change feed, so where they can write it is looked at again
        /// and again, after pauses that become longer.
        ///
        /// - Returns: `false` once the store is closed, or the task cancelled.
        private func waitForNews() async throws -> Bool {
            guard receipt.store.store.capabilities.support(for: .multipleProcesses) != .unsupported else {
                return try await subscription.next() != nil
            }
            let (subscription, sleep, pause) = (subscription, receipt.store.surroundings.sleep, pause)
            do {
                return try await withThrowingTaskGroup(of: Bool.self) { group in
                    group.addTask { try await subscription.next() != nil }
                    group.addTask {
                        try await sleep(pause)
                        return true
                    }
                    defer { group.cancelAll() }
                    return try await group.next() ?? false
                }
            } catch is CancellationError {
                return false
            }
        }
    }
}
