package import HoldfastGraphQL

/// What a service needs to know of an annotated schema: the API, and what each part of it means.
package struct ServiceSchema: Sendable {
    /// The API, as ``apiSchema(of:defaultMode:)`` makes it.
    package let document: GraphQLDocument
    /// The models in the order of the schema; join models at the end.
    package let models: [APIModel]
    /// The relations of each model, by its name.
    package let relations: [String: [APIRelation]]
    /// The fields that the service sets to the time of a change, by model.
    package let timestamps: [String: APITimestamps]
    /// The types that live inside fields.
    package let embedded: [EmbeddedType]

    /// Reads a schema.
    ///
    /// - Throws: ``SchemaError`` with every problem of the schema.
    package init(of sources: [Source], defaultMode: AuthMode = .apiKey) throws(SchemaError) {
        let annotated = try GraphBuilder.annotatedSchema(of: sources, for: .service)
        var builder = APIBuilder(annotated, defaultMode: defaultMode)
        document = try builder.checkedDocument(of: sources, requiresQueries: true)
        models = builder.models
        let reader = builder
        relations = Dictionary(
            builder.models.map { ($0.name, reader.relations(of: $0)) }, uniquingKeysWith: { first, _ in first })
        timestamps = Dictionary(
            builder.models.map { ($0.name, Timestamps.fields(of: annotated.type($0.name))) },
            uniquingKeysWith: { first, _ in first })
        embedded = annotated.graph.embedded
    }
}

/// The fields of a model that the service sets to the time of a change.
package struct APITimestamps: Sendable {
    /// The field that has the time of the creation; `nil` if the model has none.
    package var created: String?
    /// The field that has the time of the last change; `nil` if the model has none.
    package var updated: String?
}
