#if SQLite
import Foundation
import HoldfastAdapterTestSupport
import HoldfastAmplifyImport
import HoldfastEngine
import HoldfastInMemory
import HoldfastModel
import HoldfastSQLite
import HoldfastSQLiteTestSupport
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite struct AmplifyStoreFileTests {
    static let models: [any Model.Type] = [Blog.self, Post.self, Sample.self, Order.self, OrderLine.self]

    /// The stores that records are imported into.
    enum Target: CaseIterable, Sendable {
        case memory, sqlite

        func open() async throws -> DataStore {
            switch self {
            case .memory: try await DataStore.open(InMemoryAdapter(), models: models)
            case .sqlite: try await DataStore.open(SQLiteAdapter(.temporary), models: models)
            }
        }
    }

    /// Imports a file into a store for the time of a closure.
    static func importing(
        _ path: String, into target: Target = .memory, batchSize: Int = 2,
        _ body: (DataStore, ImportReport) async throws -> Void
    ) async throws {
        let file = try await AmplifyStoreFile.open(path: path)
        let store = try await target.open()
        let report = try await store.importRecords(from: file, batchSize: batchSize)
        await file.close()
        try await body(store, report)
        try await store.close()
    }

    // MARK: - Records

    @Test(arguments: Target.allCases) func everyKindOfFieldIsImported(target: Target) async throws {
        let fixture = AmplifyFixture()
        fixture.run(
            """
            insert into Sample (id, "count", "day", flag, instant, numbers, place, ratio, seconds, status, statuses,
              "text", "time") values
             ('a', -9007199254740993, '2024-05-06Z', 1, '2024-05-06T13:14:15.500Z', '[1,null,-2]',
              '{"city":"Ulm","zip":89073}', 1.5, 1700000000, 'DRAFT', '["DRAFT","PUBLISHED"]',
              'e\u{301}|"#"''', '13:14:15.123+02:00'),
             ('b', null, null, null, null, null, null, null, null, null, null, null, null),
             ('c', 0, '2024-02-29+02:00', 0, '2024-05-06T13:14:15.000-07:00', '[]', '{}', 2, -1, 'UNKNOWN', '[]', '',
              '00:00:00.000Z');
            """)
        try await Self.importing(fixture.path, into: target) { (store, report) async throws in
            #expect(report.rejections == [])
            #expect(report.model(named: "Sample")?.importedCount == 3)
            let full = try #require(try await store.query(Sample.self, byId: "a"))
            #expect(full.text.map { Array($0.utf8) } == Array("e\u{301}|\"#\"'".utf8))
            #expect(full.count == -9_007_199_254_740_993)
            #expect(full.ratio == 1.5 && full.flag == true && full.seconds == 1_700_000_000)
            #expect(full.day?.iso8601String == "2024-05-06Z")
            #expect(full.time?.iso8601String == "13:14:15.123+02:00")
            #expect(full.instant == (try Temporal.DateTime(iso8601String: "2024-05-06T13:14:15.500Z")))
            #expect(full.status == .draft && full.statuses == [.draft, .published])
            #expect(full.place == Place(city: "Ulm", zip: 89073))
            #expect(full.numbers == [1, nil, -2])
            let empty = try #require(try await store.query(Sample.self, byId: "b"))
            #expect(empty.text == nil && empty.numbers == nil && empty.place == nil && empty.instant == nil)
        }
    }

    @Test(arguments: Target.allCases) func compositeKeysAndTheirRelationsAreImported(target: Target) async throws {
        let fixture = AmplifyFixture()
        fixture.run(
            """
            insert into "Order" values ('"Ulm"#"7"', 'Ulm', 7, 'n'), ('"a"#"b"#"8"', 'a"#"b', 8, null);
            insert into OrderLine values ('l1', 't', '"Ulm"#"7"'), ('l2', 't', '"a"#"b"#"8"');
            """)
        fixture.metadata("Order|\"Ulm\"#\"7\"", 3)
        fixture.metadata("Order|\"a\"#\"b\"#\"8\"", 4)
        fixture.metadata("Order|\"gone\"#\"9\"", 5, deleted: true)
        fixture.mutation("Order", "\"Ulm\"#\"7\"", "update", second: 1)
        fixture.mutation("Order", "\"a\"#\"b\"#\"8\"", "update", second: 2)
        fixture.mutation("Order", "\"left\"#\"1\"", "delete", second: 3, version: 6)
        // The same records in another spelling.
        fixture.mutation("Order", "\"left\"#\"01\"", "delete", second: 4, version: 6)
        fixture.metadata("Order|\"gone\"#\"09\"", 5, deleted: true)
        try await Self.importing(fixture.path, into: target, batchSize: 10) { (store, report) async throws in
            #expect(try await store.query(Order.self).map(\.number) == [7, 8])
            let line = try #require(try await store.query(OrderLine.self, byId: "l1"))
            #expect(try await line.order.note == "n")
            let entries = try await store.outboxEntries()
            #expect(entries.map(\.key) == ["Ulm#7", "a\"\\#\"b#8", "left#1"])
            #expect(entries.map(\.baseVersion) == [3, 4, 6])
            #expect(entries.map(\.operation) == [.update, .update, .delete])
            let metadata = try await store.recordMetadata(["Ulm#7", "a\"\\#\"b#8", "gone#9"], of: "Order")
            #expect(metadata.map { $0?.version } == [3, 4, 5])
            #expect(metadata.map { $0?.isDeleted } == [false, false, true])
            // The second order's identifier does not say where its parts end, so the line cannot say which it is.
            #expect(try await store.query(OrderLine.self).map(\.id) == ["l1"])
            let expected = "'OrderLine.orderShop' holds what its type cannot have been stored as."
            #expect(report.rejections.map(\.reason) == [expected])
            #expect(report.rejections.map(\.positions) == [[2]])
        }
    }

    @Test func whatDoesNotFitIsReported() async throws {
        let fixture = AmplifyFixture()
        fixture.run(
            """
            create table "Retired" ("id" text primary key not null);
            insert into "Retired" values ('r');
            alter table "Blog" add column "colour" text;
            alter table "Post" drop column "rating";
            drop table "OrderLine";
            insert into Blog (id, name) values ('b', 'n');
            insert into Post (id, title, tags, status, createdAt, blogID) values
             ('good', 't', '["x"]', null, null, 'b'), ('tags', 't', '["x"', null, null, null),
             ('object', 't', '{"x":1}', null, null, null), ('number', 't', '[1]', null, null, null),
             ('date', 't', null, null, 'yesterday', null), ('blob', x'ff', null, null, null, null),
             ('nul', 't' || char(0), null, null, null, null);
            """)
        try await Self.importing(fixture.path) { (store, report) async throws in
            #expect(report.unknownEntities == ["Retired"])
            #expect(report.absentModels == ["OrderLine"])
            #expect(report.model(named: "Blog")?.unknownFields == ["colour"])
            #expect(report.model(named: "Post")?.absentFields == ["rating"])
            #expect(try await store.query(Post.self).map(\.id) == ["good"])
            #expect(report.rejections.flatMap(\.positions).sorted() == [2, 3, 4, 5, 6, 7])
            let text = report.rejections.map(\.reason).joined()
            for value in ["yesterday", "\"x\"", "object"] { #expect(!text.contains(value)) }
            for field in ["'Post.tags'", "'Post.createdAt'", "'Post.title'"] { #expect(text.contains(field)) }
        }
    }

    // MARK: - What belongs to records

    @Test(arguments: Target.allCases)
    func versionsTombstonesAndUnsentChangesAreImported(target: Target) async throws {
        let fixture = AmplifyFixture()
        fixture.run(
            """
            insert into Blog values ('b|1', 'n');
            insert into Post (id, title, blogID) values ('made', 't', 'b|1'), ('changed', 't', null),
             ('sent', 't', null), ('still', 't', null);
            insert into ModelSyncMetadata values ('Post', 1700000000123, '{"all":{}}'), ('Blog', null, null);
            """)
        fixture.metadata("Blog|b|1", 1, at: 5)
        fixture.metadata("Post|changed", 4)
        fixture.metadata("Post|still", 9)
        fixture.metadata("Post|deleted", 3)
        fixture.metadata("Post|tombstone", 8, deleted: true)
        // Queued in another order than that of their times.
        fixture.mutation("Post", "deleted", "delete", second: 30)
        fixture.mutation("Post", "changed", "update", second: 12, version: 5)
        fixture.mutation("Post", "changed", "update", second: 11, version: 2, isInProcess: true, condition: "{}")
        fixture.mutation("Post", "made", "create", second: 10, isInProcess: true)
        fixture.mutation("Post", "made", "update", second: 13)
        // The deletion would have taken the creation away if that had not been sent, perhaps without an answer.
        fixture.mutation("Post", "unknown", "create", second: 14)
        fixture.mutation("Post", "unknown", "delete", second: 15)
        fixture.mutation("Post", "sent", "update", second: 16)
        try await Self.importing(fixture.path, into: target) { (store, report) async throws in
            let entries = try await store.outboxEntries()
            #expect(entries.map(\.key) == ["made", "changed", "unknown", "sent", "deleted"])
            #expect(entries.map(\.operation) == [.create, .update, .delete, .update, .delete])
            #expect(entries.map(\.baseVersion) == [nil, 5, nil, nil, 3])
            #expect(entries.allSatisfy { $0.stage == .pending && $0.model == "Post" })
            // 2024-01-01T00:00:10Z.
            #expect(entries.first?.position == 1_704_067_210_000_000)
            let posts = try await store.recordMetadata(
                ["made", "changed", "still", "deleted", "tombstone"], of: "Post")
            #expect(posts.map { $0?.version } == [nil, 4, 9, 3, 8])
            #expect(posts.map { $0?.isDeleted } == [nil, false, false, false, true])
            let blog = try await store.recordMetadata(["b|1"], of: "Blog")[0]
            #expect(blog == RecordMetadata(model: "Blog", key: "b|1", version: 1, lastChangedAt: 5))
            let state = try await store.modelState(of: "Post")
            #expect(
                state == ModelState(model: "Post", lastSync: 1_700_000_000_123, syncPredicate: "{\"all\":{}}"))
            #expect(report.droppedConditionCount == 1 && report.outboxEntryCount == 5)
            #expect(report.model(named: "Post")?.tombstoneCount == 2)
            #expect(report.rejections == [])
        }
    }

    // MARK: - The file

    /// The content of the file and of the files beside it.
    private func bytes(_ path: String) -> [Data?] {
        ["", "-wal", "-journal"].map { FileManager.default.contents(atPath: path + $0) }
    }

    @Test func theFileStaysAsItIs() async throws {
        let fixture = AmplifyFixture()
        fixture.run("insert into Blog values ('b', 'n')")
        let before = bytes(fixture.path)
        try await Self.importing(fixture.path) { (store, _) async throws in
            #expect(try await store.query(Blog.self).count == 1)
        }
        #expect(bytes(fixture.path) == before)
    }

    @Test func aLogNextToTheFileIsRead() async throws {
        let fixture = AmplifyFixture()
        fixture.run(
            "PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0; insert into Blog values ('b', 'n')")
        // As after a crash: a file and its log, without the index that its writer had.
        let crashed = TemporaryDirectory()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: fixture.path + suffix, toPath: crashed.file("App.db") + suffix)
        }
        for path in [fixture.path, crashed.file("App.db")] {
            let before = bytes(path)
            #expect(before[1]?.isEmpty == false)
            try await Self.importing(path) { (store, _) async throws in
                #expect(try await store.query(Blog.self).map(\.id) == ["b"])
            }
            #expect(bytes(path) == before)
        }
    }

    @Test func aTransactionThatDiedIsRolledBackInACopy() async throws {
        let fixture = AmplifyFixture()
        fixture.run("insert into Blog values ('b', 'n')")
        fixture.run("PRAGMA cache_size = 1; BEGIN; update Blog set name = 'half'")
        // More than the cache holds, so that the file itself is changed under the journal.
        fixture.run(
            "insert into Sample (id, text) with recursive n(i) as (select 1 union all select i + 1 from n where i < 500) "
                + "select 's' || i, hex(randomblob(500)) from n")
        let crashed = TemporaryDirectory()
        for suffix in ["", "-journal"] {
            try FileManager.default.copyItem(
                atPath: fixture.path + suffix, toPath: crashed.file("App.db") + suffix)
        }
        let before = bytes(crashed.file("App.db"))
        #expect(before[2]?.isEmpty == false)
        try await Self.importing(crashed.file("App.db")) { (store, _) async throws in
            #expect(try await store.query(Blog.self).map(\.name) == ["n"])
            #expect(try await store.query(Sample.self).isEmpty)
        }
        #expect(bytes(crashed.file("App.db")) == before)
    }

    @Test func otherFilesAreRefused() async throws {
        let directory = TemporaryDirectory()
        let letter = "This is a letter and no database, but it is long enough to be taken for one. "
        try Data((letter + letter).utf8).write(to: URL(fileURLWithPath: directory.file("letter")))
        RawDatabase(directory.file("other.db")).execute("create table t (a)")
        let store = try await DataStore.open(SQLiteAdapter(path: directory.file()), models: Self.models)
        try await store.close()
        for name in ["letter", "other.db", "store"] {
            await expectFailure(.incompatibleStore) {
                _ = try await AmplifyStoreFile.open(path: directory.file(name))
            }
        }
        await expectFailure(.io) { _ = try await AmplifyStoreFile.open(path: directory.file("none")) }
        #expect(!FileManager.default.fileExists(atPath: directory.file("none")))
    }

    @Test func aClosedFileRefusesToBeRead() async throws {
        let fixture = AmplifyFixture()
        let file = try await AmplifyStoreFile.open(path: fixture.path)
        await file.close()
        await file.close()
        await expectFailure(.closed) { _ = try await file.entities() }
    }

    @Test func aColumnMayBeNamedAsARowNumber() async throws {
        let fixture = AmplifyFixture()
        fixture.run(
            "alter table Blog add column \"ROWID\" text; alter table Blog add column oid text; "
                + "insert into Blog values ('b1', 'n', 'z', null), ('b2', 'n', 'a', null), ('b3', 'n', 'a', null)")
        try await Self.importing(fixture.path) { (store, report) async throws in
            #expect(try await store.query(Blog.self).map(\.id) == ["b1", "b2", "b3"])
            #expect(report.model(named: "Blog")?.unknownFields == ["ROWID", "oid"])
        }
    }
}
#endif
