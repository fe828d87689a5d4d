#if PostgreSQL
import HoldfastAdapterTestSupport
import HoldfastConformance
@testable import HoldfastPostgreSQL
import HoldfastStorage
import HoldfastTestSupport
import Testing

extension PostgreSQLSuite {
    /// Which commits wait for each other.
    @Suite(.serialized) struct LockTests {
        private static let child = EntitySchema(
            "Child", fields: [FieldSchema("id", .id), FieldSchema("parent", .string), FieldSchema("text", .string)],
            indexes: [IndexSchema("byParent", on: ["parent", "text"])])

        /// An entity with many indexes.
        private static let wide = EntitySchema(
            "Wide", fields: [FieldSchema("id", .id)] + (1..<6).map { FieldSchema("f\($0)", .int) },
            indexes: (1..<6).map { IndexSchema("by\($0)", on: ["f\($0)"]) })

        private let schema = TestSchema()
        private let session: Session
        private let observer: Session
        private let store: Store

        init() async throws {
            session = try Session()
            observer = try Session()
            // A commit that waits although it must not fails at the end of that time, and ends the test.
            let adapter = PostgreSQLAdapter(schema.configuration(waitTimeout: .seconds(600)))
            store = try await Store.open(adapter, schema: StorageSchema(entities: [Self.child, Self.wide]))
        }

        /// How a commit can depend on what is not there.
        enum Dependence: CaseIterable {
            case deletion, absence, index

            /// A commit that depends on a record, or on its parent.
            func request(_ id: String, of parent: String, since: UInt64) -> CommitRequest {
                let other = WriteOperation.put(
                    entity: "Child", rows: RowBuffer(row: [.text("other \(id)"), .text("other"), .null]), mode: .upsert)
                return switch self {
                case .deletion: CommitRequest(operations: [.delete(entity: "Child", keys: [RecordKey(id)])])
                case .absence:
                    CommitRequest(preconditions: [.absent(entity: "Child", key: RecordKey(id))], operations: [other])
                case .index:
                    CommitRequest(
                        preconditions: [
                            .unchanged(
                                KeyRange("Child", under: IndexPrefix("byParent", [.text(parent)])), since: since)
                        ], operations: [other])
                }
            }
        }

        /// A commit that depends on one record waits for the put of that record, and then knows of it.
        @Test(arguments: Dependence.allCases)
        func commitsThatDependOnPutRecordsWait(_ dependence: Dependence) async throws {
            let since = try await store.put("Child", [[.text("first"), .text("q"), .null]]).sequence
            try await stallCommits()
            let put = Task { [store] in try await store.put("Child", [[.text("slow"), .text("p"), .null]]) }
            try await reachStall()
            let dependent = Task { [store] in
                try await store.commit(dependence.request("slow", of: "p", since: since))
            }
            try await reachWaiter()
            try await release()
            let sequence = try await put.value.sequence
            switch (dependence, await dependent.result) {
            case (.deletion, .success(let receipt)):
                #expect(receipt.deletedCount == 1)
                #expect(receipt.sequence > sequence)
            case (.absence, .failure(let error)), (.index, .failure(let error)):
                #expect((error as? StorageError)?.kind == .preconditionFailed)
            case (_, let outcome): Issue.record("\(dependence): \(outcome)")
            }
            try await store.close()
        }

        /// Other records do not matter, nor other parents; one of several may share a lock by accident.
        @Test(arguments: Dependence.allCases)
        func commitsThatDependOnOtherRecordsDoNotWait(_ dependence: Dependence) async throws {
            let rows = (0..<4).map { [Value.text("c\($0)"), .text("p\($0)"), .null] }
            let since = try await store.put("Child", rows).sequence
            try await stallCommits()
            let put = Task { [store] in try await store.put("Child", [[.text("slow"), .text("p"), .null]]) }
            try await reachStall()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<4 {
                    let (id, parent) = dependence == .deletion ? ("c\(number)", "") : ("n\(number)", "n\(number)")
                    group.addTask { [store] in
                        _ = try await store.commit(dependence.request(id, of: parent, since: since))
                    }
                }
                try await group.next()
                try await release()
                try await group.waitForAll()
            }
            _ = try await put.value
            try await store.close()
        }

        /// A commit that relies on an index locks out commits that give a record that value, and no others.
        @Test func putsWaitForCommitsThatDependOnTheirValue() async throws {
            let since = try await store.put("Child", [[.text("c"), .text("p"), .null]]).sequence
            try await stallCommits()
            let relying = Task { [store] in
                let prefix = IndexPrefix("byParent", [.text("p")], keys: [RecordKey("c")])
                try await store.put(
                    "Child", [[.text("slow"), .text("q"), .null]],
                    [.unchanged(KeyRange("Child", under: prefix), since: since)])
            }
            try await reachStall()
            let put = Task { [store] in try await store.put("Child", [[.text("n"), .text("p"), .null]]).sequence }
            try await reachWaiter()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<4 {
                    group.addTask { [store] in
                        _ = try await store.put("Child", [[.text("n\(number)"), .text("r\(number)"), .null]])
                    }
                }
                try await group.next()
                try await release()
                try await group.waitForAll()
            }
            try await relying.value
            _ = try await put.value
            #expect(try await store.cells(QueryPlan("Child")).count == 7)
            try await store.close()
        }

        /// The snapshot of the save is older than the deletion that it waits for.
        @Test(arguments: [1, 3])
        func aSaveThatWaitedForADeletionDoesNotBringTheRecordBack(_ count: Int) async throws {
            let rows = (0..<count).map { [Value.text("c\($0)"), .text("p"), .null] }
            let version = try await store.put("Child", rows).sequence
            try await stallCommits()
            let deletion = Task { [store] in
                let slow = RowBuffer(row: [.text("slow"), .text("q"), .null])
                _ = try await store.commit(
                    CommitRequest(operations: [
                        .delete(entity: "Child", keys: [RecordKey("c0")]),
                        .put(entity: "Child", rows: slow, mode: .upsert),
                    ]))
            }
            try await reachStall()
            let save = Task { [store] in
                let conditions = (0..<count).map {
                    Precondition.version(entity: "Child", key: RecordKey("c\($0)"), version)
                }
                return await storageError { try await store.put("Child", rows, conditions) }
            }
            try await reachWaiter()
            try await release()
            try await deletion.value
            let error = await save.value
            #expect(error?.kind == .preconditionFailed)
            #expect(error?.position == .precondition(0))
            #expect(try await store.records([RecordKey("c0")], of: "Child")[0].version == 0)
            try await store.close()
        }

        /// The record was absent when that was checked; the insert waits for the commit that is about to put it.
        @Test func anInsertThatWasTooLateFailsByItsPrecondition() async throws {
            try await stallCommits()
            let insert: @Sendable () async throws -> Void = { [store] in
                _ = try await store.put(
                    "Child", [[.text("slow"), .text("p"), .null]], mode: .insert,
                    [.absent(entity: "Child", key: RecordKey("slow"))])
            }
            let first = Task { try await insert() }
            try await reachStall()
            let second = Task { await storageError(insert) }
            try await reach(
                "FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT l.granted "
                    + "AND l.locktype = 'transactionid' AND a.query LIKE '%\(schema.name)%'")
            try await release()
            try await first.value
            let error = await second.value
            #expect(error?.kind == .preconditionFailed)
            #expect(error?.position == .precondition(0))
            try await store.close()
        }

        /// Many keys and values take the tables instead, so that the server has room for the locks of all commits.
        @Test func aCommitOfManyRecordsTakesFewLocks() async throws {
            try await stallCommits()
            let rows = (0..<2_000).map { row in
                [Value.text("w\(row)")] + (1..<6).map { Value.integer(Int64(row * $0)) }
            }
            let put = Task { [store] in
                try await store.commit(
                    CommitRequest(operations: [
                        .put(entity: "Wide", rows: RowBuffer(rows), mode: .upsert),
                        .put(entity: "Child", rows: RowBuffer(row: [.text("slow"), .null, .null]), mode: .upsert),
                    ]))
            }
            try await reachStall()
            let locked =
                "FROM pg_locks WHERE relation = '\"\(schema.name)\".\"Wide\"'::regclass AND mode = 'ExclusiveLock'"
            #expect(try await observer.integer("SELECT count(*) \(locked);") == 1)
            let granted = try await observer.integer(
                "SELECT count(*) FROM pg_locks WHERE granted AND locktype = 'advisory' AND pid IN (SELECT pid \(locked));"
            )
            #expect(granted == 0)
            try await release()
            #expect(try await put.value.putCount == 2_001)
            try await store.close()
        }

        // MARK: Commits that stall

        /// From now on, until ``release()``, each commit that creates the child `slow` waits within its `COMMIT`.
        private func stallCommits() async throws {
            try await schema.stallCommits(of: "Child", where: "NEW.id = 'slow'", by: session)
        }

        private func release() async throws { _ = try await session.integer("COMMIT; SELECT 1;") }

        /// Waits until a commit is stalled.
        private func reachStall() async throws {
            try await reach("FROM pg_locks WHERE NOT granted AND locktype = 'advisory' AND objid = \(schema.stallLock)")
        }

        /// Waits until another commit waits for a lock, and checks that it has no number yet.
        private func reachWaiter() async throws {
            let waiters =
                "FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT l.granted AND l.locktype = 'advisory' "
                + "AND l.objid <> \(schema.stallLock) AND a.query LIKE '%\(schema.name)%'"
            try await reach(waiters)
            let numbered = try await observer.integer(
                "SELECT count(*) \(waiters) AND EXISTS (SELECT 1 FROM pg_locks n WHERE n.pid = l.pid "
                    + "AND n.locktype = 'transactionid');")
            #expect(numbered == 0)
        }

        private func reach(_ source: String) async throws {
            while try await observer.integer("SELECT count(*) \(source);") == 0 {}
        }
    }
}
#endif
