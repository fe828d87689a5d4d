/// The headers with which a request says who makes it, for all the places in which the dialect has them.
///
/// Contains secrets. ``description`` and ``debugDescription`` show only the names.
public struct AuthHeaders: Sendable, Hashable {
    /// One header.
    public struct Header: Sendable, Hashable {
        /// The name as it is written.
        public var name: String
        /// The value, possibly a secret.
        public var value: String

        /// Creates a header.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The headers, in the order in which they are written.
    public var headers: [Header]

    /// Creates headers; none by default.
    public init(_ headers: [Header] = []) { self.headers = headers }

    /// The headers of an application's key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - host: The host of the API, with its port if it is not the scheme's.
    ///   - date: When the request is made, as `20240229T120000Z`.
    /// - Returns: The headers `host`, `x-amz-date`, and `x-api-key`.
    public static func apiKey(_ key: String, host: String, date: String) -> AuthHeaders {
        AuthHeaders([Header("host", host), Header("x-amz-date", date), Header("x-api-key", key)])
    }

    /// The headers of a token: of a user pool, of OpenID Connect, or for a function of the service.
    ///
    /// - Parameters:
    ///   - token: The token, without `Bearer`.
    ///   - host: The host of the API, with its port if it is not the scheme's.
    /// - Returns: The headers `Authorization` and `host`.
    public static func token(_ token: String, host: String) -> AuthHeaders {
        AuthHeaders([Header("Authorization", token), Header("host", host)])
    }

    /// The value of the first header of a name, without regard to case; `nil` if there is none.
    public subscript(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The values by the names in lower case, as a service reads them; of several with one name the first.
    package var byLowerCaseName: [String: String] {
        Dictionary(headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: - Places

    /// The headers as `extensions.authorization` of a `start` frame has them.
    public var json: WireValue {
        var object = JSONObject()
        for header in headers { object[header.name] = .string(header.value) }
        return .object(object)
    }

    /// The headers as the value of the query parameter `header` of a socket's address, not yet percent-encoded.
    public var queryParameter: String { Base64.text(json.bytes) }

    /// The headers as an item of `Sec-WebSocket-Protocol`, beside `graphql-ws`.
    public var subprotocol: String { Self.subprotocolPrefix + Base64.text(json.bytes, isForURLs: true) }

    private static let subprotocolPrefix = "header-"
    /// What is read of headers at most; tokens with many groups have some KiB.
    private static let limits = JSONLimits(bytes: 64 << 10, depth: 2, values: 64)

    /// The headers of an `extensions.authorization`; members that are not strings are ignored.
    public init(_ json: JSONObject) {
        headers = json.members.compactMap { member in member.value.string.map { Header(member.name, $0) } }
    }

    /// Reads a query parameter `header`.
    ///
    /// - Throws: ``WireError`` if it is not base64 of a JSON object.
    public init(queryParameter: String) throws(WireError) {
        do throws(WireError) {
            guard let object = try WireValue(base64: queryParameter, limits: Self.limits).object else {
                throw WireError(.mismatch, "a value other than an object")
            }
            self.init(object)
        } catch {
            throw WireError(error.kind, error.description, path: "header")
        }
    }

    /// Reads an item of `Sec-WebSocket-Protocol`; `nil` for another item.
    ///
    /// - Throws: ``WireError`` if what follows `header-` is not base64 of a JSON object.
    public init?(subprotocol: String) throws(WireError) {
        guard subprotocol.hasPrefix(Self.subprotocolPrefix) else { return nil }
        try self.init(queryParameter: String(subprotocol.dropFirst(Self.subprotocolPrefix.count)))
    }
}

extension AuthHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The names of the headers.
    public var description: String { "\(headers.map(\.name))" }

    /// The names of the headers.
    public var debugDescription: String { description }

    /// The names of the headers, so that `dump` shows no more.
    public var customMirror: Mirror { Mirror(self, children: ["names": headers.map(\.name)]) }
}

extension AuthHeaders.Header: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name.
    public var description: String { name }

    /// The name.
    public var debugDescription: String { name }

    /// The name, so that `dump` shows no more.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
