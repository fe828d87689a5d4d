public import HoldfastSchema

/// How a service behaves.
///
/// ```swift
/// var options = ServerOptions(apiKeys: ["da2-key"], strategy: .automerge)
/// options.strategies["Post"] = .optimisticConcurrency
/// options.allowsIntrospection = false
/// ```
public struct ServerOptions: Sendable {
    /// The mode of requests for everything in the schema that names no other; the API key by default.
    public var defaultMode: AuthMode
    /// The keys that are accepted; none by default.
    ///
    /// An empty one never is.
    public var apiKeys: Set<String>
    /// Checks a token or a signature; refuses all by default.
    ///
    /// Asked when a request has an `Authorization` header.
    public var verify: @Sendable (Credentials) async -> Verification
    /// How models deal with conflicts that ``strategies`` does not name; merging by default.
    public var strategy: ConflictStrategy
    /// How models deal with conflicts, by name.
    public var strategies: [String: ConflictStrategy]
    /// The conflict function: decides the conflicts of models whose strategy is `handler`; rejects by default.
    public var handler: @Sendable (ConflictRequest) async throws -> ConflictResolution
    /// The fields, as `Model.field`, whose lists are merged as sets.
    public var sets: Set<String>
    /// How long a tombstone is kept; 30 days by default.
    public var tombstoneLife: Duration
    /// Whether clients may ask for the schema; `true` by default.
    public var allowsIntrospection: Bool
    /// Whether indexes that an earlier schema had and this one lacks are removed from the store; `false` by default.
    ///
    /// They cost space and time, and one of a long text can be in the way of a record. A service that still has the
    /// earlier schema needs them.
    public var dropsOldIndexes: Bool
    /// How much clients may ask for.
    public var limits: ServerLimits
    /// Receives a description of each failure that is not the client's; it has names and no values.
    public var report: @Sendable (String) -> Void

    /// Creates options with the defaults that the properties name.
    public init(
        defaultMode: AuthMode = .apiKey, apiKeys: Set<String> = [],
        verify: @escaping @Sendable (Credentials) async -> Verification = { _ in
            .refused("You are not authorized to make this call.")
        },
        strategy: ConflictStrategy = .automerge, strategies: [String: ConflictStrategy] = [:],
        handler: @escaping @Sendable (ConflictRequest) async throws -> ConflictResolution = { _ in .reject },
        sets: Set<String> = [], tombstoneLife: Duration = .seconds(30 * 86_400), allowsIntrospection: Bool = true,
        dropsOldIndexes: Bool = false, limits: ServerLimits = ServerLimits(),
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.defaultMode = defaultMode
        self.apiKeys = apiKeys
        self.verify = verify
        self.strategy = strategy
        self.strategies = strategies
        self.handler = handler
        self.sets = sets
        self.tombstoneLife = tombstoneLife
        self.allowsIntrospection = allowsIntrospection
        self.dropsOldIndexes = dropsOldIndexes
        self.limits = limits
        self.report = report
    }

    /// ``tombstoneLife`` in seconds, within a thousand years, so that it can be added to any time.
    var tombstoneSeconds: Int64 { min(max(0, tombstoneLife.components.seconds), 1_000 * 366 * 86_400) }
}
