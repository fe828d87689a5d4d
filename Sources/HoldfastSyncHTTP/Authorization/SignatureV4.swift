#if Sync
internal import Crypto
internal import HoldfastStorage

/// A request as AWS's signature, version 4, sees it.
package struct SignatureV4: Sendable {
    /// A name with its value.
    package typealias Pair = (name: String, value: String)

    var method: String
    /// The path as it is sent.
    var path: String
    /// The query's parameters, decoded.
    var query: [Pair]
    /// The headers that are signed.
    var headers: [Pair]
    var body: [UInt8]
    var region: String
    var service: String
    /// When it is made, as `20240229T120000Z`.
    var date: String

    /// Creates a request; a `POST` to AppSync without parameters by default.
    ///
    /// - Parameters:
    ///   - method: The method of HTTP.
    ///   - path: The path as it is sent.
    ///   - query: The parameters, decoded.
    ///   - headers: The headers that are signed.
    ///   - body: The body as it is sent.
    ///   - region: The region of AWS, such as `us-east-1`.
    ///   - service: The name of the service in the signature.
    ///   - date: When it is made, as ``date(wallMicroseconds:)`` says it.
    package init(
        method: String = "POST", path: String, query: [Pair] = [], headers: [Pair], body: [UInt8], region: String,
        service: String = "appsync", date: String
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.region = region
        self.service = service
        self.date = date
    }

    /// The value of `Authorization`.
    package func authorization(_ credentials: AWSCredentials) -> String {
        "\(Self.algorithm) Credential=\(credentials.accessKeyID)/\(scope), SignedHeaders=\(signedHeaders), "
            + "Signature=\(signature(credentials))"
    }

    /// The request in the one form that both sides sign.
    var canonicalRequest: String {
        let query = query.map { (Self.encoded($0.name), Self.encoded($0.value)) }.sorted { $0 < $1 }
            .map { "\($0)=\($1)" }.joined(separator: "&")
        let headers = canonicalHeaders.map { "\($0.name):\($0.value)\n" }.joined()
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { Self.encoded(String($0)) }
        return [
            method, segments.joined(separator: "/"), query, headers, signedHeaders, SHA256.hash(data: body).hexadecimal,
        ].joined(separator: "\n")
    }

    /// What is signed.
    var stringToSign: String {
        let digest = SHA256.hash(data: Array(canonicalRequest.utf8)).hexadecimal
        return [Self.algorithm, date, scope, digest].joined(separator: "\n")
    }

    private static let algorithm = "AWS4-HMAC-SHA256"

    private var scope: String { "\(date.prefix(8))/\(region)/\(service)/aws4_request" }

    private func signature(_ credentials: AWSCredentials) -> String {
        var key = SymmetricKey(data: Array("AWS4\(credentials.secretAccessKey)".utf8))
        for part in [String(date.prefix(8)), region, service, "aws4_request"] {
            key = SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Array(part.utf8), using: key))
        }
        return HMAC<SHA256>.authenticationCode(for: Array(stringToSign.utf8), using: key).hexadecimal
    }

    private var signedHeaders: String { canonicalHeaders.map(\.name).joined(separator: ";") }

    /// The headers in order, each once, with one space where there were several.
    private var canonicalHeaders: [Pair] {
        var values: [String: [String]] = [:]
        for header in headers {
            let words = header.value.split { $0 == " " || $0 == "\t" }
            values[header.name.lowercased(), default: []].append(words.joined(separator: " "))
        }
        return values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.joined(separator: ",")) }
    }

    /// A text with everything percent-encoded but what never needs it.
    private static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    /// A point in time as ``date`` has it.
    package static func date(wallMicroseconds: Int64) -> String {
        let seconds = wallMicroseconds / 1_000_000
        let text = Timestamp(secondsSinceEpoch: seconds, nanoseconds: 0, tail: WrittenForm(offset: 0)).utcText
        return text.filter { $0 != "-" && $0 != ":" } + "Z"
    }
}
#endif
