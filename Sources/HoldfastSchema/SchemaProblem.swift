public import HoldfastGraphQL

/// Something in a schema from which no models can be made.
public struct SchemaProblem: Hashable, Sendable {
    /// What is wrong.
    public let message: String
    /// A way out, if one is known.
    public let hint: String?
    /// The name of the source; empty for a problem of the schema as a whole.
    public let source: String
    /// Where in the source; ``Location/none`` for a problem of the schema as a whole.
    public let location: Location

    /// Makes a problem.
    public init(message: String, hint: String? = nil, source: String = "", location: Location = .none) {
        self.message = message
        self.hint = hint
        self.source = source
        self.location = location
    }
}

extension SchemaProblem: CustomStringConvertible {
    /// `file:line:column: error: message. Hint`, as compilers write it.
    public var description: String {
        var text = location == .none ? "" : "\(source):\(location): "
        text += "error: \(message)"
        if let hint { text += ". \(hint)" }
        return text
    }
}

/// Everything for which no models can be made from a schema, in the order of the sources.
public struct SchemaError: Error, Hashable, Sendable {
    /// The problems; at least one.
    public let problems: [SchemaProblem]

    /// Makes an error.
    public init(problems: [SchemaProblem]) { self.problems = problems }
}

extension SchemaError: CustomStringConvertible {
    /// One line per problem.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// Collects problems while a schema is read.
package struct Problems {
    private var locations: Set<Location> = []
    private var entries: [(location: Location, message: String, hint: String?)] = []
    private let sources: [Source]

    package init(sources: [Source]) { self.sources = sources }

    package var isEmpty: Bool { entries.isEmpty }

    package mutating func add(_ message: String, at location: Location, _ hint: String? = nil) {
        // One mistake is reported once, even if it breaks several rules.
        if location != .none, !locations.insert(location).inserted { return }
        entries.append((location, message, hint))
    }

    /// The problems in the order of their places.
    package func sorted() -> [SchemaProblem] {
        entries.sorted { $0.location < $1.location }.map { entry in
            let source = sources.first { $0.index == entry.location.source && entry.location != .none }
            return SchemaProblem(
                message: entry.message, hint: entry.hint, source: source?.name ?? "", location: entry.location)
        }
    }
}
