public import HoldfastStorage

/// A GraphQL enumeration: stored as the case's name.
///
/// ```swift
/// enum Shelf: String, EnumPersistable { case later, read }
/// ```
public protocol EnumPersistable: Codable, Sendable, RowValue {
    /// The case's name in the GraphQL schema.
    var rawValue: String { get }

    /// The case of a name, or `nil` if this version of the type has none.
    init?(rawValue: String)
}

extension EnumPersistable {
    /// Enumerations are stored as text.
    public static var fieldType: FieldType { .enumeration(String(describing: Self.self)) }

    /// The case of a stored text.
    public init?(storageValue: Value) {
        guard case .text(let text) = storageValue else { return nil }
        self.init(rawValue: text)
    }

    /// The case's name as text.
    public var storageValue: Value { .text(rawValue) }
}
