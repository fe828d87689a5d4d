#if Sync
internal import HoldfastSync
internal import HoldfastWire
internal import NIOHTTP1

extension HTTPHeaders {
    /// The headers of an authorization but `host`, which the connection decides.
    ///
    /// - Throws: `TransportError` `.unsent` for a name or value that no header may have.
    init(_ authorization: AuthHeaders) throws(TransportError) {
        self.init(try authorization.sendable().map { ($0.name, $0.value) })
    }
}

extension AuthHeaders {
    /// The headers but `host`, which the connection decides.
    ///
    /// - Throws: `TransportError` `.unsent` for a name or value that no header may have.
    func sendable() throws(TransportError) -> [Header] {
        let headers = headers.filter { $0.name.lowercased() != "host" }
        for header in headers {
            guard header.name.utf8.allSatisfy(\.isTokenByte), !header.name.isEmpty,
                header.value.utf8.allSatisfy({ ($0 >= 0x20 && $0 < 0x7F) || $0 == 0x09 })
            else {
                throw TransportError(.unsent, "a header of the authorization has characters that no header may have")
            }
        }
        return headers
    }
}

extension UInt8 {
    /// Whether the byte may be in the name of a header.
    fileprivate var isTokenByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}
#endif
