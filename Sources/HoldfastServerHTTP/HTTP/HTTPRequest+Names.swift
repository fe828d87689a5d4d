#if Server
import HTTPTypes
import NIOHTTP1

extension HTTPRequest {
    /// The headers by their names in lower case; values of one name with commas between them.
    var named: [String: String] {
        var result: [String: String] = [:]
        for field in headerFields { result.add(field.name.canonicalName, field.value) }
        // HTTP has the host beside the other headers, and signatures cover it.
        if let authority { result["host"] = authority }
        return result
    }
}

extension HTTPRequestHead {
    /// The headers by their names in lower case; values of one name with commas between them.
    var named: [String: String] {
        var result: [String: String] = [:]
        for (name, value) in headers { result.add(name.lowercased(), value) }
        return result
    }

    /// The path of the address, without what follows `?`.
    var path: Substring { uri.prefix { $0 != "?" } }
}

extension [String: String] {
    fileprivate mutating func add(_ name: String, _ value: String) {
        if let earlier = self[name] { self[name] = earlier + ", " + value } else { self[name] = value }
    }
}
#endif
