#if canImport(Combine)
public import Combine
#elseif OpenCombine
public import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
import HoldfastStorage

extension Amplify {
    /// Publishers of what is async.
    public enum Publisher {
        /// A publisher of the result of an operation, which runs once for each subscription.
        ///
        /// Cancelling the subscription cancels the operation.
        @preconcurrency public static func create<Success: Sendable>(
            _ operation: @escaping @Sendable () async throws -> Success
        ) -> AnyPublisher<Success, any Error> {
            Deferred {
                let task = PublisherTask()
                return Future<Success, any Error> { promise in
                    let promise = Unchecked(promise)
                    task.start {
                        do {
                            promise.value(.success(try await operation()))
                        } catch {
                            promise.value(.failure(error))
                        }
                    }
                }
                .handleEvents(receiveCancel: { task.cancel() })
            }
            .eraseToAnyPublisher()
        }

        /// A publisher of the result of an operation that cannot fail; otherwise as `create` of one that can.
        @preconcurrency public static func create<Success: Sendable>(
            _ operation: @escaping @Sendable () async -> Success
        ) -> AnyPublisher<Success, Never> {
            Deferred {
                let task = PublisherTask()
                return Future<Success, Never> { promise in
                    let promise = Unchecked(promise)
                    task.start { promise.value(.success(await operation())) }
                }
                .handleEvents(receiveCancel: { task.cancel() })
            }
            .eraseToAnyPublisher()
        }

        /// A publisher of a sequence's elements, each handed over when the subscriber asks for it.
        ///
        /// Nothing is dropped: what comes while there is no demand waits in the sequence. Cancelling the subscription
        /// cancels a sequence that can be cancelled.
        public static func create<Sequence: AsyncSequence & Sendable>(
            _ sequence: Sequence
        ) -> AnyPublisher<Sequence.Element, any Error> where Sequence.Element: Sendable {
            SequencePublisher(elements: sequence).eraseToAnyPublisher()
        }
    }
}

extension DataStoreSubscribeBehavior where Self: Sendable {
    /// The changes of a model's records from the subscription on, until it is cancelled.
    public func publisher<M: Model>(for modelType: M.Type) -> AnyPublisher<MutationEvent, DataStoreError> {
        Deferred { Amplify.Publisher.create(observe(modelType)).mapError { DataStoreError(error: $0) } }
            .eraseToAnyPublisher()
    }
}

/// The task behind a publisher; started once.
private final class PublisherTask: Sendable {
    private enum State {
        case new
        case running(Task<Void, Never>)
        case cancelled
    }

    private let state = Mutex(State.new)

    func start(_ body: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            if case .new = state { state = .running(Task { await body() }) }
        }
    }

    func cancel() {
        state.withLock { state in
            if case .running(let task) = state { task.cancel() }
            state = .cancelled
        }
    }
}

/// A promise or subscriber that one task sends to.
// Immutable; what is inside locks itself.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
#endif
