import HoldfastModel

/// A value of any enumeration of the schema.
struct EnumValue: EnumPersistable, RawRepresentable {
    let rawValue: String

    init?(rawValue: String) { self.rawValue = rawValue }
}
