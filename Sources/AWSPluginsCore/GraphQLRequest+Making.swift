import Amplify
import Foundation
import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastWire

extension GraphQLRequest {
    /// A request with a document of the dialect; one that cannot be made fails when it is sent.
    ///
    /// - Parameters:
    ///   - schema: The model.
    ///   - isEager: Whether the model holds its parents themselves; `nil` if the registry says so.
    ///   - isVersioned: Whether records come with their versions.
    ///   - paths: The relations that lead to the related records that are asked for as well.
    ///   - list: The list of the operation's record in which the answer is; `nil` for the record itself.
    ///   - authMode: How the request shows who makes it; `nil` for the service's default.
    ///   - make: Makes the operation of the compiled model; also gets how much is selected of related records.
    /// - Returns: The request; if it cannot be made, one with an empty document that holds the failure.
    static func making(
        _ schema: @autoclosure () throws -> ModelSchema, isEager: Bool?, isVersioned: Bool = false,
        including paths: [[String]] = [], inside list: String? = nil, _ authMode: AWSAuthorizationType?,
        _ make: (WireModel, RelationSelection) throws -> WireOperation
    ) -> GraphQLRequest<R> {
        do {
            let schema = try schema()
            let schemas = schemas(with: schema)
            let model = try WireModel(schema, among: schemas).including(paths, of: schema, among: schemas)
            let isEager = isEager ?? ModelRegistry.modelType(from: schema.name)?.isEager ?? true
            let operation = try make(isVersioned ? model : model.unversioned, isEager ? .fields : .keys)
            return GraphQLRequest(
                document: operation.document, variables: operation.variables?.dictionary, responseType: R.self,
                decodePath: operation.fieldName + (list.map { "." + $0 } ?? ""), authMode: authMode)
        } catch {
            var request = GraphQLRequest(document: "", responseType: R.self, authMode: authMode)
            request.failure = APIError(errorDescription: "The request cannot be made: \(error)", error: error)
            return request
        }
    }

    /// The schemas of the registered models and of one more, by name.
    static func schemas(with schema: ModelSchema) -> [String: ModelSchema] {
        var schemas = Dictionary(
            ModelRegistry.modelSchemas.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        schemas[schema.name] = schema
        return schemas
    }

    /// The names of included relations; none for models that hold their parents themselves.
    static func paths<M: Model>(_ includes: IncludedAssociations<M>) -> [[String]] {
        guard let root = M.rootPath as? ModelPath<M> else { return [] }
        return includes(root).map { $0.getKeyPath().split(separator: ".").map(String.init) }
    }
}

extension WireOperation {
    /// The name of the operation's only field.
    fileprivate var fieldName: String {
        let line = document.split(separator: "\n").dropFirst().first ?? ""
        return String(line.drop { $0 == " " }.prefix { $0 != "(" && $0 != " " })
    }
}

extension JSONObject {
    /// The members as Foundation has JSON.
    var dictionary: [String: Any]? {
        let data = Data(WireValue.object(self).text.utf8)
        return (try? JSONSerialization.jsonObject(with: data)) as? [String: Any]
    }
}

extension WireModel {
    /// A predicate as the service has it, each operator as it was written; `nil` for none.
    ///
    /// - Throws: `APIError` `.operationError` for what asks for more than the record's own fields.
    func filter(
        _ predicate: (any QueryPredicate)?, of schema: ModelSchema, in dialect: FilterDialect, isSync: Bool = false
    ) throws -> WireValue? {
        guard let predicate, !(predicate is QueryPredicateConstant) else { return nil }
        if let literal = schema.serviceCondition(predicate) {
            let json = withWireNames(try WireValue(parsing: Array(literal.utf8)))
            return isSync ? syncFilter(ordering: json) : json
        }
        // Keys of several fields are several comparisons.
        let plan = try schema.plan(where: predicate).predicate
        let filter = isSync ? syncFilter(for: plan) : filter(for: plan, in: dialect)
        guard filter.residual == nil else {
            throw APIError.operationError(
                "The service's filters cannot say what the predicate on '\(name)' asks for.",
                "Ask for more, and filter the answer.")
        }
        return filter.json
    }

    /// A mutation of a record with all its fields.
    func mutation(
        _ mutation: WireMutation, of model: any Model, condition: WireValue?, version: Int64? = nil
    ) throws -> WireOperation {
        let row = Array(try model.row()[0])
        guard let input = input(for: mutation, row: row, changedFields: columns.map(\.name), version: version) else {
            throw APIError.operationError(
                "The '\(name)' has no field to update.", "Update a model that has fields beside its key.")
        }
        return self.mutation(mutation, input: input, condition: condition)
    }
}

extension WireMutation {
    init(_ type: GraphQLMutationType) {
        self =
            switch type {
            case .create: .create
            case .update: .update
            case .delete: .delete
            }
    }

    init(_ type: GraphQLSubscriptionType) {
        self =
            switch type {
            case .onCreate: .create
            case .onUpdate: .update
            case .onDelete: .delete
            }
    }
}
