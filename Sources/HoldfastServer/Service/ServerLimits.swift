import HoldfastWire

/// How much one request or connection may ask for.
///
/// ```swift
/// options.limits.requestByteCount = 256 << 10
/// options.limits.maximumPage = 500
/// ```
public struct ServerLimits: Sendable, Hashable {
    /// The bytes of a request; 1 MiB by default.
    public var requestByteCount: Int
    /// The records of a page where a request does not say; 100 by default.
    public var defaultPage: Int
    /// The records of a page at most; 1,000 by default.
    public var maximumPage: Int
    /// The records that a page looks at before it is returned although it is short; 10,000 by default.
    public var rowsLookedAt: Int
    /// The records that one request reads, with those of relations; 100,000 by default.
    ///
    /// A page whose relations have more ends earlier, with a token.
    public var rowsPerRequest: Int
    /// The records that relations of one event may read for one subscription; 2,000 by default.
    public var rowsPerEvent: Int
    /// The bytes of the records that one request keeps in memory, with those of relations; 64 MiB by default.
    ///
    /// A page whose relations have more ends earlier, with a token.
    public var rowBytesPerRequest: Int
    /// The bytes of the records that relations of one event keep in memory for one subscription; 8 MiB by default.
    public var rowBytesPerEvent: Int
    /// The bytes of the values of a record, above which a mutation cannot let it grow; 4 MiB by default.
    ///
    /// Merges append to lists. A record that fits no page would keep its model from being synchronized.
    public var recordByteCount: Int
    /// The bytes of the values of a page at most, which has one record at least; 4 MiB by default.
    public var pageByteCount: Int
    /// The bytes of a response after which no more records are written; 16 MiB by default.
    public var responseByteCount: Int
    /// The fields of the root type in one request; 100 by default.
    public var rootFields: Int
    /// The checked documents that are kept; 1,000 by default.
    public var cachedDocuments: Int
    /// The subscriptions of one connection; 100 by default.
    public var subscriptions: Int
    /// The fields that the subscriptions of one connection select, with the values of their variables and arguments;
    /// 50,000 by default.
    public var selectionsPerConnection: Int
    /// The bytes of a frame; 240 KiB by default.
    public var frameByteCount: Int
    /// The bytes that may wait for a slow client before the next frame closes its connection; 1 MiB by default.
    ///
    /// A single frame may have more: its client can read it.
    public var unsentByteCount: Int

    /// Creates limits with the defaults that the properties name.
    public init(
        requestByteCount: Int = 1 << 20, defaultPage: Int = 100, maximumPage: Int = 1_000, rowsLookedAt: Int = 10_000,
        rowsPerRequest: Int = 100_000, rowsPerEvent: Int = 2_000, rowBytesPerRequest: Int = 64 << 20,
        rowBytesPerEvent: Int = 8 << 20, recordByteCount: Int = 4 << 20, pageByteCount: Int = 4 << 20,
        responseByteCount: Int = 16 << 20,
        rootFields: Int = 100, cachedDocuments: Int = 1_000, subscriptions: Int = 100,
        selectionsPerConnection: Int = 50_000, frameByteCount: Int = 240 << 10, unsentByteCount: Int = 1 << 20
    ) {
        self.requestByteCount = requestByteCount
        self.defaultPage = defaultPage
        self.maximumPage = maximumPage
        self.rowsLookedAt = rowsLookedAt
        self.rowsPerRequest = rowsPerRequest
        self.rowsPerEvent = rowsPerEvent
        self.rowBytesPerRequest = rowBytesPerRequest
        self.rowBytesPerEvent = rowBytesPerEvent
        self.recordByteCount = recordByteCount
        self.pageByteCount = pageByteCount
        self.responseByteCount = responseByteCount
        self.rootFields = rootFields
        self.cachedDocuments = cachedDocuments
        self.subscriptions = subscriptions
        self.selectionsPerConnection = selectionsPerConnection
        self.frameByteCount = frameByteCount
        self.unsentByteCount = unsentByteCount
    }

    /// The number of records that arguments ask for.
    func limit(_ arguments: JSONObject, default count: Int) throws(RequestFault) -> Int {
        guard let limit = arguments["limit"]?.integer else { return min(count, maximumPage) }
        guard limit > 0 else { throw .invalidArgument("The limit must be at least 1.") }
        return Int(min(limit, Int64(maximumPage)))
    }
}
