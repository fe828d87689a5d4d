/// What an adapter declares about itself; constant once the store is open.
///
/// ```swift
/// let capabilities = Capabilities(
///     adapterName: "tin", support: [.indexes: .native, .uniqueIndexes: .native], durability: .processCrash)
/// let sorting = capabilities.support(for: .sorting)  // .emulated: Holdfast sorts
/// let backup = capabilities.support(for: .backup)  // .unsupported: the call is refused
/// ```
public struct Capabilities: Sendable, Hashable {
    /// How a feature is provided.
    public enum Support: Sendable, Hashable {
        /// By the back end itself.
        case native
        /// By Holdfast's default on top of the primitives; correct, perhaps slow.
        case emulated
        /// Not at all: the call fails with ``StorageError/Kind/unsupported`` and changes nothing.
        case unsupported
    }

    /// Something that adapters provide in different ways.
    public enum Feature: Sendable, Hashable, CaseIterable {
        /// Predicates evaluated by the back end.
        case predicates
        /// Sorting and paging by the back end.
        case sorting
        /// Count and aggregates computed by the back end.
        case aggregates
        /// Secondary indexes that queries use.
        case indexes
        /// Unique indexes that commits respect.
        case uniqueIndexes
        /// Several processes on one store at once.
        case multipleProcesses
        /// ``StorageAdapter/verify()``.
        case verification
        /// ``StorageAdapter/backUp(to:)``.
        case backup
        /// Commits of every handle and process are delivered in order (``StorageAdapter/changes(after:)``).
        case changeFeed
        /// Scans by version of entities that ask for it (``EntitySchema/isOrderedByVersion``) cost what they read.
        case versionOrder
    }

    /// Bounds beyond which a request fails with ``StorageError/Kind/limitExceeded``.
    ///
    /// All are inclusive.
    public struct Limits: Sendable, Hashable {
        /// The UTF-8 or raw bytes of all components of one key together; a component that is neither text nor bytes
        /// counts 16.
        public var keyByteCount: Int
        /// The UTF-8 or raw bytes of one text, JSON or bytes cell.
        public var cellByteCount: Int
        /// The rows and keys of all operations of one commit together.
        public var commitRowCount: Int
        /// The nesting of a predicate.
        public var predicateDepth: Int
        /// The comparisons, groups and list elements of a predicate together.
        public var predicateNodeCount: Int

        /// Creates limits; the defaults suit an engine without limits of its own.
        public init(
            keyByteCount: Int = 1_024, cellByteCount: Int = 64 << 20, commitRowCount: Int = 1_000_000,
            predicateDepth: Int = 128, predicateNodeCount: Int = 100_000
        ) {
            self.keyByteCount = keyByteCount
            self.cellByteCount = cellByteCount
            self.commitRowCount = commitRowCount
            self.predicateDepth = predicateDepth
            self.predicateNodeCount = predicateNodeCount
        }
    }

    /// The adapter's name, such as `sqlite`.
    public var adapterName: String
    /// The back end's own version, such as `3.40.1`; `nil` if it has none.
    public var engineVersion: String?
    /// How each feature is provided, where it differs from the default of ``support(for:)``.
    public var support: [Feature: Support]
    /// The strongest durability a commit can ask for; asking for more is ``StorageError/Kind/unsupported``.
    public var durability: Durability
    /// The bounds.
    public var limits: Limits
    /// The native column for each storage type, in the back end's words; lists under their element type's entry
    /// with the key `.list(element)`.
    public var nativeTypes: [StorageType: String]

    /// Creates a declaration.
    ///
    /// - Parameters:
    ///   - adapterName: Short, lower case, stable.
    ///   - engineVersion: The back end's version.
    ///   - support: Features that differ from the default of ``support(for:)``.
    ///   - durability: The strongest level; `.none` by default.
    ///   - limits: The bounds.
    ///   - nativeTypes: The adapter's side of the type-mapping table.
    public init(
        adapterName: String, engineVersion: String? = nil, support: [Feature: Support] = [:],
        durability: Durability = .none, limits: Limits = Limits(), nativeTypes: [StorageType: String] = [:]
    ) {
        self.adapterName = adapterName
        self.engineVersion = engineVersion
        self.support = support
        self.durability = durability
        self.limits = limits
        self.nativeTypes = nativeTypes
    }

    /// How a feature is provided.
    ///
    /// What Holdfast can do on top of the primitives is emulated unless declared otherwise; the rest is unsupported.
    public func support(for feature: Feature) -> Support {
        if let declared = support[feature] { return declared }
        return switch feature {
        case .predicates, .sorting, .aggregates, .indexes, .versionOrder: .emulated
        case .uniqueIndexes, .multipleProcesses, .verification, .backup, .changeFeed: .unsupported
        }
    }
}
