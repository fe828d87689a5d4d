import HoldfastGraphQL

/// What a request asked for; shows names of the document and of the schema, and no values.
package struct RequestedOperation: Sendable {
    private let prepared: PreparedOperation
    private let schema: ServerSchema

    init(_ prepared: PreparedOperation, in schema: ServerSchema) {
        self.prepared = prepared
        self.schema = schema
    }

    /// `query` or `mutation`.
    package var kind: String { prepared.operation.kind.rawValue }

    /// The name that the client gave it; `nil` if it has none.
    package var name: String? { prepared.operation.name?.text }

    /// The models that fields of the root type are about, in the order of the request, each once.
    package var models: [String] {
        guard let root = schema.api.rootType(prepared.operation.kind) else { return [] }
        var models: [String] = []
        for field in prepared.collector.fields(of: prepared.operation.selections, on: root.name) {
            guard let name = schema.roots[prepared.operation.kind]?[field.first.name.text]?.model.name,
                !models.contains(name)
            else { continue }
            models.append(name)
        }
        return models
    }
}
