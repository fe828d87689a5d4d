#if PostgreSQL
import Foundation
import HoldfastAdapterKit
import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastPostgreSQL

extension PostgreSQLSuite {
    struct ChangeFeedTests {
        private static func configuration(
            _ schema: TestSchema, changeLogCommitCount: Int = 100
        ) -> PostgreSQLConfiguration {
            var configuration = schema.configuration()
            configuration.changeLogCommitCount = changeLogCommitCount
            return configuration
        }

        private static func open(_ schema: TestSchema, changeLogCommitCount: Int = 100) async throws -> Store {
            try await Store.open(
                PostgreSQLAdapter(configuration(schema, changeLogCommitCount: changeLogCommitCount)),
                schema: StorageSchema(entities: [note]))
        }

        private static func sequences(_ news: ChangeFeedElement?) -> [UInt64]? {
            guard case .commits(let commits)? = news else { return nil }
            return commits.map(\.sequence)
        }

        @Test func aStoreWithoutALogRefusesFeeds() async throws {
            let store = try await Self.open(TestSchema(), changeLogCommitCount: 0)
            #expect(await storageError { _ = try await store.changes() }?.kind == .unsupported)
            #expect(store.capabilities.support(for: .changeFeed) == .unsupported)
            try await store.close()
        }

        /// Without a notice a feed would look for itself, once a second.
        @Test func aNoticeReachesTheFeedsOfOtherHandles() async throws {
            let schema = TestSchema()
            let writer = try await Self.open(schema)
            let reader = try PostgreSQLStore(
                Self.configuration(schema), OpenRequest(schema: StorageSchema(entities: [note])))
            var feed = try await reader.changes(after: nil)
            let first = try await writer.put("Note", [noteRow("first")])
            #expect(Self.sequences(try await feed.next()) == [first.sequence])
            // The connection that listens is made meanwhile, and learns nothing of earlier commits.
            let start = ContinuousClock.now
            let signal = try #require(reader.changeSignal)
            while signal.sequence < first.sequence, ContinuousClock.now - start < .seconds(600) {
                let receipt = try await writer.put("Note", [noteRow("other")])
                #expect(Self.sequences(try await feed.next()) == [receipt.sequence])
            }
            #expect(signal.sequence >= first.sequence)
            try await writer.close()
            await reader.close()
            #expect(try await feed.next() == nil)
        }

        /// The channel is open to everyone; a feed that believed the number would look again and again from then on.
        @Test func aNoticeOfACommitThatDoesNotExistIsForgotten() async throws {
            let schema = TestSchema()
            let store = try PostgreSQLStore(
                Self.configuration(schema), OpenRequest(schema: StorageSchema(entities: [note])))
            let idle = try await store.changes(after: nil)
            let session = try Session()
            let claimed: UInt64 = 9_000_000_000_000_000_000
            let waiting = Task {
                var feed = idle
                return try await feed.next()
            }
            // The feed begins to listen with its first look.
            let start = ContinuousClock.now
            let listeners =
                "SELECT count(*) FROM pg_stat_activity WHERE query = 'LISTEN \"\(schema.name)\"' AND state = 'idle';"
            while try await session.integer(listeners) == 0, ContinuousClock.now - start < .seconds(600) {}
            _ = try await session.integer("NOTIFY \"\(schema.name)\", '\(claimed)'; SELECT 1;")
            // It is woken at once, looks, and finds nothing.
            let signal = try #require(store.changeSignal)
            while signal.announcementCount == 0 || signal.sequence == claimed,
                ContinuousClock.now - start < .seconds(120)
            {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(signal.announcementCount > 0)
            #expect(signal.sequence < claimed)
            let writer = try await Self.open(schema)
            let receipt = try await writer.put("Note", [noteRow("a")])
            #expect(Self.sequences(try await waiting.value) == [receipt.sequence])
            try await writer.close()
            await store.close()
        }

        @Test func commitsOfAHandleWithoutALogAreReportedAsAGap() async throws {
            let schema = TestSchema()
            let old = try await Self.open(schema, changeLogCommitCount: 0)
            let first = try await old.put("Note", [noteRow("a")])
            let store = try await Self.open(schema)
            let second = try await store.put("Note", [noteRow("b")])
            let third = try await old.put("Note", [noteRow("c")])
            let later = try await Self.open(schema, changeLogCommitCount: 0)
            let fourth = try await later.put("Note", [noteRow("d")])
            var feed = try await store.changes(after: 0)
            #expect(try await feed.next() == .gap(through: first.sequence))
            #expect(Self.sequences(try await feed.next()) == [second.sequence])
            #expect(try await feed.next() == .gap(through: third.sequence))
            #expect(Self.sequences(try await feed.next()) == [fourth.sequence])
            for store in [old, store, later] { try await store.close() }
        }

        /// A commit with a smaller number that is still in progress must be reported first.
        @Test func aCommitIsDeliveredWhenAllBeforeItHaveEnded() async throws {
            let schema = TestSchema()
            let store = try await Self.open(schema)
            try await store.put("Note", [noteRow("a")])
            var feed = try await store.changes()
            let session = try Session()
            let early = try await session.integer(
                """
                BEGIN; INSERT INTO "\(schema.name)".holdfast_commit (sequence, token, put_count, changes)
                SELECT pg_current_xact_id()::text::int8, 'early', 0, changes
                FROM "\(schema.name)".holdfast_commit LIMIT 1 RETURNING sequence;
                """)
            let late = try await store.put("Note", [noteRow("b")])
            let pending = feed
            let gate = Gate()
            let delivered = Task { () async throws -> [ChangeFeedElement?] in
                var feed = pending
                gate.open()
                var news = [try await feed.next()]
                while news.flatMap({ Self.sequences($0) ?? [] }).count < 2 { news.append(try await feed.next()) }
                return news
            }
            // The feed looks at the log meanwhile, and nothing says so when there is nothing to report.
            await gate.wait()
            try await Task.sleep(for: .milliseconds(200))
            _ = try await session.integer("COMMIT; SELECT 1;")
            let sequences = try await delivered.value.flatMap { Self.sequences($0) ?? [] }
            #expect(sequences == [UInt64(early), late.sequence])
            await feed.close()
            try await store.close()
        }

        @Test func aTransactionThatHasNothingToDoWithTheStoreHoldsUpNothing() async throws {
            let store = try await Self.open(TestSchema())
            var feed = try await store.changes()
            let session = try Session()
            let number = try await session.integer("BEGIN; SELECT pg_current_xact_id()::text::int8;")
            let receipt = try await store.put("Note", [noteRow("a")])
            #expect(receipt.sequence > UInt64(number))
            #expect(Self.sequences(try await feed.next()) == [receipt.sequence])
            try await store.close()
        }
    }
}
#endif
