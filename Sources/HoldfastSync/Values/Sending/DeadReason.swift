/// Why a mutation became a dead letter.
package enum DeadReason: Sendable, Hashable {
    /// A conflict was decided for the remote record.
    case overruled
    /// The record was deleted at the service.
    case deletedRemotely
    /// The condition does not hold.
    case conditionFailed
    /// No mode of authorization allows it.
    case unauthorized
    /// The service refused it.
    case rejected(type: String, message: String)
    /// The store gave it up, with another change or because of what the service or the conflict handler has made of the
    /// record.
    case givenUp(errorType: String, message: String)
}
