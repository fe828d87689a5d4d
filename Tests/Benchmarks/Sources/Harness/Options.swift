/// What the command line asks for.
struct Options: Sendable {
    /// Where the JSON goes; `nil` for none.
    var jsonPath: String?
    /// Where the page goes; `nil` for none.
    var htmlPath: String?
    /// Only benchmarks whose name contains this text, whatever its case; empty for all.
    var filter = ""
    /// Only stores of this adapter and what it is measured against; empty for all.
    var adapter = ""
    /// How much is measured.
    var scale = Scale.standard
    /// What repeats the run.
    var command = "./dev bench"
    /// Whether only the usage is wanted.
    var wantsHelp = false

    static let usage = """
        usage: holdfast-benchmarks [--json PATH] [--html PATH] [--filter TEXT] [--adapter NAME]
                                   [--quick | --thorough]

          --json PATH     also write all measurements as a JSON array
          --html PATH     also write all measurements as one page with charts
          --filter TEXT   only benchmarks whose name contains TEXT
          --adapter NAME  only sqlite, leveldb, memory or postgresql
          --quick         a tenth of the size, once; for trying out, not for figures
          --thorough      the full size, five times; without it a fifth, three times, in some five minutes
        """

    /// Reads the arguments that follow the program's name.
    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var rest = Array(arguments)[...]
        command = ([command] + rest).joined(separator: " ")
        while let argument = rest.popFirst() {
            switch argument {
            case "--json": jsonPath = try Self.value(of: argument, in: &rest)
            case "--html": htmlPath = try Self.value(of: argument, in: &rest)
            case "--filter": filter = try Self.value(of: argument, in: &rest)
            case "--adapter": adapter = try Self.value(of: argument, in: &rest)
            case "--quick": scale = .quick
            case "--thorough": scale = .thorough
            case "--help", "-h": wantsHelp = true
            default: throw UsageError(message: "unknown argument '\(argument)'")
            }
        }
    }

    private static func value(of option: String, in rest: inout ArraySlice<String>) throws(UsageError) -> String {
        guard let value = rest.popFirst() else { throw UsageError(message: "\(option) needs a value") }
        return value
    }
}

/// Arguments that mean nothing.
struct UsageError: Error {
    /// What is wrong with them.
    var message: String
}
