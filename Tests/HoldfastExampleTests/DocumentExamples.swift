#if LevelDB && PostgreSQL && Sync && Server
import ExampleModels
import Foundation
import HoldfastAmplifyImport
import HoldfastEngine
import HoldfastGraphQL
import HoldfastInMemory
import HoldfastLevelDB
import HoldfastModel
import HoldfastPostgreSQL
import HoldfastSQLite
import HoldfastServer
import HoldfastServerHTTP
import HoldfastStorage
import HoldfastSync
import HoldfastSyncHTTP
import Logging
import Tracing

/// The examples of the documents, which need files and servers: they are compiled and do not run.
private struct DocumentExamples {
    let store: DataStore
    let transport: any SyncTransport
    let authorization: SyncAuthorization
    let surroundings: Surroundings
    let path: String
    let newPath: String
    let key: String
    let session: Session

    struct Session: Sendable {
        func token(refreshing isRefused: Bool) async throws -> String { "" }
    }

    struct Todo: Model {
        let id: String
        var title: String

        enum CodingKeys: String, ModelKey { case id, title }
        static let keys = CodingKeys.self
    }

    struct Human: Model {
        let id: String
    }

    func show(_ status: SyncStatus) {}

    func log(_ values: Any...) {}

    // MARK: docs/migration.md

    func migrating() async throws -> DataStore {
        let store = try await DataStore.open(
            SQLiteAdapter(path: path), models: [Human.self],
            options: DataStoreOptions(
                schemaPolicy: .migrate([
                    .renameModel(from: "Person", to: "Human"),
                    .renameField(model: "Human", from: "fullName", to: "name"),
                    .setDefault(model: "Human", field: "city", value: .text("Ulm")),
                    .transform(model: "Human") { record in
                        var record = record
                        if case .text(let age) = record.stored("age") {
                            record["years"] = Int64(age).map { .integer($0) } ?? .null
                        }
                        return record
                    },
                    .removeField(model: "Human", field: "age"),
                ])))
        return store
    }

    func importing(_ adapter: any StorageAdapter, _ models: [any Model.Type]) async throws {
        let documents = try FileManager.default.url(
            for: .documentDirectory, in: .userDomainMask, appropriateFor: nil, create: false)
        let name = Bundle.main.object(forInfoDictionaryKey: "CFBundleName") as? String ?? "app"
        let path = documents.appendingPathComponent("\(name).db").path

        let store = try await DataStore.open(adapter, models: models)
        if FileManager.default.fileExists(atPath: path) {
            do {
                let file = try await AmplifyStoreFile.open(path: path)
                let report = try await store.importRecords(from: file)
                await file.close()
                for rejection in report.rejections {
                    log(rejection.subject, rejection.entity, rejection.reason, rejection.count)
                }
            } catch let error as StorageError where error.retry == .never && error.kind != .cancelled {
                // The file is damaged, for instance. The application works without its records.
                log(error)
            }
        }
    }

    // MARK: docs/moving-a-store.md

    func copying() async throws {
        let source = try await Store.openAsStored {
            SQLiteAdapter(SQLiteConfiguration(.file(path), isReadOnly: true))
        }
        let copy = StoreCopy(from: source, progress: { print($0.entity, $0.recordCount) }) {
            LevelDBAdapter(path: newPath)
        }
        let (target, report) = try await copy.run()
        log(target, report)
    }

    // MARK: docs/resolving-conflicts.md

    func resolving() {
        var service = SyncService(transport: transport, authorization: authorization)
        service.conflictHandler = { conflict in
            guard let local = conflict.local as? Todo, var both = conflict.remote as? Todo, local.title != both.title
            else { return .applyRemote }
            both.title += " or \(local.title)"
            return .retry(both)
        }
    }

    func lookingAtDeadLetters() async throws {
        for letter in try await store.deadLetters() {
            print(letter.model, letter.key, letter.message ?? "")
            try await store.retry(letter)  // or store.retry(letter, as: corrected), or store.discard(letter)
        }
    }

    // MARK: docs/server.md

    func serving(_ headers: [String: String], _ parameters: [String: String], _ body: [UInt8]) async throws {
        let server = try await SyncServer.open(
            schema: [Source("type Post @model @auth(rules: [{ allow: public }]) { title: String! }")],
            options: ServerOptions(apiKeys: ["da2-key"]), surroundings: surroundings
        ) { SQLiteAdapter(SQLiteConfiguration(.file("data/store.sqlite"))) }

        let response = await server.respond(to: ServerRequest(headers: ["x-api-key": "da2-key"], body: body))
        let connection = await server.connect(with: Credentials(headers: headers, parameters: parameters))
        log(response, connection)
    }

    func serving(
        _ issuer: String, _ sources: [Source], _ makeAdapter: @escaping @Sendable () throws -> any StorageAdapter
    ) async throws {
        let verifier = CredentialVerifier(
            tokens: [
                TokenVerifier(issuer: issuer, keys: .url(issuer + "/.well-known/jwks.json"), surroundings: .system)
            ])
        let server = try await SyncServer.open(
            schema: sources, options: ServerOptions(verify: verifier.verify), surroundings: .system,
            makeAdapter: makeAdapter)
        try await SyncHTTPServer(server, surroundings: .system, logger: Logger(label: "service")).runUntilTerminated()
        try await server.close()
    }

    // MARK: docs/operations.md

    func tracing(_ server: SyncServer) async throws {
        let http = SyncHTTPServer(
            server, surroundings: .system, logger: Logger(label: "service"), tracer: InstrumentationSystem.tracer)
        try await http.runUntilTerminated()
    }

    // MARK: docs/sync.md

    func synchronizing() async throws {
        let service = SyncService(transport: transport, authorization: authorization)
        let synchronizer = try Synchronizer(store, with: service)
        try await synchronizer.start()
        for await status in synchronizer.statuses { show(status) }
    }

    func connecting() throws {
        let endpoint = "https://api.example.com/graphql"
        let transport = try HTTPSyncTransport(HTTPSyncConfiguration(endpoint: endpoint))
        let authorizer = try RequestAuthorizer(
            endpoint: endpoint,
            modes: [.userPools { isRefused in try await session.token(refreshing: isRefused) }, .apiKey(key)],
            order: .rules)
        log(transport, authorizer)
    }

    func selecting(_ prefix: String) {
        var service = SyncService(transport: transport, authorization: authorization)
        service.expressions = [SyncExpression(Todo.self) { Todo.keys.title.beginsWith(prefix) }]
        log(service)
    }

    // MARK: docs/troubleshooting.md

    func lookingForAChange(_ synchronizer: Synchronizer) async throws {
        let status = synchronizer.status  // with Amplify's interface: plugin.synchronizer?.status
        print(status.state, status.outboxCount, status.deadLetterCount, status.lastProblem?.reason ?? "no problem")

        for letter in try await store.deadLetters() {
            print(letter.model, letter.key, letter.errorType ?? "", letter.message ?? "")
        }

        print(try await store.explain(Todo.self, "1"))
    }

    // MARK: Adapters/*/README.md

    func opening(_ schema: StorageSchema) async throws {
        let store = try await Store.open(InMemoryAdapter(), schema: schema)
        log(store)
    }

    func openingSQLite(_ schema: StorageSchema) async throws {
        let store = try await Store.open(SQLiteAdapter(path: "app.db"), schema: schema)
        log(store)
    }

    func openingLevelDB(_ schema: StorageSchema) async throws {
        let store = try await Store.open(LevelDBAdapter(path: "app.leveldb"), schema: schema)
        log(store)
    }

    func openingPostgreSQL(_ schema: StorageSchema) async throws {
        let adapter = PostgreSQLAdapter("postgresql://app@db.example.com/app?sslmode=verify-full")
        let store = try await Store.open(adapter, schema: schema)
        log(store)
    }

    func openingPostgreSQLBehindAPool(_ schema: StorageSchema) async throws {
        let adapter = PostgreSQLAdapter(
            PostgreSQLConfiguration(
                "postgresql://app@pool.example.com:6432/app", pooling: .transaction,
                directConnectionString: "postgresql://app@db.example.com/app"))
        let store = try await Store.open(adapter, schema: schema)
        log(store)
    }
}
#endif
