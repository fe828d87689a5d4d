#if canImport(Combine)
public import Combine
#elseif OpenCombine
public import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
extension Amplify {
    /// Publishers of what is async.
    public enum Publisher {
        /// A publisher of the result of an operation, which runs once, from this call on.
        ///
        /// Each subscriber gets the same result. Cancelling a subscription cancels the operation.
        @preconcurrency public static func create<Success: Sendable>(
            _ operation: @escaping @Sendable () async throws -> Success
        ) -> AnyPublisher<Success, any Error> {
            result(of: Task { try await operation() })
        }

        /// A publisher of the result of an operation that cannot fail; otherwise as `create` of one that can.
        @preconcurrency public static func create<Success: Sendable>(
            _ operation: @escaping @Sendable () async -> Success
        ) -> AnyPublisher<Success, Never> {
            result(of: Task { await operation() })
        }

        private static func result<Success, Failure>(
            of task: Task<Success, Failure>
        ) -> AnyPublisher<Success, Failure> {
            Future<Success, Failure> { promise in
                let promise = Unchecked(promise)
                Task { promise.value(await task.result) }
            }
            .handleEvents(receiveCancel: { task.cancel() })
            .eraseToAnyPublisher()
        }

        /// A publisher of a sequence's elements, each handed over when the subscriber asks for it.
        ///
        /// The sequence is read once, from the first demand on, and each subscriber gets what is read after it has
        /// subscribed. Nothing is dropped: what comes while no subscriber wants an element waits in the sequence, and
        /// what only another one wanted waits here. Cancelling the last subscription cancels a sequence that can be
        /// cancelled; the publisher has ended then.
        public static func create<Sequence: AsyncSequence & Sendable>(
            _ sequence: Sequence
        ) -> AnyPublisher<Sequence.Element, any Error> where Sequence.Element: Sendable {
            SequencePublisher(sequence).eraseToAnyPublisher()
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

/// A promise or subscriber that one task sends to.
// Immutable; what is inside locks itself.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
#endif
