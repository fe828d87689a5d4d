import HoldfastStorage

/// Who synchronizes the store with a service: a lease that ends, a number that rises with each holder, and the user of
/// the last session.
struct SyncSession: Sendable, Hashable {
    /// Who holds the lease.
    var holder: String
    /// When the lease ends, in microseconds since 1970-01-01T00:00Z.
    var until: Int64
    /// Rises whenever the lease is given or the store is cleared.
    var epoch: Int64
    /// The process of the holder, as ``RunningProcess/name``; `nil` if it is not known.
    var process: String?
    /// The user of the last session, as the sync engine names users; `nil` if there was no session since the store was
    /// last empty, or if no one was signed in.
    var identity: String?

    /// The entity in which every adapter keeps it, in one row.
    static let entity = EntitySchema(
        "__sync_session",
        fields: [
            FieldSchema("id", .int), FieldSchema("holder", .string, isRequired: true),
            FieldSchema("until", .int, isRequired: true), FieldSchema("epoch", .int, isRequired: true),
            FieldSchema("process", .string), FieldSchema("identity", .string),
        ], isInChangeFeed: false)

    /// The key of the row.
    static let storedKey = RecordKey([.integer(1)])

    /// The cells of the row.
    var row: [Value] {
        [.integer(1), .text(holder), .integer(until), .integer(epoch), Value(process), Value(identity)]
    }

    init(holder: String, until: Int64, epoch: Int64, process: String? = nil, identity: String? = nil) {
        self.holder = holder
        self.until = until
        self.epoch = epoch
        self.process = process
        self.identity = identity
    }

    /// Reads the row; `nil` if it is not valid.
    init?(_ row: ArraySlice<Value>) {
        let cells = Array(row)
        guard cells.count == Self.entity.fields.count, let holder = cells[1].textValue,
            let until = cells[2].integerValue, let epoch = cells[3].integerValue
        else { return nil }
        self.init(
            holder: holder, until: until, epoch: epoch, process: cells[4].textValue, identity: cells[5].textValue)
    }
}
