/// A relation to another model.
package struct Relation: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case belongsTo, hasOne, hasMany }
    package var kind: Kind
    package var model: String
    /// The fields of the other model that lead back.
    package var associated: [String] = []
    /// The columns that hold the other model's key.
    package var targets: [String] = []
}
