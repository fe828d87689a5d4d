import Foundation

/// The arguments of a run, checked.
struct ConformanceOptions {
    struct Wrong: Error, CustomStringConvertible {
        let description: String
    }

    enum Action {
        case check, next, mutate, list, families, contract
    }

    private(set) var adapter = ""
    private(set) var seed: UInt64 = 1
    private(set) var filters: [String] = []
    private(set) var jsonPath: String?
    private(set) var junitPath: String?
    private(set) var htmlPath: String?
    private(set) var readmePath: String?
    private(set) var action = Action.check
    private(set) var jobCount = ProcessInfo.processInfo.activeProcessorCount
    private(set) var timeout = Watchdog.timeout

    init(_ arguments: [String], adapters: [String]) throws {
        var rest = arguments[...]
        if rest.first == "next", !adapters.contains("next") {
            rest.removeFirst()
            action = .next
        }
        func value(of option: String) throws -> String {
            guard let value = rest.popFirst() else { throw Wrong(description: "\(option) needs a value.") }
            return value
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--seed":
                let text = try value(of: argument)
                guard let number = UInt64(text) else { throw Wrong(description: "'\(text)' is not a seed.") }
                seed = number
            case "--jobs":
                let text = try value(of: argument)
                guard let number = Int(text), number > 0 else {
                    throw Wrong(description: "'\(text)' is not a number of jobs.")
                }
                jobCount = number
            case "--watchdog":
                let text = try value(of: argument)
                guard let number = Int64(text), number > 0 else {
                    throw Wrong(description: "'\(text)' is not a number of seconds.")
                }
                timeout = .seconds(number)
            case "--filter": filters.append(try value(of: argument))
            case "--json": jsonPath = try value(of: argument)
            case "--junit": junitPath = try value(of: argument)
            case "--html": htmlPath = try value(of: argument)
            case "--readme": readmePath = try value(of: argument)
            case "--next": action = .next
            case "--mutate": action = .mutate
            case "--list": action = .list
            case "--families": action = .families
            case "--contract": action = .contract
            default:
                guard !argument.hasPrefix("-"), adapter.isEmpty else {
                    throw Wrong(description: "Unknown argument '\(argument)'.")
                }
                adapter = argument
            }
        }
        if adapter.isEmpty && adapters.count == 1 { adapter = adapters[0] }
        let isKnown = !names.isEmpty && names.allSatisfy(adapters.contains)
        let isAboutSuite = [.list, .families, .contract].contains(action)
        guard isAboutSuite || adapter == "all" || isKnown else {
            throw Wrong(description: "Name an adapter: \((adapters + ["all"]).joined(separator: ", ")).")
        }
    }

    private var names: [String] { adapter.split(separator: ",").map(String.init) }

    /// Whether an adapter was asked for: by `all`, or by its name among those between commas.
    func includes(_ name: String) -> Bool { adapter == "all" || names.contains(name) }

    /// Whether a clause or a mutant was asked for; a filter is an id or the beginning of one.
    func matches(_ id: String) -> Bool { filters.isEmpty || filters.contains { id.hasPrefix($0) } }

    func selected(_ suite: Suite) -> Suite {
        suite.filtered { matches($0.id) }
    }
}
