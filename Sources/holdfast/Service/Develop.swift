#if CLI && Server
import ArgumentParser
import Foundation
import HoldfastEngine
import HoldfastGraphQL
import HoldfastSchema
import HoldfastServer
import HoldfastServerHTTP
import HoldfastStorage

/// `holdfast dev`.
struct Develop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev",
        abstract: "Serves a schema for development, and prints what a client needs.",
        discussion: """
            Without an argument it serves schema.graphql. If there is no such file, a sample is written and 20 records \
            are saved. The service accepts an API key, and the \
            tokens of 'holdfast token', which count as those of a user pool. Both keys are in the data directory. In \
            production, use 'holdfast serve'.

            When the schema changes, what is new in it is served at once, and so are other rules of @auth. Other \
            changes and mistakes are reported on the standard error; the service continues with the schema as it was.

            Examples:
              holdfast dev
              holdfast dev schema.graphql --store memory --output App
              holdfast token --sub alice --groups Admin

            Exit codes: 0 ended by a signal, 1 the schema, the store, or the port cannot be used, 64 wrong usage, 69 this \
            build lacks an adapter.
            """)

    @ArgumentParser.Argument(help: "The schema: a file, or a directory with .graphql files.")
    var schema: String?

    @OptionGroup var service: ServiceOptions

    @Option(
        help: """
            The directory into which amplify_outputs.json and amplifyconfiguration.json are written; those of another \
            service stay as they are.
            """)
    var output: String?

    func validate() throws {
        guard let output else { return }
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: output, isDirectory: &isDirectory), isDirectory.boolValue else {
            throw ValidationError("--output must be a directory; '\(output)' is not one.")
        }
    }

    func run() async throws {
        let path = schema ?? "schema.graphql"
        // A path that is given and does not exist is a mistake.
        let isNew = schema == nil && !FileManager.default.fileExists(atPath: path)
        if !isNew { _ = try SchemaFiles.files(at: [path]) }
        let store = try service.store()
        try service.directory.create()
        let key = try service.directory.applicationKey()
        let tokens = DevelopmentTokens(secret: try service.directory.tokenKey(), surroundings: .system)
        var options = try service.serverOptions()
        options.apiKeys = [key]
        options.verify = CredentialVerifier(tokens: [tokens.verifier]).verify
        let mode = options.defaultMode
        // Written last: its records are saved only by the start that writes it.
        if isNew {
            guard FileManager.default.createFile(atPath: path, contents: Data(SampleSchema.text.utf8)) else {
                throw ValidationError("'\(path)' does not exist, and cannot be written.")
            }
        }
        let sources = try SchemaFiles.sources(at: [path])
        var running = RunningService(
            sources: sources, options: options,
            http: SyncHTTPServer.Configuration(host: service.location.address, port: service.location.chosenPort),
            makeAdapter: store.makeAdapter, isVerbose: service.verbose
        ) { [self] addresses in
            let client = ClientConfiguration(endpoint: addresses.endpoint, key: key, defaultAuth: mode)
            // If it cannot be printed, that was reported, and the service runs all the same.
            try? announce(addresses, client, store.name, isNew ? path : nil, sources)
        }
        running.reread = { try SchemaFiles.sources(at: [path]) }
        if isNew { running.prepare = { try await SampleSchema.seed($0, key: key) } }
        try await running.run()
    }

    private func announce(
        _ addresses: ServiceAddresses, _ client: ClientConfiguration, _ store: String, _ newSchema: String?,
        _ sources: [Source]
    ) throws {
        let files = [
            ("amplify_outputs.json", try Output.jsonText(client.outputs)),
            ("amplifyconfiguration.json", try Output.jsonText(client.configuration)),
        ]
        for (name, text) in files {
            guard let output else { continue }
            let url = URL(fileURLWithPath: output).appendingPathComponent(name)
            // That of the service in production may exist nowhere else.
            let existing = FileManager.default.contents(atPath: url.path).map { String(decoding: $0, as: UTF8.self) }
            if let existing, !existing.contains(client.key) {
                Output.error("'\(output)/\(name)' is of another service, and stays; remove it to have it written.")
                continue
            }
            do {
                try Data((text + "\n").utf8).write(to: url, options: .atomic)
            } catch {
                // The service runs all the same, and its addresses and the key are needed.
                Output.error("'\(output)/\(name)' cannot be written: \(error.localizedDescription)")
            }
        }
        if service.json {
            return try Output.json([
                "endpoint": addresses.endpoint, "realtime": addresses.realtime, "store": store, "apiKey": client.key,
            ])
        }
        if let newSchema { try Output.result("Wrote \(newSchema), and saved 20 records.\n") }
        try Output.result(
            """
            Endpoint:  \(addresses.endpoint)
            Real time: \(addresses.realtime)
            Store:     \(store)
            API key:   \(client.key)
            Tokens:    holdfast token --sub alice --data \(service.directory.path)

            \(RunningService.example(addresses, key: client.key, sources: sources))

            """)
        for (name, text) in files { try Output.result("\(name):\n\(text)\n") }
    }
}
#endif
