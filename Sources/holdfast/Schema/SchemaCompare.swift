#if CLI
import ArgumentParser
import HoldfastCodegen
import HoldfastSchema

/// `holdfast schema diff`.
struct SchemaCompare: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Shows what a new version of a schema changes.",
        discussion: """
            Each change is additive (everything continues to work), breaking (code or data no longer fits) or of
            storage (stores have to keep data in another way).

            Examples:
              holdfast schema diff old.graphql new.graphql
              git show main:schema.graphql > /tmp/old.graphql && holdfast schema diff /tmp/old.graphql schema.graphql

            Exit codes: 0 nothing breaks, 1 breaking changes or problems, 64 wrong usage.
            """)

    @ArgumentParser.Argument(help: "The old version: a file, or a directory with .graphql files.")
    var old: String

    @ArgumentParser.Argument(help: "The new version: a file, or a directory with .graphql files.")
    var new: String

    @Flag(help: "Prints the changes as JSON.")
    var json = false

    func run() throws {
        try CommandFailure.reported(asJSON: json) {
            let changes = try schemaChanges(
                from: try SchemaFiles.sources(at: [old]), to: try SchemaFiles.sources(at: [new]))
            if json {
                try Output.json(["changes": changes.map(ChangeRecord.init)])
            } else {
                for change in changes { try Output.result("\(change)") }
                if changes.isEmpty { try Output.result("No changes.") }
            }
            if changes.contains(where: { $0.kind == .breaking }) { throw ExitCode(1) }
        }
    }
}
#endif
