/// The closed set of types that an adapter maps to native columns.
///
/// Every GraphQL and AWS type is kept as one of these (``FieldType/storageType``); an adapter declares its native
/// column for each in ``Capabilities/nativeTypes``.
public indirect enum StorageType: Sendable, Hashable {
    /// `true` and `false`.
    case boolean
    /// 64-bit signed integer.
    case integer
    /// Finite IEEE 754 double.
    case double
    /// UTF-8 text without NUL.
    case text
    /// Bytes.
    case bytes
    /// Calendar day.
    case date
    /// Time of day.
    case time
    /// Instant, offset preserved.
    case timestamp
    /// JSON text, kept byte for byte and compared as text.
    case json
    /// A list of any type, also of lists; elements may be null.
    case list(StorageType)

    /// The types that are not lists, in declaration order.
    public static let scalars: [StorageType] = [
        .boolean, .integer, .double, .text, .bytes, .date, .time, .timestamp, .json,
    ]

    /// Whether a cell has the shape this type stores; null always has.
    ///
    /// - Complexity: O(n) in the number of list elements.
    public func admits(_ value: Value) -> Bool {
        switch (self, value) {
        case (_, .null), (.boolean, .boolean), (.integer, .integer), (.double, .double), (.text, .text),
            (.bytes, .bytes), (.date, .date), (.time, .time), (.timestamp, .timestamp), (.json, .text):
            true
        case (.list(let element), .list(let values)): values.allSatisfy(element.admits)
        default: false
        }
    }
}
