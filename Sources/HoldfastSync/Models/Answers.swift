import HoldfastEngine

/// Why the store did not do what it was asked.
package enum StoreFailure: Error, Sendable, Hashable {
    /// Another process synchronizes the store now, or it was cleared.
    case fenceLost
    /// Another failure, in words.
    case failed(String)
}

/// What became of the right to synchronize a store.
enum ClaimResult: Sendable, Hashable {
    /// It is held for ``SyncSettings/leaseLife``.
    case held
    /// Another process holds it for so long.
    case taken(Duration)
    /// The store failed.
    case failed(String)
}

/// Why a request got no answer that counts.
package enum ServiceFailure: Error, Sendable, Hashable {
    /// Whether the request was carried out is not known. The service may say when to ask again.
    case unknown(retryAfter: Duration?)
    /// The request never left.
    case unsent
    /// It was refused in this mode of authorization.
    case unauthorized(isSignedOut: Bool)
    /// It was refused permanently.
    case rejected(type: String, message: String)
}

/// A page of a base or delta query.
struct FetchedPage<Content: Sendable>: Sendable {
    /// How many records it has.
    var count: Int
    /// The token of the next page; `nil` on the last one.
    var nextToken: String?
    /// The service's label of the query.
    var startedAt: Int64?
    /// Whether the service reported errors beside the records.
    var hasErrors = false
    /// Whether the service says that it begins a base query although a delta was asked for.
    var isBase = false
    /// The records, which the core passes on unread, in the parts in which they are stored; one part at least.
    var parts: [Content]
}

extension FetchedPage: Equatable where Content: Equatable {}

/// What a commit of remote changes did.
struct CommitReport<Content: Sendable>: Sendable {
    /// How many records it created.
    var added = 0
    /// How many it changed.
    var updated = 0
    /// How many it deleted.
    var deleted = 0
    /// The changes for the hub; `nil` if there are none.
    var received: Content?
}

extension CommitReport: Equatable where Content: Equatable {}

/// What a commit of answers to mutations did.
struct SettleReport<Content: Sendable>: Sendable {
    /// The confirmed mutations for the hub.
    var processed: [Content] = []
    /// The entries that left the outbox beside those that were settled.
    var removed: [Outgoing.ID] = []
    /// Whether the outbox has no entry.
    var isOutboxEmpty: Bool
    /// Remote changes that the commit applied.
    var received: Content?
}

extension SettleReport: Equatable where Content: Equatable {}

/// The service's answer to a mutation.
enum MutationAnswer<Content: Sendable>: Sendable {
    /// It was carried out; this is the record now.
    case confirmed(Content)
    /// The record has changed since; `nil` if the answer does not show it.
    case conflict(FoundRecord<Content>?)
    /// Its condition does not hold, or the record that it creates exists.
    case conditionFailed
    /// There is no answer that counts.
    case failed(ServiceFailure)
}

extension MutationAnswer: Equatable where Content: Equatable {}

/// A record as the service has it.
struct FoundRecord<Content: Sendable>: Sendable {
    /// Whether it is a tombstone.
    var isDeleted: Bool
    /// Its values.
    var content: Content
}

extension FoundRecord: Equatable where Content: Equatable {}

/// What the service has of a record whose mutation is uncertain.
enum CheckAnswer<Content: Sendable>: Sendable {
    /// No record.
    case absent
    /// A record.
    case found(FoundRecord<Content>, isAboveBase: Bool, equalsSent: Bool)
    /// There is no answer that counts.
    case failed(ServiceFailure)
}

extension CheckAnswer: Equatable where Content: Equatable {}

/// What a conflict handler decided.
enum ConflictDecision<Content: Sendable>: Sendable {
    /// The remote record wins.
    case applyRemote
    /// The local change is made again on the remote record.
    case retryLocal
    /// Another record takes the place of both.
    case retry(Content)
}

extension ConflictDecision: Equatable where Content: Equatable {}

/// How an entry of the outbox ends, or continues.
enum Resolution<Content: Sendable>: Sendable {
    /// The service has it; this is the record now.
    case confirmed(Content)
    /// A deletion of what is deleted already.
    case done(Content?)
    /// It becomes a dead letter, and its change is taken back. The remote record takes its place if it is known.
    case dead(DeadReason, remote: Content?)
    /// It becomes a dead letter, and its record goes: the service has no such record any longer, not even as deleted.
    case gone(DeadReason)
    /// It is sent again on the remote record, as it was or with other values.
    case resend(onto: Content, replacing: Content?)
}

extension Resolution: Equatable where Content: Equatable {}

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
}
