/// Why a model could not be stored, read or related.
///
/// `description` holds names of models and fields, never values.
///
/// ```swift
/// do {
///     try await store.save(post, where: Post.keys.rating < 3)
/// } catch let error as ModelError where error.kind == .conditionFailed {
///     isConflict = true  // nothing was changed; read the record again
/// }
/// ```
public struct ModelError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason for a failure; each of `allCases` is explained under its string in `docs/errors.md`.
    public struct Kind: RawRepresentable, Sendable, Hashable, CaseIterable {
        /// The stable string, `model.` and the kind's name.
        public let rawValue: String

        /// Creates a kind from its string.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The model is not among those the store was opened with.
        public static let unregistered = Self(rawValue: "model.unregistered")
        /// The model's schema breaks a rule.
        public static let invalidSchema = Self(rawValue: "model.invalid-schema")
        /// A stored row is not what the model expects.
        public static let decodingFailed = Self(rawValue: "model.decoding-failed")
        /// A model has a value that cannot be stored.
        public static let encodingFailed = Self(rawValue: "model.encoding-failed")
        /// A required relation leads to no record.
        public static let missingRelation = Self(rawValue: "model.missing-relation")
        /// Several records were found where one is expected.
        public static let notUnique = Self(rawValue: "model.not-unique")
        /// A record belongs to one that does not exist.
        public static let brokenRelation = Self(rawValue: "model.broken-relation")
        /// The stored record does not satisfy the condition of a save or delete.
        public static let conditionFailed = Self(rawValue: "model.condition-failed")

        /// Every kind, in the order of `docs/errors.md`.
        public static let allCases: [Self] = [
            .unregistered, .invalidSchema, .decodingFailed, .encodingFailed, .missingRelation, .notUnique,
            .brokenRelation, .conditionFailed,
        ]
    }

    /// The reason.
    public var kind: Kind
    /// What is wrong and what to do, in a sentence without values.
    public var message: String

    /// Creates an error.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// The store was opened without a model.
    package static func unregistered(_ model: String) -> ModelError {
        ModelError(.unregistered, "The store was opened without model '\(model)'; name it when opening.")
    }

    /// The kind and the message.
    public var description: String { "\(kind.rawValue): \(message)" }
}

extension ModelError: AmplifyError {
    /// ``message``.
    public var errorDescription: ErrorDescription { message }

    /// Where the reason is explained.
    public var recoverySuggestion: RecoverySuggestion { "See '\(kind.rawValue)' in the list of errors." }

    /// None.
    public var underlyingError: (any Error)? { nil }

    /// Creates an error around another; one of the same type stays as it is, another becomes a failure to read.
    public init(errorDescription: ErrorDescription, recoverySuggestion: RecoverySuggestion, error: any Error) {
        self = error as? ModelError ?? ModelError(.decodingFailed, errorDescription)
    }
}
