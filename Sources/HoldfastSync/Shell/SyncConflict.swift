package import HoldfastEngine
package import HoldfastStorage

/// A mutation that the service refuses because the record has changed since.
package struct SyncConflict: Sendable {
    /// The mutation.
    package let mutation: OutgoingMutation
    /// The service's record.
    package let remote: RemoteRecord

    init(_ mutation: OutgoingMutation, _ content: SyncContent) {
        self.mutation = mutation
        remote =
            content.records.first ?? RemoteRecord(key: mutation.recordKey, row: nil, version: 0, lastChangedAt: 0)
    }
}

/// What a conflict handler decides, with a row as the sync engine stores it.
package enum SyncDecision: Sendable {
    /// The service's record wins, and the mutation becomes a dead letter.
    case applyRemote
    /// The same fields are changed again on the service's record.
    case retryLocal
    /// The record becomes this row, in the order of the entity's fields.
    case retry([Value])
    /// The service's record wins, and the mutation becomes a dead letter with this reason.
    case giveUp(DeadReason)

    func asCoreDecision(_ remote: SyncContent) -> ConflictDecision<SyncContent> {
        switch self {
        case .applyRemote: return .applyRemote
        case .retryLocal: return .retryLocal
        case .giveUp(let reason): return .giveUp(reason)
        case .retry(let row):
            var content = remote
            for index in content.records.indices { content.records[index].row = row }
            return .retry(content)
        }
    }
}
