/// What can happen to a store behind the adapter's back.
public enum StoreDamage: Sendable, CaseIterable {
    /// It is marked as written by a version yet to come.
    case newer
    /// Something that is not a store is in its place.
    case foreign
    /// Its second half is gone.
    case cutShort
}
