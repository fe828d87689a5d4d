#if Server
import Crypto
import HoldfastSchema
import HoldfastServer
public import HoldfastStorage
public import HoldfastWire

/// Checks signatures of AWS (Signature Version 4) with keys that the service knows.
///
/// A signature covers the method, the path, the headers that it names, and the body. Those of clients of AppSync are
/// for `POST` to `/graphql`, and for `/graphql/connect` where a WebSocket is opened.
public struct SignatureVerifier: Sendable {
    /// A pair of keys, and who has it.
    public struct Key: Sendable {
        /// The public part, such as `AKIA…`.
        public var identifier: String
        /// The secret part.
        public var secret: String
        /// What is known of its owner, for rules that look at claims; nothing by default.
        public var claims: JSONObject
        /// Whether it is for users who are not signed in: `allow: private` does not hold for them.
        public var isGuest: Bool

        /// Creates a value; of users who are signed in by default.
        public init(
            identifier: String, secret: String, claims: JSONObject = JSONObject(), isGuest: Bool = false
        ) {
            self.identifier = identifier
            self.secret = secret
            self.claims = claims
            self.isGuest = isGuest
        }
    }

    static let algorithm = "AWS4-HMAC-SHA256"

    private let keys: [String: Key]
    private let tolerance: Duration
    private let surroundings: Surroundings
    private let paths: [String]

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - keys: The keys that are accepted.
    ///   - path: The path of the endpoint as clients see it; `/graphql` by default.
    ///   - tolerance: How old a signature may be, and how far ahead; five minutes by default.
    ///   - surroundings: The clock.
    public init(
        keys: [Key], path: String = "/graphql", tolerance: Duration = .seconds(300), surroundings: Surroundings
    ) {
        self.keys = Dictionary(keys.map { ($0.identifier, $0) }) { _, last in last }
        self.tolerance = tolerance
        self.surroundings = surroundings
        paths = [path, path + "/connect"]
    }

    /// Checks the signature in the `Authorization` header.
    func verify(_ credentials: Credentials) -> Verification {
        guard let signature = Signature(credentials.headers["authorization"] ?? ""),
            let date = credentials.headers["x-amz-date"], let moment = Self.seconds(date),
            date.hasPrefix(signature.date + "T"), let key = keys[signature.key],
            // A signature that does not cover these could be used elsewhere, and at any time.
            signature.headers.contains("host"), signature.headers.contains("x-amz-date")
        else { return .unauthorized }
        let age = surroundings.wallMicroseconds() / 1_000_000 - moment
        guard abs(age) <= tolerance.components.seconds else {
            return .refused("Signature expired: it was made at \(date), by the clock of the client.")
        }
        let signingKey = [signature.date, signature.region, signature.service, "aws4_request"]
            .reduce(SymmetricKey(data: Array("AWS4\(key.secret)".utf8))) { key, part in
                SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Array(part.utf8), using: key))
            }
        let isValid = paths.contains { path in
            let text = Self.textToSign(signature, date, path, credentials)
            return HMAC<SHA256>.isValidAuthenticationCode(
                signature.code, authenticating: Array(text.utf8), using: signingKey)
        }
        guard isValid else { return .unauthorized }
        // Subscriptions outlive the signature that started them.
        return .verified(Identity(.iam, claims: key.claims, isGuest: key.isGuest))
    }

    private static func textToSign(
        _ signature: Signature, _ date: String, _ path: String, _ credentials: Credentials
    ) -> String {
        var request = "POST\n\(path)\n\n"
        for name in signature.headers {
            let words = (credentials.headers[name] ?? "").split { $0 == " " || $0 == "\t" }
            request += "\(name):\(words.joined(separator: " "))\n"
        }
        request += "\n\(signature.headers.joined(separator: ";"))\n\(SHA256.hash(data: credentials.body).hexadecimal)"
        let scope = "\(signature.date)/\(signature.region)/\(signature.service)/aws4_request"
        return "\(algorithm)\n\(date)\n\(scope)\n\(SHA256.hash(data: Array(request.utf8)).hexadecimal)"
    }

    /// The seconds since 1970 of a time as `20240229T120000Z`; `nil` for any other text.
    static func seconds(_ text: String) -> Int64? {
        let marks: [Int: String] = [4: "-", 6: "-", 11: ":", 13: ":"]
        let extended = text.enumerated().map { (marks[$0.offset] ?? "") + String($0.element) }.joined()
        guard text.utf8.count == 16, extended.utf8.count == 20 else { return nil }
        return try? Timestamp(parsing: extended).secondsSinceEpoch
    }
}

/// What an `Authorization` header of a signed request says.
private struct Signature {
    let key: String
    let date: String
    let region: String
    let service: String
    let headers: [String]
    let code: [UInt8]

    init?(_ header: String) {
        var fields: [Substring: Substring] = [:]
        for field in header.dropFirst(SignatureVerifier.algorithm.count).split(separator: ",") {
            let pair = field.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { return nil }
            fields[pair[0].drop { $0 == " " }] = pair[1].prefix { $0 != " " }
        }
        guard let scope = fields["Credential"]?.split(separator: "/", omittingEmptySubsequences: false),
            scope.count == 5,
            scope[3] == "appsync", scope[4] == "aws4_request", let names = fields["SignedHeaders"],
            let code = fields["Signature"], code.utf8.count == 64
        else { return nil }
        var bytes: [UInt8] = []
        var rest = code.utf8[...]
        while !rest.isEmpty {
            guard let byte = UInt8(String(Substring(rest.prefix(2))), radix: 16) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        key = String(scope[0])
        date = String(scope[1])
        region = String(scope[2])
        service = String(scope[3])
        headers = names.split(separator: ";").map { $0.lowercased() }
        self.code = bytes
    }
}

extension SignatureVerifier.Key: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The public part.
    public var description: String { identifier }
    /// The public part.
    public var debugDescription: String { identifier }
    /// The public part, so that `dump` shows no more.
    public var customMirror: Mirror { Mirror(self, children: ["identifier": identifier]) }
}
#endif
