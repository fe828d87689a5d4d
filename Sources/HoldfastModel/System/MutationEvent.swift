public import Foundation

/// A change of one record: what observers see and what is sent to a service.
public struct MutationEvent: Model, Hashable, Identifiable {
    /// What happened to the record.
    public enum MutationType: String, Codable, Sendable, Hashable {
        /// It is new.
        case create
        /// It was replaced.
        case update
        /// It is gone.
        case delete
    }

    /// Identifies the change.
    public let id: String
    /// The record's identifier; see ``ModelIdentifierProtocol/stringValue``.
    public var modelId: String
    /// The name of the record's model.
    public var modelName: String
    /// The whole record as JSON; for a deletion as it was.
    public var json: String
    /// What happened, as the string of ``MutationType``.
    public var mutationType: String
    /// When the change was made.
    public var createdAt: Temporal.DateTime
    /// The version that the service gave the record, if it is known.
    public var version: Int?
    /// Whether the change is being sent.
    public var inProcess: Bool
    /// The condition under which the service makes the change, as JSON.
    public var graphQLFilterJSON: String?

    /// Creates a change from its parts.
    public init(
        id: String = UUID().uuidString, modelId: String, modelName: String, json: String, mutationType: MutationType,
        createdAt: Temporal.DateTime = .now(), version: Int? = nil, inProcess: Bool = false,
        graphQLFilterJSON: String? = nil
    ) {
        self.id = id
        self.modelId = modelId
        self.modelName = modelName
        self.json = json
        self.mutationType = mutationType.rawValue
        self.createdAt = createdAt
        self.version = version
        self.inProcess = inProcess
        self.graphQLFilterJSON = graphQLFilterJSON
    }

    /// Creates a change of a model.
    ///
    /// - Throws: What writing the model as JSON throws.
    public init(
        model: some Model, modelSchema: ModelSchema, mutationType: MutationType, version: Int? = nil,
        graphQLFilterJSON: String? = nil
    ) throws {
        let instance = (model as? AnyModel)?.instance ?? model
        self.init(
            modelId: instance.identifier(schema: modelSchema).stringValue, modelName: modelSchema.name,
            json: try instance.toJSON(), mutationType: mutationType, version: version,
            graphQLFilterJSON: graphQLFilterJSON)
    }

    /// Creates a change of a model.
    ///
    /// - Throws: What writing the model as JSON throws.
    public init(
        model: some Model, mutationType: MutationType, version: Int? = nil, graphQLFilterJSON: String? = nil
    ) throws {
        try self.init(
            model: model, modelSchema: model.schema, mutationType: mutationType, version: version,
            graphQLFilterJSON: graphQLFilterJSON)
    }

    /// Creates a change of a model whose type is not known.
    ///
    /// - Throws: What writing the model as JSON throws.
    public init(untypedModel model: any Model, mutationType: MutationType, version: Int? = nil) throws {
        try self.init(model: model.eraseToAnyModel(), mutationType: mutationType, version: version)
    }

    /// The record, as a model of the ``ModelRegistry``.
    ///
    /// - Throws: As ``ModelRegistry/decode(modelName:from:jsonDecoder:)``.
    public func decodeModel() throws -> any Model { try ModelRegistry.decode(modelName: modelName, from: json) }

    /// The record.
    ///
    /// - Throws: ``ModelError`` `.decodingFailed` if the record is of another model; what decoding throws.
    public func decodeModel<M: Model>(as type: M.Type) throws -> M {
        guard type.schema.name == modelName else {
            throw ModelError(.decodingFailed, "The change is one of '\(modelName)', not of '\(type.schema.name)'.")
        }
        return try type.from(json: json)
    }

    /// Whether both are the same change in the same state.
    public static func == (left: MutationEvent, right: MutationEvent) -> Bool {
        left.id == right.id && left.modelId == right.modelId && left.modelName == right.modelName
            && left.json == right.json && left.mutationType == right.mutationType
            && left.createdAt == right.createdAt && left.version == right.version
            && left.inProcess == right.inProcess && left.graphQLFilterJSON == right.graphQLFilterJSON
    }
}

extension MutationEvent {
    /// The names of the fields.
    public enum CodingKeys: String, ModelKey {
        /// ``MutationEvent/id``.
        case id
        /// ``MutationEvent/modelId``.
        case modelId
        /// ``MutationEvent/modelName``.
        case modelName
        /// ``MutationEvent/json``.
        case json
        /// ``MutationEvent/mutationType``.
        case mutationType
        /// ``MutationEvent/createdAt``.
        case createdAt
        /// ``MutationEvent/version``.
        case version
        /// ``MutationEvent/inProcess``.
        case inProcess
        /// ``MutationEvent/graphQLFilterJSON``.
        case graphQLFilterJSON
    }

    /// The names of the fields.
    public static let keys = CodingKeys.self

    /// The fields.
    public static let schema = defineSchema { model in
        model.listPluralName = "MutationEvents"
        model.syncPluralName = "MutationEvents"
        model.attributes(.isSystem, .primaryKey(fields: [keys.id]))
        model.fields(
            .field(keys.id, is: .required, ofType: .string), .field(keys.modelId, is: .required, ofType: .string),
            .field(keys.modelName, is: .required, ofType: .string), .field(keys.json, is: .required, ofType: .string),
            .field(keys.mutationType, is: .required, ofType: .string),
            .field(keys.createdAt, is: .required, ofType: .dateTime),
            .field(keys.version, is: .optional, ofType: .int), .field(keys.inProcess, is: .required, ofType: .bool),
            .field(keys.graphQLFilterJSON, is: .optional, ofType: .string))
    }

    /// Reads the change from a row.
    public init(row: RowReader) throws(ModelError) {
        id = try row.read(0)
        modelId = try row.read(1)
        modelName = try row.read(2)
        json = try row.read(3)
        mutationType = try row.read(4)
        createdAt = try row.read(5)
        version = try row.read(6)
        inProcess = try row.read(7)
        graphQLFilterJSON = try row.read(8)
    }

    /// Writes the change as a row.
    public func write(to row: inout RowWriter) throws(ModelError) {
        row.write(id)
        row.write(modelId)
        row.write(modelName)
        row.write(json)
        row.write(mutationType)
        row.write(createdAt)
        row.write(version)
        row.write(inProcess)
        row.write(graphQLFilterJSON)
    }
}
