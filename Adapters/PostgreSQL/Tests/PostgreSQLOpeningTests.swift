#if PostgreSQL && os(Linux)
import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastPostgreSQL
import HoldfastStorage
import HoldfastTestSupport
import Testing

extension PostgreSQLSuite {
    /// Servers that are not ready when a store is opened.
    @Suite struct OpeningTests {
        private let schema = TestSchema()
        private let proxy: SocketProxy

        init() throws { proxy = try SocketProxy() }

        private func open(
            waitTimeout: Duration = .seconds(600), pooling: PostgreSQLConfiguration.Pooling = .off
        ) async throws -> Store {
            try await Store.open(
                PostgreSQLAdapter(
                    PostgreSQLConfiguration(
                        proxy.url, schema: schema.name, waitTimeout: waitTimeout, pooling: pooling)),
                schema: StorageSchema(entities: [note]))
        }

        /// One by the rights of the user, or on a server that takes no writes, as a replica.
        @Test(arguments: [false, true], [PostgreSQLConfiguration.Pooling.off, .transaction])
        func aHandleThatCannotWriteOpensAStoreWithoutALog(
            isReplica: Bool, pooling: PostgreSQLConfiguration.Pooling
        ) async throws {
            let schema = TestSchema()
            var configuration = schema.configuration()
            configuration.pooling = pooling
            configuration.changeLogCommitCount = 0
            let notes = try StorageSchema(entities: [note])
            let writer = try await Store.open(PostgreSQLAdapter(configuration), schema: notes)
            try await writer.put("Note", [noteRow("a")])
            try await writer.close()
            if isReplica {
                configuration.connectionString += "&options=-c%20default_transaction_read_only%3Don"
            } else {
                let role = "reader_" + schema.name
                _ = try await Session().integer(
                    """
                    CREATE ROLE "\(role)" LOGIN;
                    GRANT USAGE ON SCHEMA "\(schema.name)" TO "\(role)";
                    GRANT SELECT ON ALL TABLES IN SCHEMA "\(schema.name)" TO "\(role)";
                    SELECT 1;
                    """)
                configuration.connectionString += "&user=\(role)"
            }
            configuration.changeLogCommitCount = 1_000
            let adapter = PostgreSQLAdapter(configuration)
            let reader = try await Store.open(adapter, schema: notes)
            #expect(adapter.timeline != nil)
            #expect(try await reader.cells(QueryPlan("Note")) == [noteRow("a")])
            #expect(await storageError { _ = try await reader.changes() }?.kind == .unsupported)
            let error = await storageError { try await reader.put("Note", [noteRow("b")]) }
            #expect(error?.kind == (isReplica ? .readOnly : .io))
            try await reader.close()
        }

        @Test(arguments: [
            SocketProxy.Refusal(), SocketProxy.Refusal(isBehindLogin: true),
            SocketProxy.Refusal(state: "57P03", message: "the database system is starting up"),
            SocketProxy.Refusal(state: "57P03", message: "das Datenbanksystem startet"),
            SocketProxy.Refusal(
                state: "08P01", message: "server login has been failing, try again later (server_login_retry)",
                isBehindLogin: true),
            SocketProxy.Refusal(state: "08P01", message: "query_wait_timeout", isBehindLogin: true),
        ])
        func aServerThatStartsIsWaitedFor(refusal: SocketProxy.Refusal) async throws {
            proxy.refuse(Array(repeating: refusal, count: 3))
            let store = try await open()
            #expect(proxy.refusalCount == 0)
            try await store.put("Note", [noteRow("a")])
            try await store.close()
        }

        @Test func aServerThatNeverStartsIsGivenUp() async throws {
            let starting = SocketProxy.Refusal(state: "57P03", message: "the database system is starting up")
            proxy.refuse(Array(repeating: starting, count: 100_000))
            let error = await storageError { _ = try await open(waitTimeout: .milliseconds(50)) }
            #expect(error?.kind == .connectionLost)
            #expect(error?.message.contains("starting") == true)
            proxy.refuse([])
            try await open().close()
        }

        @Test(arguments: [PostgreSQLConfiguration.Pooling.session, .transaction])
        func aPoolThatHasWaitedForASessionItselfIsBusy(pooling: PostgreSQLConfiguration.Pooling) async throws {
            let waited = SocketProxy.Refusal(state: "08P01", message: "query_wait_timeout", isBehindLogin: true)
            proxy.refuse([waited])
            let error = await storageError { _ = try await open(waitTimeout: .zero, pooling: pooling) }
            #expect(error?.kind == .busy)
            #expect(error?.message.contains("sessions") == true)
        }

        @Test func aTaskThatOpensMayStopWaiting() async throws {
            proxy.refuse(Array(repeating: SocketProxy.Refusal(), count: 100_000))
            let opening = Task { await storageError { _ = try await open() } }
            while proxy.refusalCount == 100_000 { await Task.yield() }
            opening.cancel()
            #expect(await opening.value?.kind == .cancelled)
        }

        @Test func aRefusedLoginIsNotTriedAgain() async throws {
            let refusal = SocketProxy.Refusal(state: "28P01", message: "password authentication failed")
            proxy.refuse([refusal, refusal])
            #expect(await storageError { _ = try await open() }?.kind == .io)
            #expect(proxy.refusalCount == 1)
        }

        /// libpq logs in a second time to learn the SQLSTATE.
        @Test(arguments: [
            ("28P01", "Passwort-Authentifizierung fehlgeschlagen"), ("3D000", "Datenbank existiert nicht"),
            ("42501", "permission denied for database"),
        ])
        func aLoginRefusedInOtherWordsIsNotTriedAgain(state: String, message: String) async throws {
            proxy.refuse(Array(repeating: SocketProxy.Refusal(state: state, message: message), count: 100))
            #expect(await storageError { _ = try await open() }?.kind == .io)
            #expect(proxy.refusalCount == 98)
        }
    }
}
#endif
