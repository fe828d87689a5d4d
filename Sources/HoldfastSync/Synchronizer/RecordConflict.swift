public import HoldfastEngine
public import HoldfastModel

/// A local change that the service refused because the record has changed there.
///
/// ```swift
/// service.conflictHandler = { conflict in
///     guard let local = conflict.local as? Post, var both = conflict.remote as? Post else { return .applyRemote }
///     both.title += " or \(local.title)"
///     return .retry(both)
/// }
/// ```
public struct RecordConflict: Sendable {
    /// The model's name.
    public let modelName: String
    /// What the local change did.
    public let operation: OutboxEntry.Operation
    /// The local record, or the record as it was before it was deleted locally; `nil` if it is not known.
    public let local: (any Model)?
    /// The record as it is at the service.
    public let remote: any Model
}

/// What an application's conflict handler decides, with a model.
public enum ConflictChoice: Sendable {
    /// The service's record takes the place of the local one; the local change becomes a dead letter.
    case applyRemote
    /// The local change is applied again to the service's record.
    case retryLocal
    /// Another record replaces both, under the key of the record in conflict.
    ///
    /// A record of another model has the same effect as ``applyRemote``, and so has one that the store cannot hold; the
    /// dead letter says why.
    case retry(any Model)
}
