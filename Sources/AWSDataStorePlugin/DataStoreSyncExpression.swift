public import HoldfastModel

/// Makes the condition under which records are wanted from the service; called at each start.
public typealias QueryPredicateResolver = @Sendable () -> any QueryPredicate

/// Which records of a model are wanted from the service.
public struct DataStoreSyncExpression: Sendable {
    /// The model.
    public let modelSchema: ModelSchema
    /// The condition.
    public let modelPredicate: QueryPredicateResolver

    /// The records of a model that satisfy a condition; without such an expression all are wanted.
    @preconcurrency public static func syncExpression(
        _ modelSchema: ModelSchema, where predicate: @escaping QueryPredicateResolver
    ) -> DataStoreSyncExpression {
        DataStoreSyncExpression(modelSchema: modelSchema, modelPredicate: predicate)
    }
}
