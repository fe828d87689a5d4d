/// A page of a base or delta query.
struct FetchedPage<Content: Sendable>: Sendable {
    /// How many records it has.
    var count: Int
    /// How many of them the sync expression does not select, because the service was not asked with it.
    var outsideCount = 0
    /// The token of the next page; `nil` on the last one.
    var nextToken: String?
    /// The service's label of the query.
    var startedAt: Int64?
    /// Whether records may be missing: the service reported errors that are not about parts of records, or sent records
    /// without a usable key or version.
    var hasErrors = false
    /// Whether nothing but records that break the service's schema are missing, if ``hasErrors`` is `true`: no query has
    /// them until the service writes them.
    var lacksOnlyInvalid = false
    /// Whether some records cannot be read, or lack values that the user may read; the store knows which cannot be read,
    /// if ``hasErrors`` is `false`.
    var hasFaults = false
    /// Whether nothing but values that the models require are missing, if ``hasFaults`` is `true`: the service does not
    /// have them, so that the records would be the same the next time.
    var lacksOnlyRequiredValues = false
    /// Whether the service says that it begins a base query although a delta was asked for.
    var isBase = false
    /// The records, which the core passes on unread, in the parts in which they are stored; one part at least.
    var parts: [Content]
}

extension FetchedPage: Equatable where Content: Equatable {}
