#if CLI && Server
import ArgumentParser
import HoldfastServer
import HoldfastWire

/// `holdfast data export`.
struct ExportRecords: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Prints the records of a service as JSON Lines.",
        discussion: """
            One record per line: "__typename", and all fields in the JSON form of GraphQL, those that are null too. \
            Models come in the order of the schema, or as they are named; records in the order of their keys. All are \
            of one moment. Nothing is changed, and the memory in use does not grow with the store.

            \(DataCommand.rights)

            \(StoreAddress.forms)

            Examples:
              holdfast data export --schema schema.graphql --output records.jsonl
              holdfast data export Post Comment --store 'postgresql://localhost/app' | gzip >records.jsonl.gz
              holdfast data export --config service.yaml --metadata --deleted

            Exit codes: 0 exported, 1 the schema or the store cannot be used, or writing failed, 64 wrong usage, or the \
            file cannot be opened for writing, 69 this build lacks an adapter.
            """)

    @ArgumentParser.Argument(help: "The models; all by default.")
    var models: [String] = []

    @OptionGroup var options: RecordOptions

    @Flag(help: "Prints _version, _deleted, and _lastChangedAt, too. An import does not take them over.")
    var metadata = false

    @Flag(help: "Prints deleted records, too, with their last values; implies --metadata.")
    var deleted = false

    @Option(help: "The file to write, readable by its owner only; it has its name when it is complete.")
    var output: String?

    func run() async throws {
        try await options.withData(isReadOnly: true) { data in
            var file = try ExportFile(path: output)
            do {
                try await data.forEachRecord(
                    of: models, includesDeleted: deleted, includesMetadata: metadata || deleted
                ) { try file.write($0) }
                try file.finish()
            } catch {
                file.discard()
                throw error
            }
        }
    }
}
#endif
