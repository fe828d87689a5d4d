/// One row of the type-mapping table: what a GraphQL type is in Swift and in storage.
///
/// The table is data, so that documentation and the conformance suite speak of the same rules as
/// ``FieldType/canonical(_:)``, which applies them.
public struct TypeMapping: Sendable, Hashable {
    /// How faithfully a type keeps an admitted value.
    public enum ValueClass: String, Sendable, Hashable, CaseIterable {
        /// Returned exactly as given, text byte for byte.
        case exact
        /// Brought into one form on write; the meaning is kept.
        case canonicalized
    }

    /// The type; for the rows of enumerations, embedded types and lists, an example.
    public let fieldType: FieldType
    /// The type as a GraphQL schema spells it.
    public let graphQLName: String
    /// The type of the property in a generated model that requires it.
    public let swiftType: String
    /// What adapters keep.
    public let storageType: StorageType
    /// How faithfully an admitted value is kept.
    public let valueClass: ValueClass
    /// What is rejected, besides values of another shape.
    public let rejects: String
    /// How values are ordered; null comes before all.
    public let order: String
    /// The stored form.
    public let canonicalForm: String

    private init(
        _ fieldType: FieldType, _ swiftType: String, _ valueClass: ValueClass, rejects: String, order: String,
        canonicalForm: String
    ) {
        self.fieldType = fieldType
        self.graphQLName = fieldType.graphQLName
        self.swiftType = swiftType
        self.storageType = fieldType.storageType
        self.valueClass = valueClass
        self.rejects = rejects
        self.order = order
        self.canonicalForm = canonicalForm
    }
}

extension TypeMapping {
    /// One row for each of ``FieldType/scalars``, in that order, then enumerations, embedded types and lists.
    public static let table: [TypeMapping] =
        textRows + numberRows + temporalRows + serviceRows + compositeRows

    private static let bytewise = "by UTF-8 bytes"
    private static let asGiven = "as given"
    private static let withNUL = "text with U+0000"

    private static var textRows: [TypeMapping] {
        [
            TypeMapping(.id, "String", .exact, rejects: withNUL, order: bytewise, canonicalForm: asGiven),
            TypeMapping(.string, "String", .exact, rejects: withNUL, order: bytewise, canonicalForm: asGiven),
        ]
    }

    private static var numberRows: [TypeMapping] {
        [
            TypeMapping(
                .int, "Int", .exact, rejects: "nothing", order: "by value",
                canonicalForm: "64-bit integer; the 32-bit limit of GraphQL holds only where a document is read"),
            TypeMapping(
                .float, "Double", .canonicalized, rejects: "NaN and the infinities", order: "by value",
                canonicalForm: "bit for bit, −0.0 as 0.0"),
            TypeMapping(
                .boolean, "Bool", .exact, rejects: "nothing", order: "false before true", canonicalForm: asGiven),
        ]
    }

    private static var temporalRows: [TypeMapping] {
        [
            TypeMapping(
                .date, "Temporal.Date", .canonicalized,
                rejects: "years outside 1...9999, days that do not exist, offsets of 18 hours and more",
                order: "by the written day", canonicalForm: "YYYY-MM-DD, then Z or ±hh:mm[:ss] if written"),
            TypeMapping(
                .time, "Temporal.Time", .canonicalized,
                rejects: "24:00, leap seconds, more than 9 fraction digits, offsets of 18 hours and more",
                order: "by the written time of day",
                canonicalForm: "hh:mm:ss with the written fraction digits, then Z or ±hh:mm[:ss] if written"),
            TypeMapping(
                .dateTime, "Temporal.DateTime", .canonicalized,
                rejects: "no offset, years outside 1...9999 as written or in UTC, days that do not exist, 24:00, "
                    + "leap seconds, more than 9 fraction digits, offsets of 18 hours and more",
                order: "by instant",
                canonicalForm: "YYYY-MM-DDThh:mm:ss with the written fraction digits, then Z or ±hh:mm[:ss]"),
        ]
    }

    private static var serviceRows: [TypeMapping] {
        [
            TypeMapping(
                .timestamp, "Int", .exact, rejects: "nothing", order: "by value",
                canonicalForm: "64-bit integer; seconds since 1970-01-01T00:00Z, possibly negative"),
            TypeMapping(
                .email, "String", .exact,
                rejects: "more or fewer than one @ outside quotes, empty parts, ASCII spaces and control characters, "
                    + "other domain labels than letters, digits, hyphens and non-ASCII, more than 320 bytes",
                order: bytewise, canonicalForm: asGiven),
            TypeMapping(
                .json, "String", .exact, rejects: "text that is not RFC 8259 JSON, more than 512 nested containers",
                order: bytewise, canonicalForm: asGiven),
            TypeMapping(
                .url, "String", .exact,
                rejects: "no scheme, nothing after the scheme, ASCII white space and control characters",
                order: bytewise, canonicalForm: asGiven),
            TypeMapping(
                .phone, "String", .exact,
                rejects: "anything but an optional + and 3...15 digits with single spaces or hyphens between them",
                order: bytewise, canonicalForm: asGiven),
            TypeMapping(
                .ipAddress, "String", .exact,
                rejects: "anything but IPv4 or IPv6 with an optional prefix of 0...32 or 0...128; zones",
                order: bytewise, canonicalForm: asGiven),
        ]
    }

    private static var compositeRows: [TypeMapping] {
        [
            TypeMapping(
                .enumeration("AnEnum"), "AnEnum", .exact, rejects: withNUL, order: bytewise,
                canonicalForm: "the case's text, also of cases this version does not know"),
            TypeMapping(
                .embedded("AType"), "AType", .exact,
                rejects: "anything but one RFC 8259 JSON object, more than 512 nested containers", order: bytewise,
                canonicalForm: asGiven),
            TypeMapping(
                .list(of: .string, elementsAreRequired: false), "[String?]", .exact,
                rejects: "what the element type rejects", order: "element by element, a prefix first",
                canonicalForm: "each element as its type, duplicates and nulls kept"),
            TypeMapping(
                .list(of: .string, elementsAreRequired: true), "[String]", .exact,
                rejects: "what the element type rejects, null elements", order: "element by element, a prefix first",
                canonicalForm: "each element as its type, duplicates kept"),
        ]
    }

    /// The table as Markdown: a header and one line for each row, each ending in a line break.
    ///
    /// The same text on every call and platform.
    public static var markdown: String {
        var text = "| GraphQL | Swift | Storage | Values | Rejected | Order | Stored form |\n"
        text += "|---|---|---|---|---|---|---|\n"
        for row in table {
            text += "| `\(row.graphQLName)` | `\(row.swiftType)` | `\(row.storageType.catalogName)` "
            text += "| \(row.valueClass.rawValue) | \(row.rejects) | \(row.order) | \(row.canonicalForm) |\n"
        }
        return text
    }
}
