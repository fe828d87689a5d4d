/// How much text a parser reads before it gives up.
///
/// The limits bound memory and stack for hostile input. Going over one is a ``GraphQLSyntaxError`` of kind
/// ``GraphQLSyntaxError/Kind/limit``.
public struct SyntaxLimits: Hashable, Sendable {
    /// The greatest size of a source in bytes; 64 MiB by default, never more than 2 GiB.
    public var byteCount: Int
    /// The greatest number of tokens; 16 million by default.
    public var tokenCount: Int
    /// How many selection sets, lists and objects may be open at once; 64 by default.
    ///
    /// Reading values, printing and validation recurse once for each; the default fits the 512 KiB stack of a secondary
    /// thread even in a debug build. Lists in a type are limited to 32 regardless of this value.
    public var nesting: Int
    /// The greatest size of a name in bytes; that of the source by default.
    ///
    /// What executes a request handles a name in a fragment each time that the fragment is used.
    public var nameByteCount: Int

    /// Makes limits; the defaults suit schemas.
    public init(
        byteCount: Int = 64 << 20, tokenCount: Int = 16_000_000, nesting: Int = 64, nameByteCount: Int = .max
    ) {
        self.byteCount = byteCount
        self.tokenCount = tokenCount
        self.nesting = nesting
        self.nameByteCount = nameByteCount
    }

    /// Limits that suit a request from a stranger: 1 MiB, 50,000 tokens, 32 levels, 256 bytes of a name.
    public static let request = SyntaxLimits(
        byteCount: 1 << 20, tokenCount: 50_000, nesting: 32, nameByteCount: 256)
}
