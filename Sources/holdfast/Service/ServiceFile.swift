#if CLI && Server
import ArgumentParser
import HoldfastEngine
import HoldfastServer
import HoldfastServerHTTP
import HoldfastStorage

/// What `holdfast serve --config` reads: the options of the command line, and those that it lacks.
struct ServiceFile {
    /// Who makes tokens, and what is accepted of them.
    struct Issuer {
        var name: String
        var keys: String?
        var clients: [String] = []
        var isUserPool: Bool?
        var clockSkew = Duration.seconds(60)

        var verifier: TokenVerifier {
            let source = keys.map { $0.contains("://") ? TokenKeys.url($0) : .file($0) }
            return TokenVerifier(
                issuer: name, isUserPool: isUserPool, clients: Set(clients), keys: source ?? .issuer(name),
                clockSkew: clockSkew,
                surroundings: .system)
        }
    }

    private(set) var issuers: [Issuer] = []
    private var conflicts: [String] = []
    private var sets: [String] = []
    private var tombstoneLife: Duration?
    private var allowsIntrospection: Bool?
    private var limits = ServerLimits()
    private var http = SyncHTTPServer.Configuration()

    /// A file without options.
    init() {}

    /// Reads a file, and gives the command line each option that it does not name itself.
    init(_ path: String, into options: inout Serve) throws {
        var file = try ConfigurationSection(file: path)
        try readNames(&file, into: &options)
        for (model, way) in try file.textsByName("conflict") {
            conflicts.append(model == "default" ? way : "\(model)=\(way)")
        }
        issuers = try file.sections("issuers", Self.issuer)
        sets = try file.texts("sets")
        tombstoneLife = try file.seconds("tombstoneLife")
        allowsIntrospection = try file.flag("introspection")
        try file.section("limits") { try readLimits(&$0) }
        try file.section("connections") { section in
            http.connectionLimit = try section.integer("limit", in: 1...10_000_000) ?? http.connectionLimit
            http.idleTimeout = try section.seconds("idleTimeout") ?? http.idleTimeout
            http.requestTimeout = try section.seconds("requestTimeout") ?? http.requestTimeout
            http.closeTimeout = try section.seconds("closeTimeout") ?? http.closeTimeout
            http.drainTimeout = try section.seconds("drainTimeout") ?? http.drainTimeout
            let handover = try section.integer("handover", in: 0...Int(Int32.max))
            http.handoverTime = handover.map { Duration.seconds($0) } ?? http.handoverTime
        }
        http.purgeInterval = try file.seconds("purgeInterval") ?? http.purgeInterval
        try file.refuse("apiKeys", "set HOLDFAST_API_KEYS")
        try file.refuse("signingKeys", "set HOLDFAST_SIGNING_KEYS")
        try file.refuse("tokenKey", "set HOLDFAST_TOKEN_KEY")
        try file.finish()
    }

    /// The options that the command line has, too; what it names itself stays.
    private func readNames(_ file: inout ConfigurationSection, into options: inout Serve) throws {
        let schema = try file.texts("schema")
        if options.schema.isEmpty { options.schema = schema }
        try file.set("data", &options.service.location.files.data)
        try file.set("store", &options.service.location.files.store)
        try file.set("host", &options.service.location.host)
        let port = try file.integer("port", in: 0...65_535)
        options.service.location.port = options.service.location.port ?? port
        try file.set("defaultAuth", &options.service.defaultAuth)
        try file.set("authorizer", &options.authorizer)
        try file.section("tls") { section in
            // Half of a pair would go with half of another one.
            let pair = (try section.text("certificate"), try section.text("key"))
            guard pair.0 != nil, pair.1 != nil else { throw section.problem("TLS needs both 'certificate' and 'key'") }
            if options.tls.files == nil { (options.tls.tlsCertificate, options.tls.tlsKey) = pair }
        }
        try file.section("metrics") { section in
            try section.set("host", &options.metricsHost)
            let port = try section.integer("port", in: 0...65_535)
            options.metricsPort = options.metricsPort ?? port
        }
        options.noPurge = try file.flag("purge").map { !$0 || options.noPurge } ?? options.noPurge
        options.synchronousReplicas =
            try file.flag("synchronousReplicas").map { $0 || options.synchronousReplicas }
            ?? options.synchronousReplicas
        let acceptsKeys = try file.flag("apiKey") ?? true
        // A key of the command line goes before the file, as all that it names.
        options.noApiKey = options.noApiKey || !acceptsKeys && options.apiKey.isEmpty
        options.devTokens = try file.flag("devTokens").map { $0 || options.devTokens } ?? options.devTokens
        options.service.verbose =
            try file.flag("verbose").map { $0 || options.service.verbose } ?? options.service.verbose
    }

    private static func issuer(_ section: inout ConfigurationSection) throws -> Issuer {
        guard let name = try section.text("issuer") else { throw section.problem("'issuer' is missing") }
        var issuer = Issuer(name: name)
        issuer.keys = try section.text("jwks")
        issuer.clients = try section.texts("clients")
        issuer.isUserPool = try section.flag("userPool")
        issuer.clockSkew = try section.integer("clockSkew", in: 0...3_600).map { .seconds($0) } ?? issuer.clockSkew
        return issuer
    }

    private static var limitNames: [(String, WritableKeyPath<ServerLimits, Int>)] {
        [
            ("requestByteCount", \.requestByteCount), ("defaultPage", \.defaultPage), ("maximumPage", \.maximumPage),
            ("rowsLookedAt", \.rowsLookedAt), ("rowsPerRequest", \.rowsPerRequest),
            ("rowsPerEvent", \.rowsPerEvent), ("rowBytesPerRequest", \.rowBytesPerRequest),
            ("rowBytesPerEvent", \.rowBytesPerEvent), ("recordByteCount", \.recordByteCount),
            ("pageByteCount", \.pageByteCount),
            ("responseByteCount", \.responseByteCount), ("rootFields", \.rootFields),
            ("cachedDocuments", \.cachedDocuments), ("subscriptions", \.subscriptions),
            ("selectionsPerConnection", \.selectionsPerConnection), ("frameByteCount", \.frameByteCount),
            ("unsentByteCount", \.unsentByteCount),
        ]
    }

    private mutating func readLimits(_ section: inout ConfigurationSection) throws {
        for (name, path) in Self.limitNames {
            if let value = try section.integer(name, in: 1...Int(Int32.max)) { limits[keyPath: path] = value }
        }
    }

    // MARK: - What the file says of the service

    /// How the service behaves, by the file and then by the command line.
    func serverOptions(_ service: ServiceOptions) throws -> ServerOptions {
        var service = service
        service.conflict = conflicts + service.conflict
        var options = try service.serverOptions()
        options.sets = Set(sets)
        options.limits = limits
        options.tombstoneLife = tombstoneLife ?? options.tombstoneLife
        options.allowsIntrospection = allowsIntrospection ?? options.allowsIntrospection
        return options
    }

    /// Where the service listens, and how long connections may take.
    func httpConfiguration(_ options: Serve) -> SyncHTTPServer.Configuration {
        var http = http
        http.host = options.service.location.address
        http.port = options.service.location.chosenPort
        http.tls = options.tls.files.map {
            SyncHTTPServer.TLSFiles(certificateChain: $0.certificate, privateKey: $0.key)
        }
        if options.noPurge { http.purgeInterval = nil }
        if let port = options.metricsPort { http.metrics = .port(port, host: options.metricsHost ?? "127.0.0.1") }
        return http
    }
}

extension ConfigurationSection {
    /// Sets an option that the command line leaves open.
    fileprivate mutating func set(_ name: String, _ option: inout String?) throws {
        let value = try text(name)
        option = option ?? value
    }
}
#endif
