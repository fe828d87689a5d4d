/// What the command line asks for.
struct Options: Sendable {
    /// Where the JSON goes; `nil` for none.
    var jsonPath: String?
    /// Only benchmarks whose name contains this text, whatever its case; empty for all.
    var filter = ""
    /// Only stores of this adapter and what it is measured against; empty for all.
    var adapter = ""
    /// Whether everything is a tenth of its size.
    var isQuick = false
    /// Whether only the usage is wanted.
    var wantsHelp = false

    static let usage = """
        usage: holdfast-benchmarks [--json PATH] [--filter TEXT] [--adapter NAME] [--quick]

          --json PATH     also write all measurements as a JSON array
          --filter TEXT   only benchmarks whose name contains TEXT
          --adapter NAME  only sqlite, leveldb, memory or postgresql
          --quick         a tenth of the size; for trying out, not for figures
        """

    /// Reads the arguments that follow the program's name.
    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--json": jsonPath = try Self.value(of: argument, in: &rest)
            case "--filter": filter = try Self.value(of: argument, in: &rest)
            case "--adapter": adapter = try Self.value(of: argument, in: &rest)
            case "--quick": isQuick = true
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
