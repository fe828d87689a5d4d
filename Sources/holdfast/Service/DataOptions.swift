#if CLI
import ArgumentParser

/// Where a service keeps its data: options of every command that reads or serves it.
struct DataOptions: ParsableArguments {
    static let standardData = ".holdfast"

    @Option(
        help: """
            The directory for the keys, and for the store if --store is not given; \
            \(DataOptions.standardData) by default.
            """)
    var data: String?

    @Option(help: "The store: an address, or 'memory'. By default a SQLite file in the data directory.")
    var store: String?

    var directory: String { data ?? Self.standardData }

    /// The address of the store; `nil` for one in memory.
    func storeAddress() throws -> StoreAddress? {
        if store == "memory" { return nil }
        let address = try StoreAddress(store ?? "sqlite:\(directory)/store.sqlite", option: "--store")
        try StoreAddress.requireAdapters(for: [address])
        return address
    }
}
#endif
