import AWSPluginsCore
import Amplify
import Foundation

/// A request as JSON, and how its answer is read.
struct GraphQLBody<R: Decodable & Sendable>: Sendable {
    /// The request as it goes over HTTP, and as text in the `start` frame of a socket.
    let bytes: [UInt8]
    private let decodePath: [String]

    init(_ request: GraphQLRequest<R>) throws(APIError) {
        if let failure = request.failure { throw failure }
        var body: [String: Any] = ["query": request.document]
        if let variables = request.variables { body["variables"] = variables }
        guard JSONSerialization.isValidJSONObject(body), let data = try? JSONSerialization.data(withJSONObject: body)
        else {
            throw .operationError(
                "The variables of the request have values that JSON does not.",
                "Use text, numbers, truth values, arrays, dictionaries, and NSNull.")
        }
        bytes = Array(data)
        decodePath = request.decodePath.map { $0.split(separator: ".").map(String.init) } ?? []
    }

    /// Reads an answer.
    func response(_ bytes: [UInt8]) -> GraphQLResponse<R> {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let answer = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else {
            return .failure(.transformationError(text, Self.unreadable(nil)))
        }
        let errors = (answer["errors"] as? [Any] ?? []).map(GraphQLError.init(json:))
        var value: Any? = answer["data"]
        for name in decodePath { value = (value as? [String: Any])?[name] }
        if value == nil || value is NSNull, !errors.isEmpty { return .failure(.error(errors)) }
        guard let value else { return .failure(.transformationError(text, Self.unreadable(nil))) }
        let result: R
        do {
            result = try Self.decode(value)
        } catch {
            return .failure(errors.isEmpty ? .transformationError(text, Self.unreadable(error)) : .error(errors))
        }
        return errors.isEmpty ? .success(result) : .failure(.partial(result, errors))
    }

    private static func unreadable(_ error: (any Error)?) -> APIError {
        .operationError(
            "The answer is not what the request expects.", "Compare the document with the type that is expected.",
            error)
    }

    private static func decode(_ value: Any) throws -> R {
        // A list comes as a page.
        let value = R.self is any PagedList.Type ? (value as? [String: Any])?["items"] ?? value : value
        let data = try JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys])
        let json = String(decoding: data, as: UTF8.self)
        // Text as the type asks for the answer as it came.
        if !(value is String), let json = json as? R { return json }
        if let type = R.self as? any Model.Type, let model = try type.from(json: json) as? R { return model }
        return try JSONDecoder().decode(R.self, from: data)
    }
}

/// A list of models, whatever the model.
private protocol PagedList {}

extension List: PagedList {}

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
        if case .array(let places)? = members.removeValue(forKey: "locations") {
            locations = places.compactMap { place in
                guard case .object(let place) = place, case .number(let line)? = place["line"],
                    case .number(let column)? = place["column"]
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
