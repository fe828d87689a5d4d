#if PostgreSQL && os(Linux)
import HoldfastAdapterTestSupport
import HoldfastConformance
@testable import HoldfastPostgreSQL
import HoldfastStorage
import HoldfastTestSupport
import Testing

extension PostgreSQLSuite {
    /// Connections that end, or servers that fall silent, while a commit is in progress and continues.
    @Suite(.serialized) struct DoubtTests {
        private let schema = TestSchema()
        private let proxy: SocketProxy
        private let session: Session
        /// Has no transaction open, within which it would see the same activity again and again.
        private let observer: Session

        init() throws {
            proxy = try SocketProxy()
            session = try Session()
            observer = try Session()
        }

        private func open(
            waitTimeout: Duration = .seconds(600), silenceTimeout: Duration = .seconds(600), connectSeconds: Int = 600
        ) async throws -> Store {
            // The last of several values counts.
            let configuration = PostgreSQLConfiguration(
                "\(proxy.url)&connect_timeout=\(connectSeconds)", schema: schema.name, waitTimeout: waitTimeout,
                silenceTimeout: silenceTimeout, changeLogCommitCount: 100)
            return try await eventually {
                try await Store.open(
                    PostgreSQLAdapter(configuration), schema: StorageSchema(entities: [note]))
            }
        }

        /// Repeats what a busy machine does not do in time.
        @discardableResult
        private func eventually<Success>(_ body: () async throws -> Success) async throws -> Success {
            try await PostgreSQLSuite.eventually(despite: [.connectionLost, .busy], body)
        }

        /// From now on, until the session's transaction ends, each commit that puts a note waits within its `COMMIT`.
        private func stallCommits() async throws {
            try await schema.stallCommits(of: "Note", by: session)
        }

        /// Waits until commits are stalled.
        private func reachStall() async throws {
            try await reach(
                1, "FROM pg_locks WHERE NOT granted AND locktype = 'advisory' AND objid = \(schema.stallLock)")
        }

        /// Waits until the given number of sessions wait for a lock of a type in statements that name the schema.
        private func reachWaiters(_ type: String, count: Int64 = 1) async throws {
            try await reach(
                count,
                "FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT l.granted "
                    + "AND l.locktype = '\(type)' AND a.query LIKE '%\(schema.name)%'")
        }

        private func reach(_ count: Int64, _ source: String) async throws {
            while try await observer.integer("SELECT count(*) \(source);") < count { await Task.yield() }
        }

        /// Ends the stall and waits until the commits that it held up have ended.
        private func endStall() async throws {
            _ = try await session.integer(
                "COMMIT; BEGIN; LOCK TABLE \"Note\" IN ACCESS EXCLUSIVE MODE; COMMIT; SELECT 1;")
        }

        @Test func aCommitThatStallsIsWaitedForAndMadeOnce() async throws {
            let store = try await open()
            let before = try await store.put("Note", [noteRow("a")])
            var feed = try await store.changes(after: before.sequence)
            try await stallCommits()
            let commit = Task { try await store.put("Note", [noteRow("b")], mode: .insert) }
            try await reachStall()
            proxy.dropClients()
            try await reachWaiters("transactionid")
            try await endStall()
            let receipt = try await commit.value
            #expect(receipt.putCount == 1)
            #expect(try await store.records([RecordKey("b")], of: "Note")[0].version == receipt.sequence)
            guard case .commits(let delivered)? = try await feed.next() else {
                Issue.record("The feed reports no commit.")
                return
            }
            #expect(delivered.map(\.sequence) == [receipt.sequence])
            // It was written again, so that the answer waited for what a commit waits for.
            let rewritten = try await observer.integer(
                """
                SELECT count(*) FROM "\(schema.name)".holdfast_commit AS c, "\(schema.name)".holdfast_store AS s
                WHERE c.sequence = \(receipt.sequence) AND c.xmin::text::int8 <> c.sequence - s.sequence_base;
                """)
            #expect(rewritten == 1)
            try await store.close()
        }

        @Test func aCommitThatStallsForTooLongHasAnUnknownOutcome() async throws {
            let store = try await open(waitTimeout: .milliseconds(300))
            try await eventually { try await store.put("Note", [noteRow("a")], mode: .upsert) }
            try await stallCommits()
            // Several records: the commit waits for other commits' records for a short time only.
            let commit = Task {
                await storageError { try await store.put("Note", [noteRow("b"), noteRow("c")], mode: .insert) }
            }
            try await reachStall()
            proxy.dropClients()
            let error = await commit.value
            #expect(error?.transaction == .outcomeUnknown)
            #expect(error?.kind == .connectionLost)
            try await endStall()
            let records = try await eventually {
                try await store.records([RecordKey("b")], of: "Note")
            }
            #expect(records[0].version > 0)
            try await store.close()
        }

        /// The first try has not written its token yet when its connection is lost, and continues before the second.
        @Test func aTryWhoseTokenWasTakenIsNeverMade() async throws {
            let store = try await open()
            try await store.put("Note", [noteRow("a")])
            _ = try await session.integer(
                """
                SET search_path = "\(schema.name)";
                BEGIN; LOCK TABLE "Note" IN ACCESS EXCLUSIVE MODE; SELECT 1;
                """)
            let commit = Task {
                try await store.put(
                    "Note", [noteRow("b")], mode: .insert, [.absent(entity: "Note", key: RecordKey("c"))])
            }
            try await reachWaiters("relation")
            proxy.dropClients()
            try await reachWaiters("relation", count: 2)
            _ = try await session.integer("COMMIT; SELECT 1;")
            let receipt = try await commit.value
            #expect(try await store.records([RecordKey("b")], of: "Note")[0].version == receipt.sequence)
            try await store.close()
        }

        @Test func aSilentServerBlocksNothingForever() async throws {
            let store = try await open(
                waitTimeout: .milliseconds(200), silenceTimeout: .seconds(2), connectSeconds: 2)
            try await eventually { try await store.put("Note", [noteRow("a")], mode: .upsert) }
            let snapshot = try await eventually { try await store.snapshot() }
            proxy.setFrozen(true)
            let read = await storageError { _ = try await snapshot.records([RecordKey("a")], of: "Note") }
            #expect(read?.kind == .connectionLost)
            let write = await storageError { try await store.put("Note", [noteRow("b")]) }
            #expect(write?.kind == .connectionLost)
            #expect(write?.transaction != .rolledBack)
            // What was held back must not be taken for the answer to another question.
            proxy.setFrozen(false)
            let late = await storageError { _ = try await snapshot.records([RecordKey("b")], of: "Note") }
            #expect(late?.kind == .connectionLost)
            let records = try await eventually {
                try await store.records([RecordKey("a")], of: "Note")
            }
            #expect(records[0].version > 0)
            proxy.setFrozen(true)
            try await store.close()
            proxy.setFrozen(false)
        }
    }

    @Suite struct PaceTests {
        @Test func onlyAServerThatAnswersQuicklyIsWaitedForInline() {
            var pace = PostgreSQLPace()
            #expect(pace.inlineWait == 1)
            pace.noteAnswer(after: .milliseconds(2))
            #expect(pace.inlineWait == 0)
            pace.noteAnswer(after: .microseconds(200))
            #expect(pace.inlineWait == 1)
        }

        @Test func onlyAnImmediateAnswerIsWaitedForOnTheCallersThread() {
            var pace = PostgreSQLPace()
            #expect(pace.busyWait > .zero)
            pace.noteAnswer(after: .microseconds(200))
            #expect(pace.busyWait == .zero)
            pace.noteAnswer(after: .microseconds(10))
            #expect(pace.busyWait > .zero)
        }

        @Test func otherTasksRunEveryMillisecond() {
            var pace = PostgreSQLPace()
            let start = ContinuousClock.now
            let yields = (0..<80).count { pace.yields(at: start + .microseconds(100 * $0)) }
            #expect(yields == 8)
        }
    }
}
#endif
