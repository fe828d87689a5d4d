#if CLI
import ArgumentParser

/// `holdfast simulate`.
struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Runs a schema through simulated devices, users, and faults, and checks that nothing gets lost.",
        discussion: """
            Devices with real stores and sync engines, the service, and the network between them run in one thread. A \
            seed determines everything: what users do, what goes wrong, and when. The same seed gives the same run. \
            A run that breaks a promise is made smaller, and kept in a file for --replay.

            The rules of @auth count: simulated users sign in, with groups, and each device is judged by what its user \
            may read and write. What cannot be judged, such as rules that ask a function, is refused.

            `holdfast-simulate` must be beside this command, where './dev install' puts it.

            Examples:
              holdfast simulate --schema app.graphql --clients 5 --server-processes 2 --strategy automerge --runs 1000
              holdfast simulate --schema app.graphql --conflict Post=optimistic --html report.html
              holdfast simulate --schema app.graphql --seed 42 --runs 1 --timeline
              holdfast simulate --schema app.graphql --replay /tmp/holdfast-seed-42.json --html failure.html

            Exit codes: 0 every promise was kept, 1 one was broken, or the schema cannot be used, 64 wrong usage, 69 \
            'holdfast-simulate' was not found.
            """)

    @Option(help: "The schema: a file, or a directory with .graphql files; schema.graphql by default. Can be repeated.")
    var schema: [String] = []

    @Option(help: "How many runs, each with a seed of its own. By default 100, and 1 with --replay.")
    var runs: Int?

    @Option(help: "The seed of the first run.")
    var seed: UInt64 = 1

    @Option(help: "How many devices a run has at most.")
    var clients = 3

    @Option(help: "How many processes the service has at most.")
    var serverProcesses = 2

    @Option(help: "How many changes applications make in a run.")
    var operations = 60

    @Option(
        help: """
            How conflicts are resolved: automerge, optimistic, or function, one that decides now one way and now \
            another.
            """)
    var strategy = "automerge"

    @Option(help: "How conflicts of one model are resolved, as Model=optimistic. Can be repeated.")
    var conflict: [String] = []

    @Option(help: "Where devices may keep their records, as memory,sqlite,leveldb; each has one of them.")
    var storages = "memory"

    @Flag(help: "Nothing goes wrong.")
    var calm = false

    @Flag(help: "Tombstones live shorter or longer, and devices may read few records.")
    var harsh = false

    @Option(help: "Runs the scenario in a file instead of generated ones.")
    var replay: String?

    @Flag(help: "Prints everything that happens.")
    var timeline = false

    @Flag(help: "Ends at the first run that breaks a promise.")
    var stop = false

    @Option(
        help: """
            Writes a page with the summary, and with a space-time diagram of each of the first five runs that break a \
            promise; of a single run in any case.
            """)
    var html: String?

    @Flag(help: "Prints the summary as JSON.")
    var json = false

    private static let strategies = ["automerge", "optimistic", "function"]

    func validate() throws {
        for (name, number) in [
            ("runs", runs ?? 1), ("clients", clients), ("server-processes", serverProcesses),
            ("operations", operations),
        ] where number < 1 { throw ValidationError("--\(name) needs a positive number.") }
        guard clients <= 50, serverProcesses <= 10 else {
            throw ValidationError("At most 50 devices and 10 processes of the service can be simulated.")
        }
        guard seed > 0 else { throw ValidationError("--seed needs a positive number.") }
        for name in [strategy] + conflict.map({ $0.split(separator: "=", maxSplits: 1).last.map(String.init) ?? "" }) {
            guard Self.strategies.contains(name) else {
                throw ValidationError(
                    "'\(name)' is not a way to resolve conflicts; use automerge, optimistic, or function.")
            }
        }
        for setting in conflict where setting.first == "=" || !setting.contains("=") {
            throw ValidationError("'\(setting)' names no model; write Model=\(Self.strategies[0]), or use --strategy.")
        }
        if calm && harsh { throw ValidationError("--calm and --harsh contradict each other.") }
    }

    func run() throws {
        let files = try SchemaFiles.files(at: schema.isEmpty ? ["schema.graphql"] : schema)
        guard let program = OtherProgram.beside(named: "holdfast-simulate") else {
            Output.error(
                "'holdfast-simulate' is not beside this command. In the directory of Holdfast:\n  ./dev install")
            throw ExitCode(69)
        }
        try OtherProgram.run(program, arguments(files))
    }

    private func arguments(_ files: [String]) -> [String] {
        var arguments = files.flatMap { ["--schema", $0] } + ["--strategy", strategy]
        arguments += conflict.flatMap { ["--conflict", $0] } + ["--storages", storages]
        if let runs { arguments += ["--runs", "\(runs)"] }
        arguments += ["--seed", "\(seed)", "--clients", "\(clients)"]
        arguments += ["--server-processes", "\(serverProcesses)", "--operations", "\(operations)"]
        if calm { arguments.append("--calm") }
        if harsh { arguments.append("--harsh") }
        if timeline { arguments.append("--timeline") }
        if stop { arguments.append("--stop") }
        if let replay { arguments += ["--replay", replay] }
        if let html { arguments += ["--html", html] }
        if json { arguments += ["--json", "-"] }
        return arguments + ["--as", (["holdfast"] + CommandLine.arguments.dropFirst()).joined(separator: " ")]
    }
}
#endif
