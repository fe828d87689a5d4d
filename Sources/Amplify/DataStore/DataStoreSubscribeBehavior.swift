public import HoldfastModel

/// Observing models.
public protocol DataStoreSubscribeBehavior {
    /// The changes of a model's records from now on.
    func observe<M: Model>(_ modelType: M.Type) -> AmplifyAsyncThrowingSequence<MutationEvent>
    /// The matching records now and after every change of them.
    func observeQuery<M: Model>(
        for modelType: M.Type, where predicate: (any QueryPredicate)?, sort sortInput: QuerySortInput?
    ) -> AmplifyAsyncThrowingSequence<DataStoreQuerySnapshot<M>>
}
