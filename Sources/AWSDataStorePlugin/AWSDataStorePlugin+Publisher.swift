#if canImport(Combine)
public import Combine
#elseif OpenCombine
public import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
public import Amplify
public import HoldfastModel

extension AWSDataStorePlugin {
    /// The changes of all models' records from the subscription on, in the order in which they were made, until it
    /// is cancelled.
    public var publisher: AnyPublisher<MutationEvent, DataStoreError> { Self.publisher { self.observe() } }

    /// The changes of the records of a registered model from the subscription on, until it is cancelled.
    ///
    /// - Parameter modelName: The model's name; with another one the publisher fails with ``DataStoreError``
    ///   `.invalidModelName`.
    /// - Returns: A publisher that begins to observe when it is subscribed to.
    public func publisher(for modelName: ModelName) -> AnyPublisher<MutationEvent, DataStoreError> {
        Self.publisher {
            if let type = ModelRegistry.modelType(from: modelName) { return self.observe(type) }
            let unknown = AmplifyAsyncThrowingSequence<MutationEvent>()
            unknown.fail(DataStoreError.invalidModelName(modelName))
            return unknown
        }
    }

    private static func publisher(
        _ events: @escaping () -> AmplifyAsyncThrowingSequence<MutationEvent>
    ) -> AnyPublisher<MutationEvent, DataStoreError> {
        Deferred { Amplify.Publisher.create(events()).mapError { DataStoreError(error: $0) } }
            .eraseToAnyPublisher()
    }
}
#endif
