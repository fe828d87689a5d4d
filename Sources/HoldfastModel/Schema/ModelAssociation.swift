/// How a field relates its model to another.
public enum ModelAssociation: Sendable, Hashable {
    /// Many records of the other model, whose named fields belong to this one.
    case hasMany(associatedFieldNames: [String])
    /// One record of the other model, whose named fields belong to this one; `targetNames` hold its key, if any.
    case hasOne(associatedFieldNames: [String], targetNames: [String])
    /// One record of the other model, whose key is held in the fields `targetNames`.
    case belongsTo(associatedFieldName: String?, targetNames: [String])
}
