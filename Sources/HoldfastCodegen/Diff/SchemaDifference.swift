public import HoldfastGraphQL
public import HoldfastSchema

/// One difference between two versions of a schema.
public struct SchemaDifference: Hashable, Sendable {
    /// What a change means for applications and stores.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Code and data of the old version continue to work.
        case additive
        /// Code or data of the old version no longer fits.
        case breaking
        /// Code continues working, but stores have to keep data in another way.
        case storage
    }

    /// What the change means.
    public let kind: Kind
    /// The type, or the field with its type: `Post.title`.
    public let path: String
    /// What was changed.
    public let message: String

    /// Makes a change.
    public init(kind: Kind, path: String, message: String) {
        self.kind = kind
        self.path = path
        self.message = message
    }
}

extension SchemaDifference: CustomStringConvertible {
    /// `kind: path: message`.
    public var description: String { "\(kind.rawValue): \(path): \(message)" }
}

/// Compares two versions of a schema.
///
/// - Parameters:
///   - old: The version that applications and stores have.
///   - new: The version that they should have.
/// - Returns: The differences by path; empty if there are none.
/// - Throws: ``SchemaError`` if no API can be made from one of them; whether Swift code can does not matter.
public func schemaChanges(from old: [Source], to new: [Source]) throws(SchemaError) -> [SchemaDifference] {
    var diff = SchemaDiff(
        old: try GraphBuilder.annotatedSchema(of: old), new: try GraphBuilder.annotatedSchema(of: new))
    diff.compare()
    return diff.changes.sorted { ($0.path, $0.message) < ($1.path, $1.message) }
}
