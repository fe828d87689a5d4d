import Foundation

/// An option that makes no sense.
struct UsageError: Error, Equatable {
    var message: String
}

/// What the command line asks for.
struct Options: Equatable {
    var adapter = AdapterChoice.sqlite
    var storePath = Options.defaultPath(of: .sqlite)
    var inputPath: String?
    var limit: Int?
    var startsFresh = false
    var showsHelp = false

    static let help = """
        usage: packages [options]

          --adapter sqlite|leveldb|postgresql|memory
                           where the records are kept (sqlite)
          --store PATH     the store (\(defaultPath(of: .sqlite));
                           for LevelDB a directory, \(AdapterChoice.leveldb.storeName) beside it;
                           for PostgreSQL a connection string)
          --input FILE     a package list as `apt-cache dumpavail` prints it
                           (that command's output; a sample if there is none)
          --limit N        import at most N packages
          --fresh          delete the store first
          --help           this text
        """

    static func parse(_ arguments: [String]) throws(UsageError) -> Options {
        var options = Options()
        var namesStore = false
        var rest = arguments[...]
        func value(of option: String) throws(UsageError) -> String {
            guard let value = rest.popFirst(), !value.isEmpty, !value.hasPrefix("--") else {
                throw UsageError(message: "\(option) needs a value")
            }
            return value
        }
        while let option = rest.popFirst() {
            switch option {
            case "--adapter":
                let name = try value(of: option)
                guard let adapter = AdapterChoice(rawValue: name) else {
                    throw UsageError(message: "unknown adapter '\(name)'; choose \(AdapterChoice.names)")
                }
                options.adapter = adapter
            case "--store":
                options.storePath = try value(of: option)
                namesStore = true
            case "--input": options.inputPath = try value(of: option)
            case "--limit":
                let text = try value(of: option)
                guard let limit = Int(text), limit > 0 else {
                    throw UsageError(message: "--limit needs a number above 0, not '\(text)'")
                }
                options.limit = limit
            case "--fresh": options.startsFresh = true
            case "--help", "-h": options.showsHelp = true
            default: throw UsageError(message: "unknown option '\(option)'")
            }
        }
        if namesStore && !options.adapter.keepsRecords {
            throw UsageError(message: "--store has no meaning with --adapter \(options.adapter.rawValue)")
        }
        if options.adapter == .postgresql {
            if options.startsFresh {
                throw UsageError(message: "--fresh does not work with PostgreSQL; drop the schema instead")
            }
            if !namesStore {
                guard let url = ProcessInfo.processInfo.environment["HOLDFAST_POSTGRESQL_URL"] else {
                    throw UsageError(message: "--adapter postgresql needs --store with a connection string")
                }
                options.storePath = url
            }
        } else if !namesStore {
            options.storePath = defaultPath(of: options.adapter)
        }
        return options
    }

    /// `holdfast-packages/packages.db`, or another name, where the user's programs keep their data.
    static func defaultPath(of adapter: AdapterChoice) -> String {
        let environment = ProcessInfo.processInfo.environment
        #if os(macOS)
        let data = NSHomeDirectory() + "/Library/Application Support"
        #else
        // Relative paths are invalid there by the XDG specification.
        let given = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let data = given ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.local/share"
        #endif
        return data + "/holdfast-packages/" + adapter.storeName
    }
}
