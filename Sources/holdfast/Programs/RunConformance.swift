#if CLI
import ArgumentParser
import Foundation

/// `holdfast conformance`.
struct RunConformance: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: "Runs the conformance suite.",
        discussion: """
            Runs a harness that has been built: that of the package in the current directory \
            (.build/debug/<name>-conformance), or else `holdfast-conformance` beside this command, which has the \
            adapters that come with Holdfast. All arguments are the harness's; it explains them after `--`:

            Examples:
              holdfast conformance next
              holdfast conformance sqlite
              holdfast conformance all --mutate
              holdfast conformance memory --json report.json
              holdfast conformance -- --help

            Exit codes: those of the harness (0 all is well, 1 a rule is broken, 2 wrong arguments or a broken \
            harness), or 69 if there is none.
            """)

    @ArgumentParser.Argument(parsing: .captureForPassthrough, help: "The arguments of the harness.")
    var arguments: [String] = []

    func run() throws {
        if let first = arguments.first, ["--help", "-h"].contains(first) { throw CleanExit.helpRequest(self) }
        let harness = try Self.harness()
        try OtherProgram.run(harness, arguments.first == "--" ? Array(arguments.dropFirst()) : arguments)
    }

    private static func harness() throws -> String {
        let suffix = "-conformance"
        let folder = FileManager.default.currentDirectoryPath + "/.build/debug"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let own = names.filter { name in
            name.hasSuffix(suffix) && FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)")
        }
        if own.count > 1 {
            Output.error("There are several harnesses; run one: " + own.sorted().joined(separator: ", "))
            throw ExitCode(69)
        }
        if let name = own.first { return "\(folder)/\(name)" }
        if let sibling = OtherProgram.beside(named: "holdfast-conformance") { return sibling }
        Output.error(
            """
            No harness has been built. For the adapters of Holdfast, in its directory:
              swift build --product holdfast-conformance
            For your own, in your package's directory:
              swift build --product <name>-conformance
            """)
        throw ExitCode(69)
    }
}
#endif
