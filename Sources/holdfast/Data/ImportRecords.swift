#if CLI && Server
import ArgumentParser
import HoldfastServer

/// `holdfast data import`.
struct ImportRecords: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Writes records from JSON Lines into the store of a service.",
        discussion: """
            Reads what 'holdfast data export' prints. Each line must have "__typename", the fields of the key, and all \
            required fields; times and fields with a default may be left out. The service sets versions and \
            _lastChangedAt. A line with "_deleted": true deletes its record. Records can come in any order, since \
            relations are not checked. A store is made where there is none.

            A record that is stored with the same values is not written, so an import that ended early can be repeated. \
            It stops at the first line that cannot be imported; what comes before that line is stored. If only the store \
            refuses the line, some of those after it may be stored, too.

            \(DataCommand.rights)

            \(StoreAddress.forms)

            Examples:
              holdfast data import records.jsonl --schema schema.graphql
              holdfast data import records.jsonl --dry-run --keep-going
              gunzip -c records.jsonl.gz | holdfast data import - --store 'postgresql://localhost/app' --existing replace

            Exit codes: 0 all lines imported, 1 not all, or the schema or the store cannot be used, 64 wrong usage, 69 \
            this build lacks an adapter.
            """)

    @ArgumentParser.Argument(help: "The file; - for the standard input.")
    var file: String

    @OptionGroup var options: RecordOptions

    @Option(
        help: """
            What becomes of a stored record with other values, or one that was deleted: fail (the default), skip, or \
            replace. A field that a line lacks loses its value with replace.
            """,
        completion: .list(ExistingRecords.allCases.map(\.rawValue)), transform: Self.existing)
    var existing = ExistingRecords.fail

    @Flag(help: "Continues after a line that cannot be imported.")
    var keepGoing = false

    @Flag(
        help: """
            Checks each line against the store as it is, and writes nothing. It does not see what an earlier line with \
            the same key would change. A store must exist.
            """)
    var dryRun = false

    @Flag(help: "Prints the counts as JSON.")
    var json = false

    private static func existing(_ text: String) throws -> ExistingRecords {
        guard let existing = ExistingRecords(rawValue: text) else {
            throw ValidationError("It is one of fail, skip, and replace.")
        }
        return existing
    }

    func run() async throws {
        var reader = try LineReader(path: file)
        try await options.withData(isReadOnly: dryRun, makesStore: !dryRun, asJSON: json) { data in
            var lines = ImportedLines(data: data, existing: existing, keepsGoing: keepGoing, isDryRun: dryRun)
            var failure: (any Error)?
            do {
                try await lines.run(&reader)
            } catch {
                failure = error
            }
            if json { try Output.json(lines.counts) } else { try Output.result(lines.text) }
            // Not as JSON: the counts are the one object that is printed.
            if let failure { try CommandFailure.reported { throw failure } }
            if lines.counts.failed > 0 { throw ExitCode(1) }
        }
    }
}
#endif
