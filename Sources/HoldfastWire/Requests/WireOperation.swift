/// One GraphQL request: a document and the values of its variables.
public struct WireOperation: Sendable, Hashable {
    /// The document.
    public var document: String
    /// The values of the variables, by name; `nil` if the request has no such member or has null.
    public var variables: JSONObject?
    /// Which operation of the document is meant, if it has several.
    public var operationName: String?

    /// Creates a request; without variables by default.
    public init(_ document: String, variables: JSONObject? = nil, operationName: String? = nil) {
        self.document = document
        self.variables = variables
        self.operationName = operationName
    }
}

extension WireOperation {
    /// The request as it goes over HTTP, and as text in the `start` frame of a socket.
    public var body: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("query")
            writer.string(document)
            if let variables {
                writer.name("variables")
                writer.value(.object(variables))
            }
            if let operationName {
                writer.name("operationName")
                writer.string(operationName)
            }
        }
        return writer.bytes
    }

    /// Reads a request's body; members that the dialect does not know are ignored.
    ///
    /// - Throws: ``WireError`` `.syntax` or `.limit`, `.missing` without a `query`, `.mismatch` for members of another
    ///   type.
    public init(parsing body: [UInt8], limits: JSONLimits = JSONLimits()) throws(WireError) {
        var document: String?
        var variables: JSONObject?
        var operationName: String?
        try JSONReader.read(body, limits: limits) { (reader) throws(WireError) in
            try reader.object { (reader, name) throws(WireError) in
                switch name {
                case "query": document = reader.isNull() ? nil : try reader.string()
                case "operationName": operationName = reader.isNull() ? nil : try reader.string()
                case "variables":
                    switch try reader.value() {
                    case .null: variables = nil
                    case .object(let object): variables = object
                    default: throw WireError(.mismatch, "a value other than an object or null")
                    }
                default: break
                }
            }
        }
        guard let document else { throw WireError(.missing, "no 'query'") }
        self.init(document, variables: variables, operationName: operationName)
    }
}

extension WireOperation: CustomStringConvertible, CustomDebugStringConvertible {
    /// The first line of the document and the names of the variables; no value.
    public var description: String {
        let line = document.prefix { $0 != "\n" && $0 != "{" }
        let names = (variables?.members ?? []).map(\.name)
        return "\(line.prefix(200)) \(names)"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }
}
