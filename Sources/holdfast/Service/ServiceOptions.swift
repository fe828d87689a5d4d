#if CLI && Server
import ArgumentParser
import Foundation
import HoldfastEngine
import HoldfastInMemory
import HoldfastSchema
import HoldfastServer
import HoldfastServerHTTP
import HoldfastStorage

/// Options that `holdfast serve` and `holdfast dev` share.
struct ServiceOptions: ParsableArguments {
    @OptionGroup var location: LocationOptions

    @Option(
        help: """
            How conflicts are resolved: automerge (the default) or optimistic, as Model=optimistic for one model, or \
            Model=URL for a function that decides. Can be repeated.
            """)
    var conflict: [String] = []

    @Option(help: "\(AuthMode.defaultHelp) The default is \(AuthMode.apiKey.rawValue).")
    var defaultAuth: String?

    @Flag(help: "Prints the addresses and keys as JSON.")
    var json = false

    @Flag(help: "Logs every request to standard error, without values.")
    var verbose = false

    var directory: ServiceDirectory { ServiceDirectory(path: location.files.directory) }

    /// What of the command line is about the service.
    func serverOptions() throws -> ServerOptions {
        let name = defaultAuth ?? AuthMode.apiKey.rawValue
        guard let mode = AuthMode(rawValue: name) else {
            throw ValidationError("'\(name)' is not an authorization mode; see --help for the list.")
        }
        var options = ServerOptions(defaultMode: mode, report: { Output.error("error: \($0)") })
        var functions: [String: RemoteFunction] = [:]
        for setting in conflict {
            let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 1 || !parts[0].isEmpty else {
                throw ValidationError("'\(setting)' names no model before the '='.")
            }
            if parts.count == 2, parts[1].hasPrefix("http://") || parts[1].hasPrefix("https://") {
                functions[String(parts[0])] = .url(String(parts[1]))
                options.strategies[String(parts[0])] = .handler
                continue
            }
            guard let name = parts.last, let strategy = Self.strategies[String(name)] else {
                throw ValidationError(
                    "'\(setting)' is not a way to resolve conflicts; use automerge, optimistic, or Model=URL."
                )
            }
            if parts.count == 2 { options.strategies[String(parts[0])] = strategy } else { options.strategy = strategy }
        }
        options.handler = ConflictFunctions(functions).resolve
        return options
    }

    private static let strategies: [String: ConflictStrategy] = [
        "automerge": .automerge, "optimistic": .optimisticConcurrency,
    ]

    /// The store, and how to open it.
    func store() throws -> (name: String, makeAdapter: @Sendable () throws -> any StorageAdapter) {
        guard let address = try location.files.storeAddress() else {
            return ("memory, gone with the process", { InMemoryAdapter() })
        }
        return (address.description, { try address.makeServiceAdapter() })
    }
}
#endif
