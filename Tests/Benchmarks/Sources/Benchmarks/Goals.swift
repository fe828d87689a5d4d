/// What the layers should reach; the baselines themselves and peers have no goals.
enum Goals {
    /// The adapter's way of doing what the C API does alone.
    static func closeToRaw(_ contender: Contender) -> Goal? {
        contender.layer == "adapter" ? .ratio(closeness(contender)) : nil
    }

    /// A database that knows no columns leaves the rows to the adapter.
    private static func closeness(_ contender: Contender) -> Double { contender.adapter == "leveldb" ? 1.5 : 1.3 }

    /// A scan is as good through all layers.
    static func scan(_ contender: Contender) -> Goal? {
        switch (contender.layer, contender.adapter) {
        case ("datastore", "sqlite"): .ratio(1.2)
        case ("adapter", _), ("datastore", _): .ratio(closeness(contender))
        default: nil
        }
    }

    /// So is a page of an index.
    static func page(_ contender: Contender) -> Goal? {
        guard contender.layer == "adapter" || contender.layer == "datastore" else { return nil }
        switch contender.adapter {
        case "sqlite", "leveldb": return .ratio(1.25)
        case "postgresql": return .ratio(1.3)
        default: return nil
        }
    }

    /// A record by its key, in a snapshot that is open.
    static func readInSnapshot(_ contender: Contender) -> Goal? {
        contender.layer == "datastore" ? .ratio(1.5) : closeToRaw(contender)
    }

    /// Opening reads what the file says about itself once.
    static func open(_ contender: Contender) -> Goal? {
        contender.layer == "adapter" || contender.layer == "datastore" ? .ratio(1.5) : nil
    }

    /// Through the data store every record has an outbox entry beside it.
    static func batchSave(_ contender: Contender) -> Goal? {
        switch (contender.layer, contender.adapter) {
        case ("datastore", _): .ratio(3)
        case ("adapter", "postgresql"): .ratio(1.5)
        default: closeToRaw(contender)
        }
    }

    /// A durable save takes less than a millisecond.
    static func durableSave(_ contender: Contender) -> Goal? {
        contender.layer == "adapter" || contender.layer == "datastore" ? .value(1_000) : nil
    }

    /// A save is faster than the peer's.
    static func aheadOfPeer(_ contender: Contender) -> Goal? {
        contender.layer == "adapter" || contender.layer == "datastore" ? .ratio(1) : nil
    }

    /// The data store reads three times as fast as the peer.
    static func faster(_ contender: Contender) -> Goal? {
        contender.layer == "datastore" ? .ratio(1.0 / 3) : nil
    }

    /// A streaming scan of 30 MB needs at most this.
    static func streaming(_ contender: Contender) -> Goal? {
        contender.layer == "adapter" || contender.layer == "datastore" ? .value(4_194_304) : nil
    }
}
