public import HoldfastStorage

/// A Swift type that one cell of a row can hold.
public protocol RowValue: Sendable {
    /// The type of a field that holds such values, where the model's schema does not say it more exactly.
    static var fieldType: FieldType { get }

    /// The value of a cell, or `nil` if the cell holds something else.
    init?(storageValue: Value)

    /// The value as a cell.
    var storageValue: Value { get }
}

/// A value that predicates can compare fields with.
public protocol Persistable: RowValue, Encodable {}

extension String: Persistable {
    /// `String`.
    public static var fieldType: FieldType { .string }
    /// The text of a cell.
    @inlinable public init?(storageValue: Value) {
        guard case .text(let value) = storageValue else { return nil }
        self = value
    }
    /// The text as a cell.
    @inlinable public var storageValue: Value { .text(self) }
}

extension Int: Persistable {
    /// `Int`.
    public static var fieldType: FieldType { .int }
    /// The integer of a cell, if it fits the platform's `Int`.
    @inlinable public init?(storageValue: Value) {
        guard case .integer(let value) = storageValue else { return nil }
        self.init(exactly: value)
    }
    /// The integer as a cell.
    @inlinable public var storageValue: Value { .integer(Int64(self)) }
}

extension Int64: RowValue {
    /// `Int`.
    public static var fieldType: FieldType { .int }
    /// The integer of a cell.
    @inlinable public init?(storageValue: Value) {
        guard case .integer(let value) = storageValue else { return nil }
        self = value
    }
    /// The integer as a cell.
    @inlinable public var storageValue: Value { .integer(self) }
}

extension Double: Persistable {
    /// `Float`.
    public static var fieldType: FieldType { .float }
    /// The double of a cell.
    @inlinable public init?(storageValue: Value) {
        guard case .double(let value) = storageValue else { return nil }
        self = value
    }
    /// The double as a cell.
    @inlinable public var storageValue: Value { .double(self) }
}

extension Bool: Persistable {
    /// `Boolean`.
    public static var fieldType: FieldType { .boolean }
    /// The boolean of a cell.
    @inlinable public init?(storageValue: Value) {
        guard case .boolean(let value) = storageValue else { return nil }
        self = value
    }
    /// The boolean as a cell.
    @inlinable public var storageValue: Value { .boolean(self) }
}

extension Optional: RowValue where Wrapped: RowValue {
    /// The wrapped type's.
    public static var fieldType: FieldType { Wrapped.fieldType }
    /// `nil` for null, the wrapped value otherwise.
    @inlinable public init?(storageValue: Value) {
        if storageValue.isNull {
            self = .none
        } else if let wrapped = Wrapped(storageValue: storageValue) {
            self = wrapped
        } else {
            return nil
        }
    }
    /// Null for `nil`.
    @inlinable public var storageValue: Value { self?.storageValue ?? .null }
}

extension Array: RowValue where Element: RowValue {
    /// A list of the element's type.
    public static var fieldType: FieldType { .list(of: Element.fieldType, elementsAreRequired: false) }
    /// The elements of a list cell, if all are of the element type.
    public init?(storageValue: Value) {
        guard case .list(let values) = storageValue else { return nil }
        self = []
        reserveCapacity(values.count)
        for value in values {
            guard let element = Element(storageValue: value) else { return nil }
            append(element)
        }
    }
    /// The elements as a list cell.
    public var storageValue: Value { .list(map(\.storageValue)) }
}
