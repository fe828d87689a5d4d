import Foundation

/// A model whose type is not known to the compiler.
public struct AnyModel: Model {
    /// The model's identifier.
    public let id: String
    /// The model.
    public let instance: any Model
    /// The name of the model's type.
    public let modelName: ModelName

    /// Wraps a model; an `AnyModel` is not wrapped again.
    public init(_ instance: any Model) {
        let instance = (instance as? AnyModel)?.instance ?? instance
        self.instance = instance
        id = instance.identifier
        modelName = type(of: instance).schema.name
    }

    /// The model's identifier.
    public var identifier: String { id }
    /// The schema of the model inside.
    public var schema: ModelSchema { type(of: instance).schema }

    /// Reads a model of the ``ModelRegistry`` by the name beside it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let name = try container.decode(String.self, forKey: .modelName)
        let json = try container.decode(String.self, forKey: .instance)
        self.init(try ModelRegistry.decode(modelName: name, from: json))
    }

    /// Writes the model as JSON text beside its name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(instance.toJSON(), forKey: .instance)
        try container.encode(modelName, forKey: .modelName)
    }

    /// The names of the fields.
    public enum CodingKeys: String, ModelKey {
        /// The identifier.
        case id
        /// The model.
        case instance
        /// The name of its type.
        case modelName
    }
}

extension Model {
    /// The model without its type.
    public func eraseToAnyModel() -> AnyModel { AnyModel(self) }
}
