public import HoldfastWire

/// A conflict that a conflict function decides.
///
/// ```swift
/// let options = ServerOptions(
///     apiKeys: ["da2-key"], strategy: .handler,
///     handler: { conflict in
///         var item = conflict.newItem
///         item["title"] = conflict.existingItem["title"]  // the first title stays
///         return .resolve(item)
///     })
/// ```
public struct ConflictRequest: Sendable {
    /// The model.
    public var model: String
    /// The field of the mutation, such as `updatePost`.
    public var field: String
    /// The record as it would be without the conflict, with version and times; its members are those of the API.
    ///
    /// A member is null where the mutation removes the value.
    public var newItem: JSONObject
    /// The record as it is stored.
    public var existingItem: JSONObject
    /// The arguments of the mutation.
    public var arguments: JSONObject
    /// Who sends the mutation.
    public var identity: Identity
}

/// What a conflict function decides.
public enum ConflictResolution: Sendable, Hashable {
    /// The record becomes this one; its key, version, and times count for nothing, and members it lacks stay.
    case resolve(JSONObject)
    /// The mutation fails as a conflict.
    case reject
    /// The record becomes a tombstone; only for deletions.
    case remove
}
