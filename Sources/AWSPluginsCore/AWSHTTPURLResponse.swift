public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

// Immutable.
/// An answer over HTTP with its body, as `APIError.httpStatusError` has it.
public final class AWSHTTPURLResponse: HTTPURLResponse, @unchecked Sendable {
    /// The body, or its beginning.
    public let body: Data?

    /// Adds the body to an answer.
    public convenience init?(response: HTTPURLResponse, body: Data? = nil) {
        guard let url = response.url else { return nil }
        let fields = response.allHeaderFields.compactMap { name, value in
            (name as? String).flatMap { name in (value as? String).map { (name, $0) } }
        }
        self.init(
            url: url, statusCode: response.statusCode,
            headerFields: Dictionary(fields, uniquingKeysWith: { first, _ in first }), body: body)
    }

    /// Creates an answer.
    public init?(url: URL, statusCode: Int, headerFields: [String: String]? = nil, body: Data?) {
        self.body = body
        super.init(url: url, statusCode: statusCode, httpVersion: nil, headerFields: headerFields)
    }

    /// Reads an answer from an archive; the body is not in it.
    public required init?(coder: NSCoder) {
        body = nil
        super.init(coder: coder)
    }
}
