#if CLI
import ArgumentParser

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
#endif
