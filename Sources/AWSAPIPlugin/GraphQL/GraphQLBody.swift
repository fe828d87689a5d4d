import AWSPluginsCore
import Amplify
import Foundation
import HoldfastModel

/// A request as JSON, and how its answer is read.
struct GraphQLBody<R: Decodable & Sendable>: Sendable {
    /// The request as it goes over HTTP, and as text in the `start` frame of a socket.
    let bytes: [UInt8]
    private let request: GraphQLRequest<R>
    private let loader: APIModelLoader

    init(_ request: GraphQLRequest<R>, loader: APIModelLoader) throws(APIError) {
        if let failure = request.failure { throw failure }
        var body: [String: Any] = ["query": request.document]
        if let variables = request.variables { body["variables"] = variables }
        guard JSONSerialization.isValidJSONObject(body), let data = try? JSONSerialization.data(withJSONObject: body)
        else {
            throw .operationError(
                "The variables of the request have values that JSON does not.",
                "Use text, numbers, booleans, arrays, dictionaries, and NSNull.")
        }
        bytes = Array(data)
        self.request = request
        self.loader = loader
    }

    /// Reads an answer.
    func response(_ bytes: [UInt8]) -> GraphQLResponse<R> {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let answer = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else {
            return .failure(.transformationError(text, Self.unreadable(nil)))
        }
        let errors = (answer["errors"] as? [Any] ?? []).map(GraphQLError.init(json:))
        var value: Any? = answer["data"]
        for name in request.decodePath?.split(separator: ".") ?? [] where !(value is NSNull) {
            value = (value as? [String: Any])?[String(name)]
        }
        // As in the original: if every field of the data is null, the answer is an error, not partial data.
        let members = answer["data"] as? [String: Any] ?? [:]
        let isNull = !members.isEmpty && members.values.allSatisfy { $0 is NSNull }
        if isNull || value == nil || value is NSNull, !errors.isEmpty { return .failure(.error(errors)) }
        guard let value else { return .failure(.transformationError(text, Self.unreadable(nil))) }
        let result: R
        do {
            result = try decode(value)
        } catch {
            return .failure(.transformationError(text, Self.unreadable(error)))
        }
        return errors.isEmpty ? .success(result) : .failure(.partial(result, errors))
    }

    private static func unreadable(_ error: (any Error)?) -> APIError {
        .operationError(
            "The answer is not what the request expects.", "Compare the document with the type that is expected.",
            error)
    }

    private func decode(_ value: Any) throws -> R {
        let completed = AnsweredModels.completed(value, as: R.self)
        let data = try JSONSerialization.data(withJSONObject: completed, options: [.fragmentsAllowed, .sortedKeys])
        // Text as the type asks for the JSON of the answer. A text has its quotes then, as in the original, but not where
        // there may be none.
        let isJSON = R.self == String.self || !(value is NSNull || value is String)
        if isJSON, let json = String(decoding: data, as: UTF8.self) as? R { return json }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = ModelDateFormatting.decodingStrategy
        decoder.userInfo[.modelLoader] = loader
        let result = try decoder.decode(R.self, from: data)
        guard let list = result as? any PagedList,
            let token = (value as? [String: Any])?["nextToken"] as? String,
            let paged = list.followed(by: { [loader, request] in try await loader.page(token, of: request) }) as? R
        else { return result }
        return paged
    }
}

/// A list of models, whatever the model.
private protocol PagedList {
    /// The list with a way to its next page, which is a list of the same type.
    func followed<Page: Sendable>(by next: @escaping @Sendable () async throws -> Page) -> any PagedList
}

extension List: PagedList {
    fileprivate func followed<Page: Sendable>(
        by next: @escaping @Sendable () async throws -> Page
    ) -> any PagedList {
        List(elements: elements) {
            guard let list = try await next() as? List else {
                throw CoreError.listOperation(
                    "The next page is not a list of '\(Element.modelName)'.", "Ask for a list of this model.")
            }
            return list
        }
    }
}

extension GraphQLError {
    /// Reads an error; what GraphQL does not know becomes part of ``GraphQLError/extensions``.
    fileprivate init(json: Any) {
        guard let data = try? JSONSerialization.data(withJSONObject: json, options: .fragmentsAllowed),
            case .object(var members)? = try? JSONDecoder().decode(JSONValue.self, from: data)
        else {
            self.init(message: "")
            return
        }
        var extensions: [String: JSONValue] = [:]
        if case .object(let own)? = members.removeValue(forKey: "extensions") { extensions = own }
        let message = if case .string(let text)? = members.removeValue(forKey: "message") { text } else { "" }
        let path: [JSONValue]? = if case .array(let path)? = members.removeValue(forKey: "path") { path } else { nil }
        var locations: [Location]?
        if case .array(let entries)? = members.removeValue(forKey: "locations") {
            locations = entries.compactMap { entry in
                guard case .object(let entry) = entry, case .number(let line)? = entry["line"],
                    case .number(let column)? = entry["column"]
                else { return nil }
                return Int(exactly: line).flatMap { line in
                    Int(exactly: column).map { Location(line: line, column: $0) }
                }
            }
        }
        extensions.merge(members) { own, _ in own }
        self.init(
            message: message, locations: locations, path: path, extensions: extensions.isEmpty ? nil : extensions)
    }
}
