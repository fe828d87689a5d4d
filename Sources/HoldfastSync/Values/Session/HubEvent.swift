package import HoldfastEngine

/// What applications learn through the hub, in the order in which it happens.
package enum HubEvent<Content: Sendable>: Sendable {
    case networkStatus(isActive: Bool)
    case outboxStatus(isEmpty: Bool)
    case subscriptionsEstablished
    case syncQueriesStarted(models: [String])
    case modelSynced(model: String, isFull: Bool, added: Int, updated: Int, deleted: Int)
    case syncQueriesReady
    case syncStarted
    case ready
    case outboxMutationProcessed(Content)
    /// Has the mutation's record if neither the service nor the store has it any longer.
    case conditionalSaveFailed(OutgoingMutation.ID, Content? = nil)
    case syncReceived(Content)
}

extension HubEvent: Equatable where Content: Equatable {}
