#if CLI
import ArgumentParser
import HoldfastGraphQL
import HoldfastSchema

/// `holdfast schema print`.
struct SchemaPrint: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "print",
        abstract: "Prints a schema in one fixed form.",
        discussion: """
            Examples:
              holdfast schema print schema.graphql
              holdfast schema print schema > all.graphql

            Exit codes: 0 printed, 1 the schema cannot be parsed, 64 wrong usage.
            """)

    @ArgumentParser.Argument(help: "The schema: files, or directories with .graphql files.")
    var schema: [String] = ["schema.graphql"]

    @Flag(help: "Prints the text as JSON.")
    var json = false

    func run() throws {
        var document = GraphQLDocument(definitions: [])
        for source in try SchemaFiles.sources(at: schema) {
            do {
                document.definitions += try GraphQLDocument(parsing: source).definitions
            } catch {
                let problem = SchemaProblem(
                    message: error.message, hint: error.hint, source: source.name, location: error.location)
                try Output.problems([problem], asJSON: json)
                throw ExitCode(1)
            }
        }
        if json {
            try Output.json(["schema": document.printed()])
        } else {
            try Output.result(document.printed(), terminator: "")
        }
    }
}
#endif
