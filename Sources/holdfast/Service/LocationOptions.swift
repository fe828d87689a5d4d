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

/// Where a service keeps its data and where it listens: options of `holdfast serve`, `dev`, and `doctor`.
struct LocationOptions: ParsableArguments {
    @OptionGroup var files: DataOptions

    @Option(help: "The name or address to listen on; 127.0.0.1 by default, 0.0.0.0 for all addresses of this machine.")
    var host: String?

    @Option(help: "The port; 8080 by default, 0 for any free port.")
    var port: Int?

    var address: String { host ?? "127.0.0.1" }
    var chosenPort: Int { port ?? 8080 }

    func validate() throws { try Self.check(port: chosenPort) }

    /// - Throws: `ValidationError` if the number is not that of a port.
    static func check(port: Int) throws {
        guard (0...65_535).contains(port) else { throw ValidationError("A port is a number from 0 to 65535.") }
    }
}

/// The files for TLS: options of `holdfast serve` and `doctor`.
struct TLSOptions: ParsableArguments {
    @Option(help: "The certificate chain for TLS; PEM.")
    var tlsCertificate: String?

    @Option(help: "The private key for TLS; PEM.")
    var tlsKey: String?

    /// Both files; `nil` without TLS.
    var files: (certificate: String, key: String)? {
        tlsCertificate.flatMap { certificate in tlsKey.map { (certificate, $0) } }
    }

    func validate() throws {
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("TLS needs both --tls-certificate and --tls-key.")
        }
    }
}
#endif
