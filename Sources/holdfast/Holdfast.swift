#if CLI
    import ArgumentParser

    /// The command line.
    @main struct Holdfast: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "holdfast",
            abstract: "Works on the schemas and adapters of local-first data stores.",
            subcommands: [Codegen.self, SchemaCommand.self, AdapterCommand.self, RunConformance.self])
    }

    /// Groups what makes code.
    struct Codegen: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "codegen", abstract: "Makes code from a schema.", subcommands: [MakeModels.self])
    }

    /// Groups what looks at schemas.
    struct SchemaCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema", abstract: "Checks, compares and prints schemas.",
            subcommands: [SchemaCheck.self, SchemaCompare.self, SchemaPrint.self])
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
            FileHandle.standardError.write(Data(text.utf8))
            exit(69)
        }
    }
#endif
