#if PostgreSQL
import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastPostgreSQL
import HoldfastStorage
import HoldfastTestSupport
import Testing

/// What depends on sessions, through a pool that has another one for each transaction.
///
/// One test at a time: some need the only session of a database, and the session that they had before.
@Suite(.serialized, .enabled(if: PostgreSQLServer.poolURL != nil, "\(PostgreSQLServer.poolAbsence)"))
struct PostgreSQLPoolingTests {
    private let schema = TestSchema()

    /// A handle through the pool.
    private func open(
        _ pooling: PostgreSQLConfiguration.Pooling = .transaction, database: String = "postgres",
        waitTimeout: Duration = .seconds(600), changeLogCommitCount: Int = 0, direct: String? = nil
    ) async throws -> Store {
        var configuration = schema.configuration(waitTimeout: waitTimeout)
        configuration.connectionString = "\(PostgreSQLServer.poolURL ?? "")&dbname=\(database)"
        configuration.changeLogCommitCount = changeLogCommitCount
        configuration.pooling = pooling
        configuration.directConnectionString = direct
        return try await Store.open(PostgreSQLAdapter(configuration), schema: StorageSchema(entities: [note]))
    }

    @Test func aPoolThatIsNotDeclaredIsRefused() async throws {
        let error = await storageError { _ = try await open(.off) }
        #expect(error?.kind == .misuse)
        #expect(error?.message.contains("pooling=transaction") == true)
    }

    /// Both handles prepare their statements in the one session that there is.
    @Test func sessionsThatAreNotKeptAreNoticed() async throws {
        let store = try await open(.session, database: "alone")
        try await store.put("Note", [noteRow("a")])
        let error = await storageError { _ = try await open(.session, database: "alone") }
        #expect(error?.kind == .misuse)
        #expect(error?.message.contains("pooling=transaction") == true)
        try await store.close()
    }

    @Test func directAddressesThatHaveNoUseAreRefused() async throws {
        let direct = PostgreSQLServer.url
        #expect(await storageError { _ = try await open(.session, direct: direct) }?.kind == .misuse)
        #expect(await storageError { _ = try await open(direct: PostgreSQLServer.poolURL) }?.kind == .misuse)
    }

    /// Commits that retry, statements that would be prepared, and two handles take turns in one session.
    @Test func oneSessionCarriesEverything() async throws {
        let stores = [try await open(database: "alone"), try await open(database: "alone")]
        try await stores[0].put("Note", [noteRow("n", nil, 0)])
        try await increment(stores, writerCount: 6, times: 5)
        #expect(try await stores[1].cells(QueryPlan("Note")) == [noteRow("n", nil, 30)])
        for store in stores { try await store.close() }
    }

    /// Repeats what a slow machine does not finish within the short time that a store waits.
    private func eventually<Success>(_ body: () async throws -> Success) async throws -> Success {
        try await PostgreSQLSuite.eventually(despite: [.busy], body)
    }

    /// A snapshot keeps the only session, so that nothing else can begin; nothing is in doubt, and nothing is kept.
    @Test func aPoolWithoutASessionLeftIsBusy() async throws {
        let waitTimeout = Duration.milliseconds(300)
        let store = try await eventually { try await open(database: "alone", waitTimeout: waitTimeout) }
        // Leaves two connections, so that work begins on one that is open, and then needs a new one.
        async let first = storageError { _ = try await store.records([RecordKey("a")], of: "Note") }
        async let second = storageError { _ = try await store.records([RecordKey("a")], of: "Note") }
        _ = await (first, second)
        let snapshot = try await eventually { try await store.snapshot() }
        for _ in 0..<3 {
            let error = await storageError { try await store.put("Note", [noteRow("a")]) }
            #expect(error?.kind == .busy)
            #expect(error?.message.contains("sessions") == true)
            #expect(error?.transaction != .outcomeUnknown)
        }
        #expect(await storageError { _ = try await store.records([RecordKey("a")], of: "Note") }?.kind == .busy)
        #expect(await storageError { _ = try await store.snapshot() }?.kind == .busy)
        #expect(await storageError { _ = try await open(database: "alone", waitTimeout: .zero) }?.kind == .busy)
        await snapshot.close()
        #expect(try await eventually { try await store.cells(QueryPlan("Note")) } == [])
        _ = try await eventually { try await store.put("Note", [noteRow("a")]) }
        try await store.close()
    }

    /// This also holds where connections keep their sessions.
    @Test func aPoolWithoutASessionForAConnectionIsBusy() async throws {
        let store = try await eventually {
            try await open(.session, database: "kept", waitTimeout: .milliseconds(300))
        }
        let snapshot = try await eventually { try await store.snapshot() }
        let error = await storageError { try await store.put("Note", [noteRow("a")]) }
        #expect(error?.kind == .busy)
        #expect(error?.message.contains("sessions") == true)
        await snapshot.close()
        _ = try await eventually { try await store.put("Note", [noteRow("a")]) }
        try await store.close()
    }

    /// The pool hands a session on when a transaction has ended, even if a part of the next batch is there already.
    @Test func largeCommitsFollowSnapshots() async throws {
        let store = try await open()
        let text = String(repeating: "long ", count: 400_000)
        for number in 0..<20 {
            try await store.withSnapshot { _ in }
            try await store.put("Note", [noteRow("n", text, Int64(number))])
        }
        #expect(try await store.cells(QueryPlan("Note")) == [noteRow("n", text, 19)])
        try await store.close()
    }

    @Test func locksAreWaitedForAsLongAsConfigured() async throws {
        let store = try await eventually { try await open(waitTimeout: .milliseconds(300)) }
        let session = try Session()
        _ = try await session.integer(#"BEGIN; LOCK TABLE "\#(schema.name)"."Note"; SELECT 1;"#)
        #expect(await storageError { try await store.put("Note", [noteRow("a")]) }?.kind == .busy)
        #expect(await storageError { _ = try await store.records([RecordKey("a")], of: "Note") }?.kind == .busy)
        _ = try await session.integer("COMMIT; SELECT 1;")
        _ = try await eventually { try await store.put("Note", [noteRow("a")]) }
        try await store.close()
    }

    /// The pool's sessions are set not to wait until commits are durable.
    ///
    /// A commit that is lost after others have seen it would give its sequence to another one, so that none is less
    /// durable than the server's default.
    @Test func durabilityDoesNotDependOnTheSession() async throws {
        let store = try await open(database: "careless")
        _ = try await Session().integer(
            """
            CREATE FUNCTION "\(schema.name)".look() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN
            IF current_setting('synchronous_commit') = 'off' THEN RAISE EXCEPTION 'not durable'; END IF;
            RETURN NEW; END$$;
            CREATE TRIGGER look AFTER INSERT ON "\(schema.name)"."Note" FOR EACH ROW
            EXECUTE FUNCTION "\(schema.name)".look();
            SELECT 1;
            """)
        try await store.put("Note", [noteRow("a")], durability: .powerLoss)
        try await store.put("Note", [noteRow("b")], durability: .processCrash)
        #expect(try await store.cells(QueryPlan("Note")) == [noteRow("a"), noteRow("b")])
        try await store.close()
    }

    /// After a failover, the pool may know the new server before its own address does.
    @Test func aServerThatIsOnlyReachedThroughThePoolIsUsed() async throws {
        let writer = try await open(changeLogCommitCount: 100)
        let reader = try await open(
            waitTimeout: .seconds(20), changeLogCommitCount: 100, direct: "postgresql://127.0.0.1:1/postgres")
        var feed = try await reader.changes()
        let receipt = try await writer.put("Note", [noteRow("a")])
        guard case .commits(let commits)? = try await feed.next() else {
            Issue.record("There are no commits.")
            return
        }
        #expect(commits.map(\.sequence) == [receipt.sequence])
        await feed.close()
        try await writer.close()
        try await reader.close()
    }

    /// A feed without notices looks once a second; a busy machine gets as many tries as it needs.
    @Test(arguments: [true, false]) func commitsOfOthersAreNoticed(directly: Bool) async throws {
        let writer = try await open(changeLogCommitCount: 100)
        let reader = try await open(changeLogCommitCount: 100, direct: directly ? PostgreSQLServer.url : nil)
        var feed = try await reader.changes()
        var fastest = Duration.seconds(60)
        for number in 0..<200 where number < 4 || directly && fastest >= .milliseconds(500) {
            let start = ContinuousClock.now
            let receipt = try await writer.put("Note", [noteRow("\(number)")])
            guard case .commits(let commits)? = try await feed.next() else {
                Issue.record("There are no commits.")
                return
            }
            #expect(commits.map(\.sequence) == [receipt.sequence])
            // The connection that listens is made when the feed first waits.
            if number > 2 { fastest = min(fastest, ContinuousClock.now - start) }
        }
        await feed.close()
        try await writer.close()
        try await reader.close()
    }
}
#endif
