/// The type of a field as the GraphQL schema states it.
///
/// Decides validation and canonical form (``FieldType/canonical(_:)``) and the ``StorageType`` in which adapters
/// keep it.
public indirect enum FieldType: Sendable, Hashable {
    /// GraphQL `ID`: opaque text.
    case id
    /// GraphQL `String`.
    case string
    /// GraphQL `Int`. 64 bits in storage; the 32-bit limit of GraphQL is checked only where a document is read.
    case int
    /// GraphQL `Float`: a finite double.
    case float
    /// GraphQL `Boolean`.
    case boolean
    /// `AWSDate`: `YYYY-MM-DD` with an optional offset.
    case date
    /// `AWSTime`: `hh:mm[:ss[.fff]]` with an optional offset.
    case time
    /// `AWSDateTime`: date and time with a required offset.
    case dateTime
    /// `AWSTimestamp`: whole seconds since 1970-01-01T00:00Z, possibly negative.
    case timestamp
    /// `AWSEmail`.
    case email
    /// `AWSJSON`: any JSON text, kept byte for byte.
    case json
    /// `AWSURL`: an absolute URL.
    case url
    /// `AWSPhone`.
    case phone
    /// `AWSIPAddress`: IPv4 or IPv6, with an optional prefix length.
    case ipAddress
    /// Bytes. Not a GraphQL type; for system entities.
    case bytes
    /// An enumeration, by its GraphQL name. Stored as the case's text, also for cases this version does not know.
    case enumeration(String)
    /// A type without its own table, by its GraphQL name. Stored as a JSON object.
    case embedded(String)
    /// A list; `elementsAreRequired` forbids null elements.
    case list(of: FieldType, elementsAreRequired: Bool)

    /// The scalars of GraphQL and AppSync, in the order of the type-mapping table.
    public static let scalars: [FieldType] = [
        .id, .string, .int, .float, .boolean, .date, .time, .dateTime, .timestamp, .email, .json, .url, .phone,
        .ipAddress,
    ]

    /// What adapters keep for a field of this type.
    public var storageType: StorageType {
        switch self {
        case .id, .string, .email, .url, .phone, .ipAddress, .enumeration: .text
        case .int, .timestamp: .integer
        case .float: .double
        case .boolean: .boolean
        case .date: .date
        case .time: .time
        case .dateTime: .timestamp
        case .json, .embedded: .json
        case .bytes: .bytes
        case .list(let element, _): .list(element.storageType)
        }
    }

    /// Whether values are JSON objects, or lists of them.
    package var isEmbedded: Bool {
        switch self {
        case .embedded: true
        case .list(let element, _): element.isEmbedded
        default: false
        }
    }
}
