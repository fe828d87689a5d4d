#if CLI
import ArgumentParser
import HoldfastCodegen

/// `holdfast schema check`.
struct SchemaCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Reports everything that prevents generating models from a schema.",
        discussion: """
            Examples:
              holdfast schema check schema.graphql
              holdfast schema check schema --json

            Exit codes: 0 no problems, 1 problems, 64 wrong usage.
            """)

    @ArgumentParser.Argument(help: "The schema: files, or directories with .graphql files.")
    var schema: [String] = ["schema.graphql"]

    @Flag(help: "Prints the problems as JSON.")
    var json = false

    func run() throws {
        let problems = schemaProblems(in: try SchemaFiles.sources(at: schema))
        if json || !problems.isEmpty { try Output.problems(problems, asJSON: json) }
        if !problems.isEmpty { throw ExitCode(1) }
        if !json { try Output.result("No problems.") }
    }
}
#endif
