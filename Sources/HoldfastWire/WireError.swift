import HoldfastGraphQL

/// Why something that was read from the network, or is to be sent, does not fit the AppSync dialect.
///
/// Never contains a value that was read, so it may be logged.
public struct WireError: Error, Sendable, Hashable {
    /// What sort of failure it is.
    public enum Kind: Sendable, Hashable {
        /// The bytes are not UTF-8 or not JSON.
        case syntax
        /// There is more than a limit allows.
        case limit
        /// A value of another type, or out of range, where the place asks for a certain one.
        case mismatch
        /// A member that the place needs is missing.
        case missing
        /// The dialect has no way to say it.
        case unsupported
    }

    /// What sort of failure it is.
    public var kind: Kind
    /// What is wrong and what is expected, as a phrase without a final period.
    public var reason: String
    /// Where in the JSON: the names and indexes that lead there, `data.syncPosts.items[3].title`; empty for the whole.
    public var path: String
    /// The byte at which the JSON breaks the syntax or a limit; `nil` where ``path`` says it.
    public var offset: Int?

    /// Creates an error; of the whole value by default.
    public init(_ kind: Kind, _ reason: String, path: String = "", offset: Int? = nil) {
        self.kind = kind
        self.reason = reason
        self.path = path
        self.offset = offset
    }
}

extension WireError: CustomStringConvertible {
    /// The place and the reason on one line.
    public var description: String {
        if let offset { return "byte \(offset): \(reason)" }
        return path.isEmpty ? reason : "\(path): \(reason)"
    }
}

extension WireError {
    /// The same error for the object that holds the faulty value as a member.
    ///
    /// A name that is not a GraphQL name comes from data rather than from a schema, and is not repeated.
    func inMember(_ name: String) -> WireError {
        let isName = name.utf8.count <= 128 && name.utf8.allSatisfy { ASCII.isNameContinue($0) } && !name.isEmpty
        return inside(isName ? name : "?")
    }

    /// The same error for the array that holds the faulty value as an element.
    func inElement(_ index: Int) -> WireError { inside("[\(index)]") }

    private func inside(_ step: String) -> WireError {
        guard offset == nil else { return self }
        var error = self
        let separator = path.isEmpty || path.utf8.first == UInt8(ascii: "[") ? "" : "."
        error.path = step + separator + path
        return error
    }
}
