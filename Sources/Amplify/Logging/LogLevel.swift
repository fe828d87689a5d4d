extension Amplify {
    /// How much is logged: everything up to the level.
    public enum LogLevel: Int, Sendable, Hashable, Codable, Comparable {
        /// What failed.
        case error
        /// What may fail soon.
        case warn
        /// What happens.
        case info
        /// What helps to find a mistake.
        case debug
        /// Everything.
        case verbose
        /// Nothing, though it is the last of the order.
        case none

        /// Reads a level from its name, in whatever case, or from its number.
        ///
        /// - Throws: `DecodingError` for anything else.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let level: LogLevel?
            if let name = try? container.decode(String.self).lowercased() {
                level = (0...5).compactMap { LogLevel(rawValue: $0) }.first { "\($0)" == name }
            } else {
                level = LogLevel(rawValue: try container.decode(Int.self))
            }
            guard let level else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "This is neither the name nor the number of a level.")
            }
            self = level
        }

        /// Whether a level is before another in the order.
        public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
    }
}

/// How much is logged: everything up to the level.
public typealias LogLevel = Amplify.LogLevel
