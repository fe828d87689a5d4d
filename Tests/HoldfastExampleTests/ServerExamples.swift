import ExampleModels
import HoldfastEngine
import HoldfastGraphQL
import HoldfastInMemory
import HoldfastSQLite
import HoldfastSchema
import HoldfastServer
import HoldfastStorage
import HoldfastWire
import Testing

/// The examples in the comments and articles about the server.
@Suite struct ServerExamples {
    private let surroundings = Surroundings.system
    private let schema = [Source("type Post @model @auth(rules: [{ allow: public }]) { title: String! }")]

    @Test func aServer() async throws {
        try await withPath { path in
            let body = Array(#"{"query": "query { listPosts { items { title } } }"}"#.utf8)
            let server = try await SyncServer.open(
                schema: [Source("type Post @model @auth(rules: [{ allow: public }]) { title: String! }")],
                options: ServerOptions(apiKeys: ["da2-key"]), surroundings: surroundings
            ) { SQLiteAdapter(path: path) }
            let response = await server.respond(to: ServerRequest(headers: ["x-api-key": "da2-key"], body: body))
            #expect(response.status == 200)
            #expect(String(decoding: response.body, as: UTF8.self) == #"{"data":{"listPosts":{"items":[]}}}"#)
            try await server.close()
        }
    }

    @Test func aRequest() async throws {
        let server = try await SyncServer.open(
            schema: schema, options: ServerOptions(apiKeys: ["da2-key"]), surroundings: surroundings
        ) { InMemoryAdapter() }
        let body = #"{"query": "mutation { createPost(input: {title: \"Hold fast\"}) { title _version } }"}"#
        let request = ServerRequest(headers: ["x-api-key": "da2-key"], body: Array(body.utf8))
        let response = await server.respond(to: request)
        let text = String(decoding: response.body, as: UTF8.self)
        // {"data":{"createPost":{"title":"Hold fast","_version":1}}}
        #expect(text == #"{"data":{"createPost":{"title":"Hold fast","_version":1}}}"#)
        try await server.close()
    }

    @Test func recordsWithoutRequests() async throws {
        let server = try await SyncServer.open(
            schema: schema, options: ServerOptions(), surroundings: surroundings
        ) { InMemoryAdapter() }
        let post = try await server.data.put(["id": "1", "title": "Hold fast"], in: "Post")
        let version = post["_version"]?.integer  // 1
        try await server.data.delete(["id": "1"], from: "Post")
        #expect(version == 1)
        try await server.data.forEachRecord { record in Issue.record("A record is left: \(record.members.count)") }
        try await server.close()
    }

    @Test func options() async throws {
        let schema = schema
        var options = ServerOptions(apiKeys: ["da2-key"], strategy: .automerge)
        options.strategies["Post"] = .optimisticConcurrency
        options.allowsIntrospection = false
        options.limits.requestByteCount = 256 << 10
        options.limits.maximumPage = 500
        let server = try await SyncServer.open(schema: schema, options: options, surroundings: surroundings) {
            InMemoryAdapter()
        }
        #expect(server.limits.maximumPage == 500)
        try await server.close()
    }

    @Test func verifying() async throws {
        let sessions = ["token-of-ann": "ann"]
        let options = ServerOptions(
            defaultMode: .userPools,
            verify: { credentials in
                guard let user = sessions[credentials.headers["authorization"] ?? ""] else {
                    return .refused("Sign in again.")
                }
                return .verified(Identity(.userPools, claims: ["sub": .string(user)]))
            })
        let credentials = Credentials(headers: ["authorization": "token-of-ann"])
        guard case .verified(let identity) = await options.verify(credentials) else {
            Issue.record("The token was refused.")
            return
        }
        #expect(identity.claims["sub"] == .string("ann"))
    }

    @Test func aConflictHandler() async throws {
        let options = ServerOptions(
            apiKeys: ["da2-key"], strategy: .handler,
            handler: { conflict in
                var item = conflict.newItem
                item["title"] = conflict.existingItem["title"]  // the first title stays
                return .resolve(item)
            })
        #expect(options.strategy == .handler)
    }

    @Test func aConnection() async throws {
        let server = try await SyncServer.open(
            schema: schema, options: ServerOptions(apiKeys: ["da2-key"]), surroundings: surroundings
        ) { InMemoryAdapter() }
        let connection = await server.connect(with: Credentials(headers: ["x-api-key": "da2-key"]))
        await connection.receive(Array(#"{"type": "connection_init"}"#.utf8))
        let frame = await connection.next()  // {"type":"connection_ack", …
        await connection.close()
        #expect(String(decoding: frame ?? [], as: UTF8.self).contains("connection_ack"))
        try await server.close()
    }

    @Test func anAPI() throws {
        let api = try apiSchema(of: [Source("type Post @model { title: String! }")])
        let text = "\(api)"  // type Post { …, with the queries, mutations, and subscriptions that a service has
        #expect(text.contains("createPost("))
    }

    @Test func afterARestore() async throws {
        let server = try await SyncServer.open(
            schema: schema, options: ServerOptions(apiKeys: ["da2-key"]), surroundings: surroundings
        ) { InMemoryAdapter() }
        let count = try await server.renewVersions()
        #expect(count == 0)
        try await server.close()
    }

    @Test func anotherSchema() async throws {
        try await withPath { path in
            let server = try await SyncServer.open(
                schema: schema, options: ServerOptions(apiKeys: ["da2-key"]), surroundings: surroundings
            ) { SQLiteAdapter(path: path) }
            let text = "type Post @model @auth(rules: [{ allow: public }]) { title: String! rating: Int }"
            try await server.change(to: [Source(text)])  // clients connect again, and the records are still there
            try await server.close()
        }
    }
}
