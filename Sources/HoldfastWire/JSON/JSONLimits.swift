/// How much JSON is read at most.
public struct JSONLimits: Sendable, Hashable {
    /// The bytes of a text; 16 MiB by default, three times what AppSync answers at most.
    public var bytes: Int
    /// How many arrays and objects may be open at once; 64 by default.
    public var depth: Int
    /// How many values there may be, those inside of arrays and objects included; 2,000,000 by default.
    public var values: Int

    /// Creates limits with the defaults that the properties name.
    public init(bytes: Int = 16 << 20, depth: Int = 64, values: Int = 2_000_000) {
        self.bytes = bytes
        self.depth = depth
        self.values = values
    }

    /// For what a transport has read, which limits the bytes itself: only the depth is limited.
    public static let received = JSONLimits(bytes: .max, values: .max)
}
