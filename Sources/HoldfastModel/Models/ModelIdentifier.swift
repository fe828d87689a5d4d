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
