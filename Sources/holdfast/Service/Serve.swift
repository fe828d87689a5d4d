#if CLI && Server
import ArgumentParser
import Foundation
import HoldfastEngine
import HoldfastGraphQL
import HoldfastServer
import HoldfastServerHTTP
import HoldfastStorage
import HoldfastWire

/// `holdfast serve`.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves a schema over HTTP and WebSockets, as AWS AppSync does.",
        discussion: """
            Clients send requests to /graphql and open WebSockets at /graphql/realtime. /health and /ready are for \
            monitoring. So is /metrics, on a port of its own (--metrics-port) if other machines reach the service. \
            SIGTERM and SIGINT shut the service down gracefully.

            \(StoreAddress.forms)

            Several processes can serve one PostgreSQL store; all but one with --no-purge.

            Environment variables, for secrets that other users of the machine must not see:
              HOLDFAST_API_KEYS      keys of applications, separated by commas, in addition to --api-key
              HOLDFAST_SIGNING_KEYS  pairs IDENTIFIER:SECRET, separated by commas, for signatures of AWS; with \
            :guest behind it a pair is for users who are not signed in
              HOLDFAST_TOKEN_KEY     the key of tokens for development, instead of the one in the data directory; at \
            least 32 bytes

            Examples:
              holdfast serve --schema schema.graphql
              holdfast serve --schema schema.graphql --store 'postgresql://localhost/app' --port 443 --host 0.0.0.0 \
            --tls-certificate chain.pem --tls-key key.pem
              holdfast serve --schema schema.graphql --issuer https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Pool

            Exit codes: 0 ended by a signal, 1 the schema, the store, the files for TLS, or the port cannot be used, or \
            a replica of the database server became the primary (start it again), 64 wrong usage, 69 this build lacks \
            an adapter.
            """)

    @Option(help: "The schema: a file, or a directory with .graphql files; schema.graphql by default. Can be repeated.")
    var schema: [String] = []

    @Option(
        help: """
            A YAML file with these options and more, as docs/server.md describes it. Options of the command line come \
            before those of the file.
            """)
    var config: String?

    @OptionGroup var service: ServiceOptions

    @Option(
        help: """
            A key that applications send. Can be repeated. Without one here or in the environment, a key is created \
            and kept in the data directory.
            """)
    var apiKey: [String] = []

    @Flag(help: "Accepts no API keys.")
    var noApiKey = false

    @Option(help: "An issuer of tokens, such as the address of a user pool. Can be repeated.")
    var issuer: [String] = []

    @Option(
        help: """
            The key set of an issuer: a file or a URL; one for each --issuer, in the same order. By default the \
            one that the issuer names at /.well-known/openid-configuration.
            """)
    var jwks: [String] = []

    @Option(
        help: """
            An application whose tokens are accepted, by the claim aud or client_id. Can be repeated. It holds for all \
            issuers but those that have clients of their own in the configuration.
            """)
    var client: [String] = []

    @Option(help: "The URL of a function that checks all other tokens, as Lambda authorizers do.")
    var authorizer: String?

    @Flag(help: "Accepts the tokens of 'holdfast token'; anyone who can read the data directory can create them.")
    var devTokens = false

    @OptionGroup var tls: TLSOptions

    @Flag(help: "Does not purge old tombstones; another process does.")
    var noPurge = false

    @Flag(
        help: """
            Removes indexes from the store that the schema no longer has. Only if no other process serves an earlier \
            schema, which needs them.
            """)
    var dropOldIndexes = false

    @Flag(
        help: """
            Keeps the versions of records after a replica of the PostgreSQL server became the primary. Only if such a \
            replica has every commit that was acknowledged (synchronous_standby_names).
            """)
    var synchronousReplicas = false

    @Option(help: "A port for /metrics alone; by default it is with the others if only this machine reaches them.")
    var metricsPort: Int?

    @Option(help: "The name or address to listen on for /metrics; 127.0.0.1 by default.")
    var metricsHost: String?

    func validate() throws {
        guard jwks.isEmpty || jwks.count == issuer.count else {
            throw ValidationError("Each --jwks needs its --issuer.")
        }
        guard !noApiKey || apiKey.isEmpty else {
            throw ValidationError("Give either --api-key or --no-api-key.")
        }
        guard !apiKey.contains("") else { throw ValidationError("--api-key must not be empty.") }
        if let metricsPort { try LocationOptions.check(port: metricsPort) }
    }

    func run() async throws {
        var settings = self
        let file = try config.map { try ServiceFile($0, into: &settings) } ?? ServiceFile()
        try await settings.run(file)
    }

    private func run(_ file: ServiceFile) async throws {
        guard metricsHost == nil || metricsPort != nil else {
            throw ValidationError("--metrics-host needs --metrics-port.")
        }
        let sources = try SchemaFiles.sources(at: schema.isEmpty ? ["schema.graphql"] : schema)
        let store = try service.store()
        // Before the store is opened, which may change it.
        if let files = tls.files, let obstacle = TLSCheck(certificate: files.certificate, key: files.key).obstacle {
            Output.error("\(obstacle.message) \(obstacle.fix ?? "")")
            throw ExitCode(1)
        }
        try service.directory.create()
        var options = try file.serverOptions(service)
        options.dropsOldIndexes = dropOldIndexes
        let environment = ProcessInfo.processInfo.environment
        let key = try keys(environment, &options)
        options.verify = try verifier(environment, file.issuers).verify
        let http = file.httpConfiguration(self)
        let running = RunningService(
            sources: sources, options: options, http: http, makeAdapter: store.makeAdapter, isVerbose: service.verbose,
            renewsVersions: !synchronousReplicas
        ) { [self] addresses in
            // If it cannot be printed, that was reported, and the service runs all the same.
            try? announce(addresses, store.name, key, sources)
        }
        try await running.run()
    }

    private func announce(
        _ addresses: ServiceAddresses, _ store: String, _ key: String?, _ sources: [Source]
    ) throws {
        if service.json {
            let values: [String: String?] = [
                "endpoint": addresses.endpoint, "realtime": addresses.realtime, "store": store, "apiKey": key,
            ]
            return try Output.json(values)
        }
        try Output.result(
            """
            Endpoint:  \(addresses.endpoint)
            Real time: \(addresses.realtime)
            Store:     \(store)
            """)
        if let key { try Output.result("API key:   \(key)") }
        if !noApiKey {
            try Output.result("\n" + RunningService.example(addresses, key: key ?? "KEY", sources: sources))
        }
    }

    /// Sets the keys of applications.
    ///
    /// - Returns: The key of the data directory, which may be printed; `nil` if keys were given, or none are accepted.
    private func keys(_ environment: [String: String], _ options: inout ServerOptions) throws -> String? {
        if noApiKey { return nil }
        guard let secret = Self.elements(of: environment["HOLDFAST_API_KEYS"]) else {
            throw ValidationError("HOLDFAST_API_KEYS is not a list of keys with commas between.")
        }
        options.apiKeys = Set(apiKey + secret)
        guard options.apiKeys.isEmpty else { return nil }
        let key = try service.directory.applicationKey()
        options.apiKeys = [key]
        return key
    }

    /// The elements of a list with commas between, without what surrounds them; `nil` if one is empty or has a blank.
    ///
    /// A secret that comes from a file often ends with a new line.
    private static func elements(of list: String?) -> [String]? {
        guard let list, !list.isEmpty else { return [] }
        let elements = list.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        return elements.allSatisfy { !$0.isEmpty && !$0.contains(where: \.isWhitespace) } ? elements : nil
    }

    private func verifier(
        _ environment: [String: String], _ issuers: [ServiceFile.Issuer]
    ) throws -> CredentialVerifier {
        let named = issuer.enumerated().map { index, issuer in
            ServiceFile.Issuer(name: issuer, keys: index < jwks.count ? jwks[index] : nil, clients: client)
        }
        let configured = issuers.map { issuer in
            var issuer = issuer
            if issuer.clients.isEmpty { issuer.clients = client }
            return issuer
        }
        var tokens = (named + configured).map(\.verifier)
        if devTokens {
            tokens.append(DevelopmentTokens(secret: try service.directory.tokenKey(), surroundings: .system).verifier)
        }
        let mistake = ValidationError(
            "HOLDFAST_SIGNING_KEYS is not a list of IDENTIFIER:SECRET or IDENTIFIER:SECRET:guest with commas between.")
        guard let pairs = Self.elements(of: environment["HOLDFAST_SIGNING_KEYS"]) else { throw mistake }
        let keys = try pairs.map { pair in
            let parts = pair.split(separator: ":", omittingEmptySubsequences: false)
            let isGuest = parts.count == 3 && parts[2] == "guest"
            // Keys of AWS have no colons.
            guard parts.count == 2 || isGuest, !parts[0].isEmpty, !parts[1].isEmpty else { throw mistake }
            return SignatureVerifier.Key(
                identifier: String(parts[0]), secret: String(parts[1]), isGuest: isGuest)
        }
        return CredentialVerifier(
            tokens: tokens, signatures: keys.isEmpty ? nil : SignatureVerifier(keys: keys, surroundings: .system),
            function: authorizer.map { FunctionVerifier(.url($0), surroundings: .system) })
    }
}
#endif
