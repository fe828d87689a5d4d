#if CLI && Server
import ArgumentParser
import HoldfastEngine
import HoldfastGraphQL
import HoldfastServer
import HoldfastStorage

/// Groups what reads and writes the records of a service.
struct DataCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "data", abstract: "Reads and writes the records of a service, also while it runs.",
        subcommands: [ExportRecords.self, ImportRecords.self, PutRecords.self, DeleteRecord.self])

    /// What the help of each command says of rights.
    static let rights = """
        Rules of @auth do not apply: anyone who can open the store may read and write everything in it. The service may \
        run, except on LevelDB, which only one process can open.
        """
}

/// The service whose records are meant: options of every command on records.
struct RecordOptions: ParsableArguments {
    @Option(help: "The schema: a file, or a directory with .graphql files; schema.graphql by default. Can be repeated.")
    var schema: [String] = []

    @Option(help: "The YAML file of the service. Options of the command line come before those of the file.")
    var config: String?

    @OptionGroup var files: DataOptions

    /// Opens the store as the service does, for the time of a closure; prints what goes wrong.
    ///
    /// - Parameters:
    ///   - isReadOnly: Whether nothing is written.
    ///   - makesStore: Whether a store is made where there is none.
    ///   - asJSON: Whether what goes wrong is printed as JSON, too.
    ///   - body: Uses the records.
    /// - Throws: `ValidationError` for a wrong usage; `ExitCode` 1 after a failure, 69 if this build lacks an adapter.
    func withData(
        isReadOnly: Bool = false, makesStore: Bool = false, asJSON: Bool = false,
        _ body: (ServiceData) async throws -> Void
    ) async throws {
        var serve = try Serve.parse([])
        (serve.schema, serve.service.location.files) = (schema, files)
        let file = try config.map { try ServiceFile($0, into: &serve) } ?? ServiceFile()
        let schema = try SchemaFiles.sources(at: serve.schema.isEmpty ? ["schema.graphql"] : serve.schema)
        guard let address = try serve.service.location.files.storeAddress() else {
            throw ValidationError("A store in memory is gone with its process; name another one.")
        }
        let options = try file.serverOptions(serve.service)
        try await CommandFailure.reported(asJSON: asJSON) {
            let isNew = try await !Self.exists(at: address, mayBeAbsent: makesStore, schema)
            if isNew, serve.service.location.files.store == nil { try serve.service.directory.create() }
            let server = try await SyncServer.open(
                schemas: ServerSchemas(schema), options: options, surroundings: .system, resetsLabels: !isReadOnly
            ) { try address.makeServiceAdapter(isReadOnly: isReadOnly) }
            do {
                try await body(server.data)
            } catch {
                try? await server.close()
                throw error
            }
            try await server.close()
        }
    }

    /// Whether there is a store; one that was served with another schema is refused, since only the service changes it.
    private static func exists(
        at address: StoreAddress, mayBeAbsent: Bool, _ schema: [Source]
    ) async throws -> Bool {
        do {
            try await address.requireServed(with: schema, advice: "Start 'holdfast serve' with the schema first.")
        } catch let error as StorageError {
            guard mayBeAbsent && error.kind == .incompatibleStore else { throw error }
            // What is not a store of Holdfast is refused when it is opened.
            return false
        }
        return true
    }
}
#endif
