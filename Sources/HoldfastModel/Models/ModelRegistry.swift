public import Foundation
import HoldfastStorage

/// The models of an application, as generated code lists them.
public protocol AmplifyModelRegistration {
    /// A hash over the models; another one means that the stored records may no longer fit.
    var version: String { get }

    /// Registers each model.
    func registerModels(registry: ModelRegistry.Type)
}

/// The models of this process by their names.
///
/// For code that knows models by name only, such as what reads JSON from elsewhere. A data store that is opened with
/// its models does not look here.
public enum ModelRegistry {
    /// Reads a model from JSON.
    public typealias JSONReader = @Sendable (String, JSONDecoder?) throws -> any Model

    private struct Registered {
        let type: any Model.Type
        let schema: ModelSchema
        let read: JSONReader
    }

    private struct State {
        var names: [ModelName] = []
        var models: [ModelName: Registered] = [:]
        var loader: (any ModelLoader)?
    }

    private static let state = Mutex(State())

    /// Registers a model under its name; the last one of a name counts.
    public static func register(modelType: any Model.Type) {
        register(modelType: modelType, modelSchema: modelType.schema) { json, decoder in
            try modelType.from(json: json, decoder: decoder)
        }
    }

    /// Registers a model under the name in its schema, with its own way to be read from JSON.
    public static func register(
        modelType: any Model.Type, modelSchema: ModelSchema, jsonDecoder: @escaping JSONReader
    ) {
        let registered = Registered(type: modelType, schema: modelSchema, read: jsonDecoder)
        state.withLock { state in
            if state.models.updateValue(registered, forKey: modelSchema.name) == nil {
                state.names.append(modelSchema.name)
            }
        }
    }

    /// The models, in the order in which they were registered.
    public static var models: [any Model.Type] { all.map(\.type) }

    /// The schemas, in the order in which the models were registered.
    public static var modelSchemas: [ModelSchema] { all.map(\.schema) }

    /// Whether a registered model is synchronized with a service.
    public static var hasSyncableModels: Bool { modelSchemas.contains(where: \.isSyncable) }

    private static var all: [Registered] {
        state.withLock { state in state.names.compactMap { state.models[$0] } }
    }

    /// The model of a name, or `nil`.
    public static func modelType(from name: ModelName) -> (any Model.Type)? {
        state.withLock { $0.models[name]?.type }
    }

    /// The schema of the model of a name, or `nil`.
    public static func modelSchema(from name: ModelName) -> ModelSchema? {
        state.withLock { $0.models[name]?.schema }
    }

    /// The schema under which a model was registered, or `nil`.
    public static func modelSchema(from modelType: any Model.Type) -> ModelSchema? {
        modelSchema(from: modelType.modelName)
    }

    /// Reads a model of a registered type from JSON.
    ///
    /// - Throws: ``ModelError`` `.unregistered`; what the model's decoding throws.
    public static func decode(
        modelName: ModelName, from json: String, jsonDecoder: JSONDecoder? = nil
    ) throws -> any Model {
        guard let read = state.withLock({ $0.models[modelName]?.read }) else {
            throw ModelError(.unregistered, "No model is registered under the name '\(modelName)'; register it first.")
        }
        return try read(json, jsonDecoder)
    }

    /// Where relations load from that were not read from a store, such as those read from JSON; none by default.
    public static var loader: (any ModelLoader)? {
        get { state.withLock { $0.loader } }
        set { state.withLock { $0.loader = newValue } }
    }

    /// Forgets everything that was registered.
    public static func reset() { state.withLock { $0 = State() } }
}
