public import HoldfastStorage
import Synchronization

/// A relation to one record, loaded when first asked for and then kept.
public final class LazyReference<ModelType: Model>: Sendable, Codable {
    private enum State: Sendable {
        case unloaded(RecordKey?)
        case loaded(ModelType?)
    }

    private let state: Mutex<State>
    private let loader: (any ModelLoader)?

    /// A relation to a model at hand, or to nothing.
    public init(_ reference: ModelType?) {
        state = Mutex(.loaded(reference))
        loader = nil
    }

    /// A relation to the record of a key.
    ///
    /// - Parameters:
    ///   - key: The other record's key, or `nil` for no relation.
    ///   - loader: Where to load it from.
    public init(key: RecordKey?, loader: (any ModelLoader)?) {
        state = Mutex(.unloaded(key))
        self.loader = loader
    }

    /// The related model, or `nil` if there is none.
    ///
    /// - Throws: What the store throws; the relation stays unloaded then.
    public func get() async throws -> ModelType? {
        switch state.withLock({ $0 }) {
        case .loaded(let model): return model
        case .unloaded(nil): return nil
        case .unloaded(let key?):
            guard let loader else {
                throw ModelError(.missingRelation, "The relation to '\(ModelType.modelName)' belongs to no store.")
            }
            let model = try await loader.load(ModelType.self, key: key)
            state.withLock { $0 = .loaded(model) }
            return model
        }
    }

    /// The related model of a required relation.
    ///
    /// - Throws: ``ModelError`` `.missingRelation` if there is none; what the store throws.
    public func require() async throws -> ModelType {
        guard let model = try await get() else {
            throw ModelError(.missingRelation, "The required relation to '\(ModelType.modelName)' leads to no record.")
        }
        return model
    }

    /// The related record's key, or `nil` if there is no relation.
    ///
    /// - Throws: ``ModelError`` `.encodingFailed` if the model at hand cannot be written as a row.
    public func key() throws(ModelError) -> RecordKey? {
        switch state.withLock({ $0 }) {
        case .unloaded(let key): return key
        case .loaded(let model): return try model?.recordKey()
        }
    }

    /// Reads a nested model.
    public convenience init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(ModelType?.self))
    }

    /// Writes the model at hand, or null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if case .loaded(let model?) = state.withLock({ $0 }) {
            try container.encode(model)
        } else {
            try container.encodeNil()
        }
    }
}
