#if CLI
import ArgumentParser
import Foundation

/// The command line.
@main struct Holdfast: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "holdfast",
        abstract: "Serves, checks, inspects, and copies local-first data stores, and works with their schemas.",
        subcommands: [
            CopyStore.self, InspectStore.self, Codegen.self, SchemaCommand.self, AdapterCommand.self,
            RunConformance.self, Serve.self, Develop.self, DataCommand.self, RenewVersions.self,
            CreateToken.self, Doctor.self, Assess.self, Simulate.self,
        ])

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            exit(repeatingNoAddress: error)
        }
    }

    /// Ends the process; an argument in the wrong place is not printed if it may hold a password.
    private static func exit(repeatingNoAddress error: any Error) -> Never {
        let text = fullMessage(for: error)
        // A value can be attached to its option: --store=ADDRESS. The message then has the value alone.
        let values = CommandLine.arguments.flatMap { argument in
            [argument] + argument.split(separator: "=", maxSplits: 1).dropFirst().map(String.init)
        }
        let addresses = values.filter { $0.contains("://") && text.contains($0) }
        if addresses.isEmpty { exit(withError: error) }
        Output.error(addresses.reduce(text) { $0.replacing($1, with: "an address") })
        Foundation.exit(exitCode(for: error).rawValue)
    }
}

/// Groups what makes code.
struct Codegen: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "codegen", abstract: "Generates code from a schema.", subcommands: [MakeModels.self])
}

/// Groups what looks at schemas.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Checks, compares, and prints schemas.",
        subcommands: [SchemaCheck.self, SchemaCompare.self, SchemaPrint.self, SchemaAPI.self])
}
#else
import Foundation

/// Says how to get the command line, and fails, so that no script takes it for done.
@main struct Holdfast {
    static func main() {
        let text = """
            The command line is not part of this build, so that the library needs no other package. Run
              swift run --traits CLI holdfast --help

            """
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
        exit(69)
    }
}
#endif
