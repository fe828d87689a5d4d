/// A record as a service returns it, with what the service says of it.
public struct MutationSync<ModelType: Model>: Decodable, Sendable {
    /// The record.
    public let model: ModelType
    /// What the service says of it.
    public let syncMetadata: MutationSyncMetadata

    /// Creates a record with what a service says of it.
    public init(model: ModelType, syncMetadata: MutationSyncMetadata) {
        self.model = model
        self.syncMetadata = syncMetadata
    }

    /// Reads an object with the model's fields and `__typename`, `_version`, `_lastChangedAt` and `_deleted`.
    ///
    /// An ``AnyModel`` becomes the model of the ``ModelRegistry`` that `__typename` names.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        let name = try container.decodeIfPresent(String.self, forKey: .typeName)
        let resolvedName: ModelName
        if ModelType.self == AnyModel.self {
            guard let name, let type = ModelRegistry.modelType(from: name) else {
                throw ModelError(.unregistered, "The object's '__typename' names no registered model.")
            }
            guard let model = AnyModel(try type.init(from: decoder)) as? ModelType else {
                throw ModelError(.decodingFailed, "The object is not a '\(name)'.")
            }
            self.model = model
            resolvedName = name
        } else {
            model = try ModelType(from: decoder)
            resolvedName = name ?? ModelType.schema.name
        }
        syncMetadata = MutationSyncMetadata(
            modelId: model.identifier, modelName: resolvedName,
            deleted: try container.decodeIfPresent(Bool.self, forKey: .deleted) ?? false,
            lastChangedAt: try container.decode(Int64.self, forKey: .lastChangedAt),
            version: try container.decode(Int.self, forKey: .version))
    }

    private enum Keys: String, CodingKey {
        case typeName = "__typename"
        case deleted = "_deleted"
        case lastChangedAt = "_lastChangedAt"
        case version = "_version"
    }
}
