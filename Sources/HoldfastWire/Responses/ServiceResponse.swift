/// What a service answers: a result, errors, or both.
public struct ServiceResponse<Result: Sendable>: Sendable {
    /// The result; `nil` if `data` or its only member is missing or null.
    public var result: Result?
    /// The errors, in the service's order.
    public var errors: [ServiceError]
    /// Whether the service says that it answered a delta query as a base query.
    public var isBaseQuery: Bool

    /// Creates an answer; without errors, and to the query that was asked, by default.
    public init(_ result: Result?, errors: [ServiceError] = [], isBaseQuery: Bool = false) {
        self.result = result
        self.errors = errors
        self.isBaseQuery = isBaseQuery
    }

    /// Reads a response with one operation, whose name does not matter.
    ///
    /// - Throws: ``WireError`` with the place, and `.missing` for an answer with neither a result nor errors. A result
    ///   may be null, but `data` may be null only if an error says why (GraphQL specification, 7.1.1).
    init(
        parsing body: [UInt8], limits: JSONLimits, _ read: (inout JSONReader) throws(WireError) -> Result
    ) throws(WireError) {
        var result: Result?
        var errors: [ServiceError] = []
        var hasResult = false
        var isBaseQuery = false
        try JSONReader.read(body, limits: limits) { (reader) throws(WireError) in
            try reader.object { (reader, name) throws(WireError) in
                switch name {
                case "data":
                    if reader.isNull() { return }
                    try reader.object { (reader, _) throws(WireError) in
                        hasResult = true
                        if !reader.isNull() { result = try read(&reader) }
                    }
                case "errors":
                    errors = try ServiceError.read(&reader)
                case "extensions":
                    // Other services may write anything here.
                    isBaseQuery = try reader.value()["baseQueries"]?.array?.isEmpty == false
                default: break
                }
            }
        }
        // Without this a look at a record would take an answer that says nothing for "there is none".
        guard hasResult || !errors.isEmpty else { throw WireError(.missing, "neither a result nor errors") }
        self.init(result, errors: errors, isBaseQuery: isBaseQuery)
    }

    /// The same answer with another result.
    func map<Other: Sendable>(_ transform: (Result) -> Other?) -> ServiceResponse<Other> {
        ServiceResponse<Other>(result.flatMap(transform), errors: errors, isBaseQuery: isBaseQuery)
    }
}

/// One page of a sync or list query.
public struct RemotePage: Sendable {
    /// The records and tombstones.
    public var items: RemoteItems
    /// What asks for the next page; `nil` on the last.
    public var nextToken: String?
    /// The service's time of the first page, in milliseconds, which is the next watermark; `nil` for list queries.
    public var startedAt: Int64?
}
