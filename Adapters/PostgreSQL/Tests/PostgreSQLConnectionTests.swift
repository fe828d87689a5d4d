#if PostgreSQL
import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastPostgreSQL

extension PostgreSQLSuite {
    @Suite struct ConnectionTests {
        #if os(Linux)
        @Test func requestToCancelThatIsNotReadSendsNoSignal() throws {
            let proxy = try SocketProxy()
            let connection = try PostgreSQLConnection(PostgreSQLConfiguration(proxy.url))
            // Whether the server closes a connection before or after the request differs.
            proxy.refuse(Array(repeating: SocketProxy.Refusal(isUnread: true), count: 1_000))
            #expect(!raisesBrokenPipe { while proxy.refusalCount > 0 { connection.cancel() } })
        }

        /// The proxy never passes on that the server has closed a connection, which is the answer to the request.
        @Test(arguments: [false, true])
        func aRequestToCancelThatIsNotAnsweredHoldsUpNothingForever(answersStatement: Bool) async throws {
            let (proxy, schema) = (try SocketProxy(), TestSchema())
            var configuration = PostgreSQLConfiguration(
                proxy.url, schema: schema.name, waitTimeout: .seconds(600),
                silenceTimeout: answersStatement ? .seconds(600) : .seconds(10))
            // The statement itself may take until the task is cancelled.
            if answersStatement { configuration.cancelTimeout = .seconds(1) }
            let store = try await Store.open(
                PostgreSQLAdapter(configuration), schema: StorageSchema(entities: [note]))
            let snapshot = try await store.snapshot()
            let (holder, observer) = (try Session(), try Session())
            let table = "\"\(schema.name)\".\"Note\""
            _ = try await holder.integer("BEGIN; LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE; SELECT 1;")
            let waiterCount = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '\(table)'::regclass;"
            #expect(try await observer.integer(waiterCount) == 0)
            let task = Task { try await snapshot.count("Note") }
            while try await observer.integer(waiterCount) == 0 { await Task.yield() }
            proxy.setFrozen(!answersStatement)
            task.cancel()
            let error = await storageError { _ = try await task.value }
            let kind: StorageError.Kind = answersStatement ? .cancelled : .connectionLost
            #expect(error?.kind == kind)
            // The request might still arrive, and end what comes next.
            let late = await storageError { _ = try await snapshot.count("Note") }
            #expect(late?.kind == .connectionLost)
            await snapshot.close()
            try await store.close()
            proxy.setFrozen(false)
        }
        #endif

        /// Connections that a moment of load needs serve the next one, though fewer are kept without use.
        @Test func connectionsOfAMomentAreThereForTheNext() async throws {
            let schema = TestSchema()
            var configuration = schema.configuration()
            configuration.surplusInterval = .seconds(600)
            let store = try await Store.open(
                PostgreSQLAdapter(configuration), schema: StorageSchema(entities: [note]))
            /// The sum of the numbers of the server's processes that six snapshots have.
            func processes() async throws -> Int64 {
                let snapshots = try await withThrowingTaskGroup(of: StoreSnapshot.self) { group in
                    for _ in 0..<6 { group.addTask { try await store.snapshot() } }
                    return try await group.reduce(into: [StoreSnapshot]()) { $0.append($1) }
                }
                let sum = try await Self.processes(of: schema)
                for snapshot in snapshots { await snapshot.close() }
                return sum
            }
            let first = try await processes()
            for _ in 0..<3 { #expect(try await processes() == first) }
            try await store.close()
        }

        @Test func aPageThatIsCancelledBeforeItIsSentKeepsItsConnection() async throws {
            let schema = TestSchema()
            let adapter = PostgreSQLAdapter(schema.configuration())
            let store = try await Store.open(adapter, schema: StorageSchema(entities: [note]))
            func process() async throws -> Int64 {
                let snapshot = try await store.snapshot()
                let process = try await Self.processes(of: schema)
                await snapshot.close()
                return process
            }
            let first = try await process()
            let query = try store.schema.bind(QueryPlan("Note"))
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                var rows = RowBuffer()
                try await adapter.page(query, into: &rows)
            }
            #expect(await storageError { try await task.value }?.kind == .cancelled)
            #expect(try await process() == first)
            try await store.close()
        }

        /// The sum of the numbers of the server's processes that have snapshots of a store.
        private static func processes(of schema: TestSchema) async throws -> Int64 {
            try await Session().integer(
                """
                SELECT sum(DISTINCT pid) FROM pg_locks
                WHERE relation = '"\(schema.name)".holdfast_commit'::regclass;
                """)
        }

        /// What an administrator sets for a user comes in the same way as what the address asks for.
        @Test(arguments: [nil, Duration.seconds(7)]) func theTimeoutOfTheServerStaysWithoutAnother(
            configured: Duration?
        ) throws {
            var configuration = TestSchema().configuration()
            configuration.connectionString += "&options=-c%20statement_timeout%3D54321"
            configuration.statementTimeout = configured
            let connection = try PostgreSQLPool.connect(configuration)
            let setting = try connection.run("SELECT current_setting('statement_timeout')").text(0, 0)
            #expect(setting == (configured == nil ? "54321ms" : "7s"))
        }

        /// The server of the tests has no TCP, where it would show the values; it says only that they were set.
        @Test func theServerProbesConnections() throws {
            let connection = try PostgreSQLPool.connect(TestSchema().configuration())
            let count = try connection.run(
                "SELECT count(*)::int8 FROM pg_catalog.pg_settings "
                    + "WHERE name LIKE 'tcp_keepalives_%' AND source = 'session'"
            ).integer(0, 0)
            #expect(count == 3)
        }
    }
}
#endif
