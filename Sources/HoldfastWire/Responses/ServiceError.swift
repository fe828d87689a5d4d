/// An error that a service reports in a response.
public struct ServiceError: Error, Sendable, Hashable {
    /// A place in the document.
    public struct Location: Sendable, Hashable {
        /// The line, counted from 1.
        public var line: Int
        /// The column, counted from 1.
        public var column: Int

        /// Creates a place.
        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    /// The service's words; may name fields, and values of the request.
    public var message: String
    /// What sort of error it is, in the service's words; see ``kind``.
    public var errorType: String?
    /// More about it, if the service says more.
    public var errorInfo: WireValue?
    /// The record that the service keeps, for a conflict.
    public var data: WireValue?
    /// The member of the response that is missing for it: names and indexes.
    public var path: [WireValue]?
    /// The places in the document that led to it.
    public var locations: [Location]?
    /// The number that real-time errors have, `400` for instance.
    public var errorCode: Int?

    /// Whether it is about a part of the result, so that the operation itself was carried out.
    public var isPartial: Bool { (path?.count ?? 0) > 1 }

    /// Creates an error; everything but the message is optional.
    public init(
        _ message: String, errorType: String? = nil, errorInfo: WireValue? = nil, data: WireValue? = nil,
        path: [WireValue]? = nil, locations: [Location]? = nil, errorCode: Int? = nil
    ) {
        self.message = message
        self.errorType = errorType
        self.errorInfo = errorInfo
        self.data = data
        self.path = path
        self.locations = locations
        self.errorCode = errorCode
    }
}

extension ServiceError: CustomStringConvertible, CustomDebugStringConvertible {
    /// The sort of the error and the path; not the message and the data, which may contain values.
    public var description: String {
        let steps = (path ?? []).map { $0.string ?? "[\($0.integer ?? -1)]" }.joined(separator: ".")
        return "\(errorType ?? "error")\(steps.isEmpty ? "" : " at \(steps)")"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }
}
