/// Records to be read by their keys.
public struct GetRequest: Sendable {
    /// The entity.
    public var entity: String
    /// The keys; the answer has one row for each, in this order.
    public var keys: [RecordKey]

    /// Creates a request.
    public init(_ entity: String, keys: [RecordKey]) {
        self.entity = entity
        self.keys = keys
    }
}

extension [GetRequest] {
    /// Answers the requests one after the other.
    ///
    /// - Parameter get: Fills a buffer with the answer to one request.
    /// - Returns: One buffer for each request, in their order.
    /// - Throws: What the closure throws.
    package func answers(
        _ get: (GetRequest, inout RowBuffer) async throws(StorageError) -> Void
    ) async throws(StorageError) -> [RowBuffer] {
        var answers: [RowBuffer] = []
        for request in self {
            var rows = RowBuffer()
            try await get(request, &rows)
            answers.append(rows)
        }
        return answers
    }
}
