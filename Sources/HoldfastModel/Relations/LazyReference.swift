public import HoldfastStorage

/// A relation to one record, loaded when first asked for and then kept.
///
/// It may be used from any task.
///
/// ```swift
/// let title = try await note.get()?.title  // loads the record once; nil if there is none
/// ```
public final class LazyReference<ModelType: Model>: Sendable, Codable {
    private enum State: Sendable {
        case unloaded(RecordKey?)
        /// The record is the one of its model that leads to another by its fields.
        case unloadedChild(ChildrenRequest)
        case loaded(ModelType)
        /// Put here by the application, over a key that the model had in a field of its own when it was first written.
        case assigned(ModelType, over: [Value]?)
        /// Looked for and not found; the key stays what it is.
        case missing(RecordKey?)

        var model: ModelType? {
            switch self {
            case .loaded(let model), .assigned(let model, _): model
            case .unloaded, .unloadedChild, .missing: nil
            }
        }
    }

    private let state: Mutex<State>
    private let loader: (any ModelLoader)?

    /// A relation to a loaded model, or to nothing.
    public init(_ reference: ModelType?) {
        state = Mutex(reference.map { .assigned($0, over: nil) } ?? .unloaded(nil))
        loader = nil
    }

    /// A relation to the record of a key.
    ///
    /// - Parameters:
    ///   - key: The other record's key, or `nil` for no relation.
    ///   - loader: Where to load it from; `nil` for the loader of the ``ModelRegistry``.
    public init(key: RecordKey?, loader: (any ModelLoader)?) {
        state = Mutex(.unloaded(key))
        self.loader = loader
    }

    /// A relation to the record of an identifier, or to nothing.
    public convenience init(identifiers: [LazyReferenceIdentifier]?) {
        self.init(key: identifiers.flatMap { $0.isEmpty ? nil : Self.key($0) }, loader: nil)
    }

    /// A relation to the one record whose fields lead to a key.
    init(childBy fields: [String], of key: RecordKey?, loader: (any ModelLoader)?) {
        let request = key.map { ChildrenRequest(fields: fields, parent: $0, limit: 1) }
        state = Mutex(request.map { .unloadedChild($0) } ?? .missing(nil))
        self.loader = loader
    }

    /// The related model, or `nil` if there is none.
    ///
    /// - Throws: What the store throws; the relation stays unloaded then. ``ModelError`` `.missingRelation` if the
    ///   relation belongs to no store.
    public func get() async throws -> ModelType? {
        switch state.withLock({ $0 }) {
        case .loaded(let model), .assigned(let model, _): return model
        case .unloaded(nil), .missing: return nil
        case .unloaded(let key?):
            let model = try await store().load(ModelType.self, key: key)
            state.withLock { $0 = model.map { .loaded($0) } ?? .missing(key) }
            return model
        case .unloadedChild(let request):
            let model = try await store().loadChildren(ModelType.self, request).models.first
            state.withLock { $0 = model.map { .loaded($0) } ?? .missing(nil) }
            return model
        }
    }

    /// The related model of a required relation.
    ///
    /// - Throws: ``ModelError`` `.missingRelation` if there is none; what ``get()`` throws.
    public func require() async throws -> ModelType {
        guard let model = try await get() else {
            throw ModelError(.missingRelation, "The required relation to '\(ModelType.modelName)' leads to no record.")
        }
        return model
    }

    /// The key of the model that the application put here, unless the application has changed the key since.
    ///
    /// A model that has the key in a field of its own keeps the old one there. A value of that field that differs from
    /// the one at the first write was set later than the relation. Copies of a model share this memory.
    ///
    /// - Parameter held: What the fields of the key hold.
    /// - Returns: The key; `nil` if nothing was put here, or the fields come first.
    /// - Throws: As ``key()``.
    func assignedKey(over held: [Value]) throws(ModelError) -> RecordKey? {
        let assigned: ModelType? = state.withLock { state in
            guard case .assigned(let model, let first) = state else { return nil }
            if first == nil || first == held {
                state = .assigned(model, over: held)
                return model
            }
            // From now on the fields lead.
            state = .loaded(model)
            return nil
        }
        return try assigned?.recordKey()
    }

    /// The related model, if it is loaded.
    var modelAtHand: ModelType? { state.withLock { $0.model } }

    /// Whether the related model is loaded, or is known not to exist.
    public var isLoaded: Bool {
        switch state.withLock({ $0 }) {
        case .loaded, .assigned, .missing, .unloaded(nil): true
        case .unloaded, .unloadedChild: false
        }
    }

    /// The related record's key, or `nil` if there is no relation or the other side holds the key.
    ///
    /// A relation to a record that is not there keeps its key.
    ///
    /// - Throws: ``ModelError`` `.encodingFailed` if the loaded model cannot be written as a row.
    public func key() throws(ModelError) -> RecordKey? {
        switch state.withLock({ $0 }) {
        case .unloaded(let key): return key
        case .unloadedChild: return nil
        case .missing(let key): return key
        case .loaded(let model), .assigned(let model, _): return try model.recordKey()
        }
    }

    /// The related record's identifier, or `nil` as ``key()``.
    ///
    /// - Throws: As ``key()``.
    public func identifiers() throws(ModelError) -> [LazyReferenceIdentifier]? {
        try key().map { key in
            zip(ModelType.schema.primaryKeyNames, key.components).map {
                LazyReferenceIdentifier(name: $0, value: $1.identifierText)
            }
        }
    }

    private func store() throws(ModelError) -> any ModelLoader {
        guard let loader = loader ?? ModelRegistry.loader else {
            throw ModelError(.missingRelation, "The relation to '\(ModelType.modelName)' does not belong to a store.")
        }
        return loader
    }

    private static func key(_ identifiers: [LazyReferenceIdentifier]) -> RecordKey {
        let schema = ModelType.schema
        let names = schema.primaryKeyNames
        let ordered = names.compactMap { name in identifiers.first { $0.name == name } }
        return RecordKey(
            (ordered.count == names.count && ordered.count == identifiers.count ? ordered : identifiers).map {
                KeyComponent.value($0.value, of: schema.field(withName: $0.name)?.type.fieldType)
            })
    }

    /// Reads the form of a relation that was not loaded, a nested model, an object with the model's key alone, or null.
    public convenience init(from decoder: any Decoder) throws {
        let loader = decoder.userInfo[.modelLoader] as? any ModelLoader
        guard let container = try? decoder.container(keyedBy: ReferenceKeys.self) else {
            self.init(key: nil, loader: loader)
            return
        }
        if let identifiers = Self.identifiers(in: container) {
            self.init(key: identifiers.isEmpty ? nil : Self.key(identifiers), loader: loader)
            return
        }
        do {
            self.init(try ModelType(from: decoder))
        } catch {
            guard let identifiers = Self.keyFields(of: container) else { throw error }
            self.init(key: Self.key(identifiers), loader: loader)
        }
    }

    /// The identifier in the form of a relation that was not loaded, empty if it leads nowhere; `nil` for another form.
    ///
    /// A model may have a field of this name too, but such a form names exactly the fields of the key.
    private static func identifiers(
        in container: KeyedDecodingContainer<ReferenceKeys>
    ) -> [LazyReferenceIdentifier]? {
        let names = ModelType.schema.primaryKeyNames
        guard let identifiers = try? container.decode([LazyReferenceIdentifier].self, forKey: ReferenceKeys.identifiers)
        else { return nil }
        if identifiers.isEmpty { return names.contains { container.contains(ReferenceKeys($0)) } ? nil : [] }
        return identifiers.map(\.name).sorted() == names.sorted() ? identifiers : nil
    }

    /// The fields of the key in an object that may have no others; `nil` if one is missing.
    private static func keyFields(
        of container: KeyedDecodingContainer<ReferenceKeys>
    ) -> [LazyReferenceIdentifier]? {
        var identifiers: [LazyReferenceIdentifier] = []
        for name in ModelType.schema.primaryKeyNames {
            guard let value = try? container.decode(KeyComponent.self, forKey: ReferenceKeys(name)).value else {
                return nil
            }
            identifiers.append(LazyReferenceIdentifier(name: name, value: value.identifierText))
        }
        return identifiers.isEmpty ? nil : identifiers
    }

    /// Writes the loaded model, or null.
    ///
    /// Of a relation that was not loaded, it writes the other record's identifier, as
    /// `{"identifiers":[{"name":…,"value":…}],"source":"DataStore"}`.
    public func encode(to encoder: any Encoder) throws {
        if let model = modelAtHand {
            var container = encoder.singleValueContainer()
            try container.encode(model)
        } else if let identifiers = try identifiers() {
            var container = encoder.container(keyedBy: ReferenceKeys.self)
            try container.encode(identifiers, forKey: .identifiers)
            try container.encode("DataStore", forKey: .source)
        } else {
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
    }
}

/// One field of the identifier of a record to which a ``LazyReference`` leads.
public struct LazyReferenceIdentifier: Codable, Sendable, Hashable {
    /// The field's name.
    public let name: String
    /// The value as text.
    public let value: String

    /// Creates one field of an identifier.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Reads a name and a value; the value may also be a number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        value = try container.decode(KeyComponent.self, forKey: .value).value.identifierText
    }

    private enum CodingKeys: String, CodingKey {
        case name, value
    }
}

extension [LazyReferenceIdentifier] {
    /// The identifier as one text; see ``ModelIdentifierProtocol/stringValue``.
    public var stringValue: String { identifierText(of: map(\.value)) }
}

/// The names in the form of a relation, those of the model's key among them.
private struct ReferenceKeys: CodingKey {
    static let identifiers = ReferenceKeys("identifiers")
    static let source = ReferenceKeys("source")

    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}
