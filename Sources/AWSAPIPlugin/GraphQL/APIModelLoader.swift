import AWSPluginsCore
import Amplify
import HoldfastModel
import HoldfastStorage
import HoldfastWire

/// Loads the relations of models that a service answered from the same service.
struct APIModelLoader: ModelLoader {
    let plugin: AWSAPIPlugin
    /// The service.
    let apiName: String?
    /// How the request that was answered showed who made it.
    let authMode: (any AuthorizationMode)?

    func load<M: Model>(_ type: M.Type, key: RecordKey) async throws -> M? {
        try await answer(to: GraphQLRequest<M?>.record(M.self, key), about: M.modelName)
    }

    func loadChildren<M: Model>(_ type: M.Type, _ request: ChildrenRequest) async throws -> ChildrenPage<M> {
        // Other models may have a list that goes by the same fields.
        guard let list = request.parentField,
            let parent = request.parentModel.flatMap(ModelRegistry.modelSchema(from:))
        else {
            throw CoreError.listOperation(
                "The model that has the list of '\(M.modelName)' is not registered.",
                "Register all models of the API.")
        }
        let page = try await answer(
            to: GraphQLRequest<RelatedPage<M>?>.related(
                list, of: parent, request.parent, as: M.self, limit: request.limit ?? 1_000,
                pageToken: request.pageToken),
            about: M.modelName)
        // The record is gone or hidden, which does not mean that nothing leads to it.
        guard let page else {
            throw CoreError.listOperation(
                "The service no longer has the '\(parent.name)' with the list '\(list)'.",
                "Ask for the records of the list with a request of their own, or read the record again.")
        }
        return ChildrenPage(page.items, pageToken: page.nextToken)
    }

    /// The page that follows the result of a request for a list.
    func page<R>(_ token: String, of request: GraphQLRequest<R>) async throws -> R {
        if let next = request.nextPage { return try await answer(to: next(token), about: "\(R.self)") }
        // A document of the application's own may have the variable.
        guard request.document.contains("$nextToken") else {
            throw CoreError.listOperation(
                "The request for the list cannot ask for its next page.",
                "Give its document a variable '$nextToken', or use GraphQLRequest.list.")
        }
        var variables = request.variables ?? [:]
        variables["nextToken"] = token
        return try await answer(
            to: request.sent(to: apiName, authMode: authMode, variables: variables), about: "\(R.self)")
    }

    private func answer<R>(to request: GraphQLRequest<R>, about name: String) async throws -> R {
        do {
            return try await plugin.query(request: request.sent(to: apiName, authMode: authMode)).get()
        } catch {
            throw CoreError.listOperation(
                "'\(name)' could not be loaded through the API.", "See the underlying error.", error)
        }
    }
}

/// A part of the records of a list.
struct RelatedPage<Element: Model>: Decodable, Sendable {
    let items: [Element]
    let nextToken: String?
}
