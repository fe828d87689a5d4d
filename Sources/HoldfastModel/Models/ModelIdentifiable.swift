public import HoldfastStorage

/// A model that says in its type what identifies its records.
public protocol ModelIdentifiable {
    /// Whether one field called `id` identifies records, or other fields do.
    associatedtype IdentifierFormat: AnyModelIdentifierFormat
    /// The type of the model's identifiers.
    associatedtype IdentifierProtocol: ModelIdentifierProtocol
}

/// What identifies the records of a model: ``ModelIdentifierFormat/Default`` or ``ModelIdentifierFormat/Custom``.
public protocol AnyModelIdentifierFormat {}

/// What identifies the records of a model.
public enum ModelIdentifierFormat {
    /// One text field called `id`.
    public enum Default: AnyModelIdentifierFormat {
        /// The field's name.
        public static let name = "id"
    }

    /// Any other field, or several.
    public enum Custom: AnyModelIdentifierFormat {
        /// The separator between the values of several fields in ``ModelIdentifierProtocol/stringValue``.
        public static let separator = "#"
    }
}

/// The values that identify one record.
public protocol ModelIdentifierProtocol {
    /// A field of the primary key and its value.
    typealias Field = (name: String, value: any Persistable)
    /// The fields of the primary key, most significant first.
    typealias Fields = [Field]

    /// The fields of the primary key, most significant first.
    var fields: Fields { get }
}

extension ModelIdentifierProtocol {
    /// The values as one text: a single value is itself; several values are in quotes, with `#` between them.
    ///
    /// Values that contain `"#"` make texts that look alike; ``recordKey`` never does.
    public var stringValue: String {
        identifierText(
            of: fields.map { field in
                (field.value as? any TemporalSpec)?.iso8601String ?? field.value.storageValue.identifierText
            })
    }

    /// The names of the fields.
    public var keys: [String] { fields.map(\.name) }

    /// The values of the fields.
    public var values: [any Persistable] { fields.map(\.value) }

    /// The condition that the identified record alone satisfies.
    public var predicate: any QueryPredicate {
        let comparisons = fields.map { field($0.name).eq($0.value) }
        return comparisons.count == 1 ? comparisons[0] : QueryPredicateGroup(type: .and, predicates: comparisons)
    }

    /// The key of the identified record.
    public var recordKey: RecordKey { RecordKey(fields.map(\.value.storageValue)) }

    /// The key of the identified record of a model, independent of the order of the identifier's fields.
    ///
    /// - Throws: ``ModelError`` `.invalidSchema` if the identifier has other fields than the model's primary key.
    public func recordKey(in schema: ModelSchema) throws(ModelError) -> RecordKey {
        let components = schema.primaryKeyNames.compactMap { name in fields.first { $0.name == name } }
        guard components.count == fields.count, !components.isEmpty else {
            throw ModelError(.invalidSchema, "The identifier has other fields than the key of model '\(schema.name)'.")
        }
        return RecordKey(components.map(\.value.storageValue))
    }
}

/// The values that identify one record of a model.
///
/// ```swift
/// let id = ModelIdentifier<Post, ModelIdentifierFormat.Default>.makeDefault(id: "p1")
/// let post = try await store.query(Post.self, byId: id.recordKey)
/// ```
public struct ModelIdentifier<M: Model, F: AnyModelIdentifierFormat>: ModelIdentifierProtocol, Sendable {
    /// The fields of the primary key, most significant first.
    public var fields: Fields

    init(fields: Fields) { self.fields = fields }
}

extension ModelIdentifier where F == ModelIdentifierFormat.Custom {
    /// An identifier of several fields, or of one that is not called `id`.
    public static func make(fields: Field...) -> Self { Self(fields: fields) }

    /// An identifier of several fields, or of one that is not called `id`.
    public static func make(fields: [Field]) -> Self { Self(fields: fields) }
}

extension ModelIdentifier where F == ModelIdentifierFormat.Default {
    /// An identifier by the field `id`.
    public static func makeDefault(id: String) -> Self {
        Self(fields: [(name: ModelIdentifierFormat.Default.name, value: id)])
    }

    /// An identifier by the field `id`.
    public static func identifier(id: String) -> Self { makeDefault(id: id) }

    /// The identifier of a model that has a field `id`.
    public static func makeDefault(fromModel model: M) -> Self { makeDefault(id: model.identifier) }
}

/// The identifier of a model whose records are identified by one text field called `id`.
public typealias DefaultModelIdentifier<M: Model> = ModelIdentifier<M, ModelIdentifierFormat.Default>

/// The values of a key as one text.
func identifierText(of values: [String]) -> String {
    if values.count == 1 { return values[0] }
    return values.map { "\"\($0)\"" }.joined(separator: ModelIdentifierFormat.Custom.separator)
}

/// The values in the text of a key of several fields, or `nil` if it is not such a text.
///
/// A value that contains `"#"` is taken for two.
package func identifierTexts(in identifier: String) -> [String]? {
    let bytes = Array(identifier.utf8)
    let quote = UInt8(ascii: "\"")
    guard bytes.count >= 2, bytes.first == quote, bytes.last == quote else { return nil }
    let separator = [quote] + ModelIdentifierFormat.Custom.separator.utf8 + [quote]
    let end = bytes.count - 1
    var texts: [String] = []
    var (start, index) = (1, 1)
    while index < end {
        if bytes[index..<end].starts(with: separator) {
            texts.append(String(decoding: bytes[start..<index], as: UTF8.self))
            index += separator.count
            start = index
        } else {
            index += 1
        }
    }
    return texts + [String(decoding: bytes[start..<end], as: UTF8.self)]
}
