#if SQLite
import CSQLite
import Foundation
import HoldfastAdapterKit
import HoldfastAdapterTestSupport
@testable import HoldfastSQLite
import HoldfastSQLiteTestSupport
import HoldfastStorage
import Testing

@Suite struct SQLiteFileTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory.file() }

    private func bytes(_ path: String? = nil) -> [UInt8]? {
        FileManager.default.contents(atPath: path ?? self.path).map { Array($0) }
    }

    private func write(_ bytes: some Sequence<UInt8>) {
        _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
    }

    private func mode(_ path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }

    private func schema(_ entities: EntitySchema...) throws -> StorageSchema {
        try StorageSchema(entities: entities)
    }

    // MARK: The write-ahead log

    /// It is copied into the file again and again; what is in neither would be lost.
    @Test func theWriteAheadLogStaysBounded() async throws {
        let store = try SQLiteStore(SQLiteConfiguration(.file(path)), OpenRequest(schema: schema(note)))
        let (commits, committer) = (try #require(store.commits), try #require(store.committer))
        let text = String(repeating: "x", count: 1 << 20)
        var longest = 0
        for number in 0..<200 {
            let durability: Durability = number.isMultiple(of: 3) ? .none : .processCrash
            let rows = RowBuffer(row: noteRow("k\(number)", "\(number)" + text))
            let put = WriteOperation.put(entity: "Note", rows: rows, mode: .upsert)
            _ = try await commits.commit(CommitRequest(operations: [put], durability: durability))
            // The log is looked at after the answer, and copied by another thread, which may have to wait for a core.
            try await commits.run {}
            await committer.finishCheckpoints()
            let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
            longest = max(longest, (attributes[.size] as? NSNumber)?.intValue ?? .max)
        }
        // 32 MiB make a copy begin, and the next commit makes the log begin again.
        #expect(longest < 40 << 20)
        await store.close()
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        let reopened = try await Store.open(path, note)
        for number in stride(from: 0, to: 200, by: 7) {
            let stored = try await reopened.record("Note", [.text("k\(number)")])?.row
            #expect(stored == noteRow("k\(number)", "\(number)" + text))
        }
        try await reopened.close()
    }

    private var logByteCount: Int { bytes(path + "-wal")?.count ?? 0 }

    /// A commit that makes the log longer waits for the file system, too.
    @Test func theLogGetsRoomForDurableCommits() async throws {
        let store = try await Store.open(path, note)
        for number in 0..<5 { try await store.put("Note", [noteRow("a\(number)")], durability: .powerLoss) }
        #expect(logByteCount < 1 << 20)
        for number in 0..<40 { try await store.put("Note", [noteRow("b\(number)")], durability: .powerLoss) }
        let length = logByteCount
        #expect(length >= 1 << 20)
        for number in 0..<40 { try await store.put("Note", [noteRow("c\(number)")], durability: .powerLoss) }
        #expect(logByteCount == length)

        // As after a crash: the log is read up to its last frame.
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: directory.file("copy") + suffix)
        }
        let copy = try await Store.open(directory.file("copy"), note)
        #expect(try await copy.rows(QueryPlan("Note")).count == 85)
        #expect(try await copy.put("Note", [noteRow("d")]).sequence == 86)
        try await copy.close()
        try await store.close()
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    }

    /// What only has to survive the process does not wait for the disk.
    @Test func theLogGetsNoRoomForOtherCommits() async throws {
        let store = try await Store.open(path, note)
        for number in 0..<60 { try await store.put("Note", [noteRow("a\(number)")], durability: .processCrash) }
        #expect(logByteCount < 1 << 20)
        try await store.close()
    }

    // MARK: Reopening

    @Test func recordsAndTheSequenceOutliveTheStore() async throws {
        var store = try await Store.open(path, note)
        try await store.put("Note", [noteRow("k", "text", 7)], durability: .powerLoss)
        try await store.close()
        store = try await Store.open(path, note)
        #expect(try await store.record("Note", [.text("k")])?.row == noteRow("k", "text", 7))
        #expect(try await store.put("Note", [noteRow("l")]).sequence == 2)
        try await store.close()
    }

    @Test func aStoreThatWasNotClosedOpensAgain() async throws {
        var store: Store? = try await Store.open(path, note)
        try await store?.put("Note", [noteRow("k")], durability: .processCrash)
        let second = try await Store.open(path, note)
        #expect(try await second.record("Note", [.text("k")]) != nil)
        store = nil
        #expect(try await second.record("Note", [.text("k")]) != nil)
        try await second.close()
    }

    @Test func closingLeavesOneFile() async throws {
        let store = try await Store.open(path, note)
        try await store.put("Note", [noteRow("k")])
        _ = try await store.rows(QueryPlan("Note"))
        try await store.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["store"])
    }

    @Test func newFilesHaveTheConfiguredMode() async throws {
        let store = try await Store.open(path, note)
        try await store.put("Note", [noteRow("k")])
        for suffix in ["", "-wal", "-shm"] { #expect(mode(path + suffix) == 0o600) }
        try await store.close()
        let other = SQLiteConfiguration(.file(directory.file("group")), fileMode: 0o660)
        try await Store.open(SQLiteAdapter(other), schema: schema(note)).close()
        #expect(mode(directory.file("group")) == 0o660)
    }

    @Test func anEmptyFileBecomesAStore() async throws {
        write([])
        let store = try await Store.open(path, note)
        try await store.put("Note", [noteRow("k")])
        #expect(try await store.rows(QueryPlan("Note")) == [noteRow("k")])
        try await store.close()
    }

    @Test(arguments: ["", "a\0b", "missing/directory/store"])
    func impossiblePathsAreRefused(name: String) async throws {
        let path = name == "missing/directory/store" ? directory.file(name) : name
        let error = await storageError { _ = try await Store.open(path, note) }
        #expect(error?.kind == (path == name ? .misuse : .io))
    }

    /// Connections are opened as long as the store is open, also after the process has changed its directory.
    @Test func relativePathsAreMadeAbsoluteAtOpening() throws {
        #expect(try SQLiteFile(.file(path)).path == path)
        #expect(try SQLiteFile(.file("a/b")).path == FileManager.default.currentDirectoryPath + "/a/b")
    }

    @Test func aDirectoryIsNotAStore() async throws {
        await expectFailure(.io) { _ = try await Store.open(directory.path, note) }
    }

    /// Three bytes of a character of four are as long as what they would be repaired to.
    @Test(arguments: ["61FF", "F09080"])
    func textThatIsNotUTF8IsCorruption(hex: String) async throws {
        var store = try await Store.open(path, note)
        try await store.put("Note", [noteRow("k", "text"), noteRow("l", "text")])
        try await store.close()
        RawDatabase(path).execute("UPDATE Note SET text = CAST(x'\(hex)' AS TEXT) WHERE id = 'l'")
        store = try await Store.open(path, note)
        #expect(try await store.record("Note", [.text("k")]) != nil)
        await expectFailure(.corruption) { [store] in _ = try await store.record("Note", [.text("l")]) }
        await expectFailure(.corruption) { [store] in _ = try await store.rows(QueryPlan("Note")) }
        #expect(try await store.record("Note", [.text("k")]) != nil)
        try await store.close()
    }

    @Test func namesThatMeanSomethingToSQLiteAreFiles() async throws {
        for name in [":memory:", "file:store?mode=memory"] {
            let store = try await Store.open(directory.file(name), note)
            try await store.close()
            #expect(FileManager.default.fileExists(atPath: directory.file(name)))
        }
    }

    // MARK: What is not a store

    @Test(arguments: [1, 15, 100, 5_000])
    func aFileOfAnotherKindIsRefusedAndLeftAlone(count: Int) async throws {
        write((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let before = bytes()
        let error = await storageError { _ = try await Store.open(path, note) }
        #expect(error?.kind == .incompatibleStore)
        #expect(bytes() == before)
    }

    @Test(arguments: ["DELETE", "WAL"])
    func aDatabaseOfAnotherProgramIsRefusedAndLeftAlone(journal: String) async throws {
        let raw = RawDatabase(path)
        raw.execute("PRAGMA journal_mode = \(journal); CREATE TABLE t(x); INSERT INTO t VALUES (1)")
        let before = bytes()
        let error = await storageError { _ = try await Store.open(path, note) }
        #expect(error?.kind == .incompatibleStore)
        #expect(bytes() == before)
        #expect(raw.rows("SELECT x FROM t") == ["1"])
        raw.close()
        let closed = bytes()
        await expectFailure(.incompatibleStore) { _ = try await Store.open(path, note) }
        #expect(bytes() == closed)
    }

    @Test func theLogOfAnotherProgramIsNotCopied() async throws {
        let other = directory.file("other")
        let raw = RawDatabase(other)
        raw.execute("PRAGMA journal_mode = WAL; CREATE TABLE t(x); INSERT INTO t VALUES (1)")
        try FileManager.default.copyItem(atPath: other, toPath: path)
        try FileManager.default.copyItem(atPath: other + "-wal", toPath: path + "-wal")
        let before = bytes()
        await expectFailure(.incompatibleStore) { _ = try await Store.open(path, note) }
        #expect(bytes() == before)
        #expect(RawDatabase(path).rows("SELECT x FROM t") == ["1"])
    }

    @Test func anotherApplicationsMarkIsRefused() async throws {
        RawDatabase(path).execute("PRAGMA application_id = 77; CREATE TABLE t(x)")
        let before = bytes()
        await expectFailure(.incompatibleStore) { _ = try await Store.open(path, note) }
        #expect(bytes() == before)
    }

    @Test func aStoreOfANewerVersionIsRefusedAndLeftAlone() async throws {
        try await Store.open(path, note).close()
        RawDatabase(path).execute("PRAGMA user_version = 2")
        let before = bytes()
        let error = await storageError { _ = try await Store.open(path, note) }
        #expect(error?.kind == .incompatibleStore)
        #expect(error?.message.contains("newer") == true)
        #expect(bytes() == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["store"])
    }

    @Test func aDamagedStoreIsReportedAndNeverGivesWrongRecords() async throws {
        var store = try await Store.open(path, note)
        try await store.put("Note", (0..<2_000).map { noteRow("key\($0)", String(repeating: "t", count: 50)) })
        try await store.close()
        var damaged = try #require(bytes())
        for offset in stride(from: damaged.count / 2 / 4_096 * 4_096, to: damaged.count, by: 4_096) {
            for byte in offset..<offset + 200 { damaged[byte] = 0xFF }
        }
        write(damaged)
        store = try await Store.open(path, note)
        let error = await storageError { _ = try await store.rows(QueryPlan("Note"), batch: 100) }
        #expect(error?.kind == .corruption)
        #expect(error?.nativeCode?.hasPrefix("SQLITE_CORRUPT") == true)
        #expect(try await store.verify() != [])
        try await store.close()
    }

    @Test func aDamagedSchemaIsCorruption() async throws {
        try await Store.open(path, note).close()
        var damaged = try #require(bytes())
        for offset in 100..<4_096 { damaged[offset] = 0xA5 }
        write(damaged)
        let error = await storageError { _ = try await Store.open(path, note) }
        #expect(error?.kind == .corruption)
        #expect(bytes() == damaged)
    }

    @Test(arguments: ["UPDATE holdfast_store SET sequence = -1", "DELETE FROM holdfast_store"])
    func aDamagedSequenceIsCorruption(damage: String) async throws {
        var store = try await Store.open(path, note)
        try await store.put("Note", [noteRow("k")])
        try await store.close()
        RawDatabase(path).execute(damage)
        store = try await Store.open(path, note)
        await expectFailure(.corruption) { [store] in try await store.put("Note", [noteRow("l")]) }
        await expectFailure(.corruption) { [store] in _ = try await store.rows(QueryPlan("Note")) }
        await expectFailure(.corruption) { [store] in _ = try await store.changes() }
        #expect(
            try await store.verify() == ["The sequence of the store's last commit is damaged; restore a backup."])
        try await store.close()
    }

    @Test func aMissingTableIsFoundByVerify() async throws {
        try await Store.open(path, note).close()
        RawDatabase(path).execute("DROP TABLE Note")
        let store = try await Store.open(path, note)
        #expect(try await store.verify() == ["The table of entity 'Note' is missing."])
        try await store.close()
    }

    /// Another handle drops an index after the catalog was read and before the index is looked for.
    @Test func aChangeOfTheSchemaMeanwhileIsNotADefect() async throws {
        let indexed = EntitySchema("Note", fields: note.fields, indexes: [IndexSchema("byText", on: ["text"])])
        try await Store.open(path, indexed).close()
        let connection = try SQLiteConnection(path: path, configuration: SQLiteConfiguration(.file(path)))
        let other = RawDatabase(path)
        sqlite3_trace_v2(
            connection.handle, UInt32(SQLITE_TRACE_STMT),
            { _, other, _, sql in
                guard let other, let sql else { return 0 }
                if String(cString: sql.assumingMemoryBound(to: CChar.self)).contains("pragma_table_info") {
                    Unmanaged<RawDatabase>.fromOpaque(other).takeUnretainedValue()
                        .execute("BEGIN; DELETE FROM holdfast_index; DROP INDEX Note_byText; COMMIT")
                }
                return 0
            }, Unmanaged.passUnretained(other).toOpaque())
        #expect(try connection.defects() == [])
        sqlite3_trace_v2(connection.handle, 0, nil, nil)
        #expect(other.rows("SELECT count(*) FROM sqlite_schema WHERE name = 'Note_byText'") == ["0"])
        #expect(try connection.defects() == [])
        connection.close()
    }

    // MARK: Schema changes

    @Test func additiveChangesAreMadeInPlace() async throws {
        var store = try await Store.open(path, note)
        try await store.put("Note", [noteRow("k", "text", 1), noteRow("l", "text", 2)])
        try await store.close()
        let richer = EntitySchema(
            "Note",
            fields: [
                FieldSchema("at", .dateTime), FieldSchema("id", .id), FieldSchema("rank", .int),
                FieldSchema("TEXT", .list(of: .string, elementsAreRequired: true)), FieldSchema("text", .email),
            ],
            indexes: [
                IndexSchema("byRank", on: ["rank", "at"], isUnique: true), IndexSchema("byText", on: ["text"]),
            ])
        let other = EntitySchema("note", fields: [FieldSchema("id", .int)])
        store = try await Store.open(path, other, richer)
        #expect(
            try await store.rows(QueryPlan("Note", where: .compare("at", .equal, .null))) == [
                [.null, .text("k"), .integer(1), .null, .text("text")],
                [.null, .text("l"), .integer(2), .null, .text("text")],
            ])
        let row: [Value] = [
            TypeSamples.stamp("2024-01-01T00:00:00Z"), .text("m"), .integer(2), .list([.text("x")]), .null,
        ]
        try await store.put("Note", [row])
        try await store.put("note", [[.integer(5)]])
        try await store.close()
        let without = EntitySchema("Note", fields: richer.fields)
        store = try await Store.open(path, without, other)
        #expect(try await store.record("Note", [.text("m")])?.row == row)
        #expect(try await store.verify() == [])
        try await store.close()
        #expect(
            RawDatabase(path).rows("SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
                == [
                    "0"
                ])
    }

    @Test func otherChangesAreRefusedAndListed() async throws {
        let store = try await Store.open(path, note)
        try await store.put("Note", [noteRow("k", "text", 1)])
        try await store.close()
        let before = bytes()
        let changed = EntitySchema(
            "Note",
            fields: [
                FieldSchema("id", .id), FieldSchema("text", .int), FieldSchema("new", .int, isRequired: true),
            ], indexes: [IndexSchema("byText", on: ["text"])])
        let error = await storageError {
            _ = try await Store.open(path, changed, EntitySchema("E", fields: [FieldSchema("id", .id)]))
        }
        #expect(error?.kind == .schemaMismatch)
        for part in ["the type of 'Note.text' changed", "'Note.new'", "field 'Note.rank' was removed"] {
            #expect(error?.message.contains(part) == true)
        }
        #expect(bytes() == before)
    }

    @Test func aUniqueIndexOverEqualRecordsIsRefusedAsAWhole() async throws {
        var store = try await Store.open(path, note)
        try await store.put("Note", [noteRow("k", "same"), noteRow("l", "same")])
        try await store.close()
        let indexed = EntitySchema(
            "Note", fields: note.fields + [FieldSchema("more", .int)],
            indexes: [IndexSchema("a", on: ["rank"]), IndexSchema("byText", on: ["text"], isUnique: true)])
        let error = await storageError { _ = try await Store.open(path, indexed) }
        #expect(error?.kind == .schemaMismatch)
        #expect(error?.message.contains("'byText'") == true)
        store = try await Store.open(path, note)
        #expect(try await store.rows(QueryPlan("Note")).count == 2)
        try await store.close()
    }

    /// An earlier version made files without a count of migrations.
    @Test func aFileThatCountsNoMigrationsYetFailsOldHandlesTheSame() async throws {
        try await Store.open(path, note).close()
        RawDatabase(path).execute("ALTER TABLE holdfast_store DROP COLUMN migration_count")
        let old = try await Store.open(path, note)
        try await old.put("Note", [noteRow("k", "text", 4)])
        #expect(try await old.record("Note", [.text("k")])?.row == noteRow("k", "text", 4))
        let changed = EntitySchema(
            "Note", fields: [FieldSchema("id", .id), FieldSchema("text", .string), FieldSchema("rank", .float)])
        let new = try await Store.open(SQLiteAdapter(path: path), schema: try schema(changed)) { _ in
            SchemaMigration(steps: [SchemaMigration.Step(from: note, to: changed) { [$0[0], $0[1], .double(4.5)] }])
        }
        await expectFailure(.schemaMismatch) { _ = try await old.record("Note", [.text("k")]) }
        await expectFailure(.schemaMismatch) { _ = try await old.rows(QueryPlan("Note")) }
        await expectFailure(.schemaMismatch) { try await old.put("Note", [noteRow("k", "other", 4)]) }
        #expect(try await new.record("Note", [.text("k")])?.row == [.text("k"), .text("text"), .double(4.5)])
        #expect(RawDatabase(path).rows("SELECT migration_count FROM holdfast_store") == ["1"])
        try await old.close()
        try await new.close()
    }

    /// Nothing but a change of the schema by another process makes a column refuse a value.
    @Test(arguments: [("TEXT NOT NULL", nil, "text"), ("INTEGER", "text", nil)] as [(String, String?, String?)])
    func aColumnThatNowRefusesAValueIsAChangeOfTheSchema(type: String, refused: String?, taken: String?) async throws {
        let store = try await Store.open(path, note)
        try await store.put("Note", [noteRow("k")])
        let raw = RawDatabase(path)
        raw.execute("PRAGMA writable_schema = ON")
        raw.execute("UPDATE sqlite_schema SET sql = replace(sql, '\"text\" TEXT', '\"text\" \(type)')")
        raw.execute("PRAGMA schema_version = 1000")
        raw.close()
        let error = await storageError { try await store.put("Note", [noteRow("l", refused)]) }
        #expect(error?.kind == .busy)
        #expect(error?.message == StorageError.schemaChanged().message)
        try await store.put("Note", [noteRow("l", taken)])
        try await store.close()
    }

    @Test(arguments: ["RENAME TO Other", "RENAME COLUMN text TO words", "DROP COLUMN rank"])
    func aTableThatNoLongerFitsIsAChangeOfTheSchema(change: String) async throws {
        let store = try await Store.open(path, note)
        try await store.put("Note", [noteRow("k")])
        _ = try await store.rows(QueryPlan("Note"))
        #expect(RawDatabase(path).execute("ALTER TABLE Note \(change)") == 0)
        for error in [
            await storageError { try await store.put("Note", [noteRow("l")]) },
            await storageError { try await store.put("Note", [noteRow("k")], mode: .update) },
            await storageError { _ = try await store.rows(QueryPlan("Note")) },
        ] {
            #expect(error?.kind == .busy)
            #expect(error?.message == StorageError.schemaChanged().message)
        }
        try await store.close()
    }

    // MARK: Reading only

    @Test func aReadOnlyStoreAnswersAndRefusesToWrite() async throws {
        var store = try await Store.open(path, note)
        try await store.put("Note", [noteRow("k")])
        try await store.close()
        let before = bytes()
        let configuration = SQLiteConfiguration(.file(path), isReadOnly: true)
        store = try await Store.open(SQLiteAdapter(configuration), schema: schema(note))
        #expect(try await store.rows(QueryPlan("Note")) == [noteRow("k")])
        await expectFailure(.readOnly) { [store] in _ = try await store.put("Note", [noteRow("l")]) }
        try await store.close()
        let richer = EntitySchema("Note", fields: note.fields + [FieldSchema("more", .int)])
        let error = await storageError {
            _ = try await Store.open(SQLiteAdapter(configuration), schema: schema(richer))
        }
        #expect(error?.kind == .readOnly)
        #expect(bytes() == before)
        let missing = SQLiteConfiguration(.file(directory.file("missing")), isReadOnly: true)
        await expectFailure(.io) { _ = try await Store.open(SQLiteAdapter(missing), schema: schema(note)) }
        #expect(!FileManager.default.fileExists(atPath: directory.file("missing")))
    }

    // MARK: Maintenance

    @Test func aBackupIsAStoreOfItsOwn() async throws {
        let store = try await Store.open(path, note)
        try await store.put("Note", (0..<500).map { noteRow("k\($0)", "text") })
        let copy = directory.file("copy")
        try await store.backUp(to: copy)
        try await store.put("Note", [noteRow("later")])
        #expect(mode(copy) == 0o600)
        let error = await storageError { try await store.backUp(to: copy) }
        #expect(error?.kind == .io)
        let restored = try await Store.open(copy, note)
        #expect(try await restored.rows(QueryPlan("Note"), batch: 100).count == 500)
        #expect(try await restored.put("Note", [noteRow("own")]).sequence == 2)
        try await restored.close()
        await expectFailure(.io) { try await store.backUp(to: directory.file("no/such/place")) }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.path).contains {
                $0.contains(".partial")
            }
                == false)
        #expect(try await store.verify() == [])
        try await store.close()
    }

    @Test func backupsToOneDestinationLeaveEachOtherAlone() async throws {
        let store = try await Store.open(path, note)
        try await store.put("Note", (0..<2_000).map { noteRow("k\($0)", String(repeating: "text", count: 100)) })
        let copy = directory.file("copy")
        // Under this name an earlier version writes, which another process may have.
        let other = Data("half a backup".utf8)
        try other.write(to: URL(fileURLWithPath: copy + ".partial"))
        let outcomes = await withTaskGroup(of: (StorageError?, [UInt8]?).self) { group in
            for _ in 0..<6 {
                group.addTask {
                    let error = await storageError { try await store.backUp(to: copy) }
                    return (error, error == nil ? bytes(copy) : nil)
                }
            }
            return await group.reduce(into: [(StorageError?, [UInt8]?)]()) { $0.append($1) }
        }
        #expect(outcomes.filter { $0.0 == nil }.map(\.1) == [bytes(copy)])
        #expect(outcomes.compactMap(\.0?.kind) == Array(repeating: .io, count: 5))
        #expect(bytes(copy + ".partial") == Array(other))
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(names.filter { $0.hasPrefix("copy") }.sorted() == ["copy", "copy.partial"])
        let restored = try await Store.open(copy, note)
        #expect(try await restored.rows(QueryPlan("Note"), batch: 100).count == 2_000)
        try await restored.close()
        try await store.close()
    }

    /// SQLite would write what is in it into the copy when the copy is opened.
    @Test(arguments: ["-wal", "-journal"])
    func aBackupBesideTheLogOfAnEarlierFileIsRefused(suffix: String) async throws {
        let store = try await Store.open(path, note)
        try await store.put("Note", [noteRow("k")])
        let copy = directory.file("copy")
        let log = Data("of an earlier file".utf8)
        try log.write(to: URL(fileURLWithPath: copy + suffix))
        await expectFailure(.io) { try await store.backUp(to: copy) }
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(names.filter { $0.hasPrefix("copy") } == ["copy" + suffix])
        #expect(bytes(copy + suffix) == Array(log))
        try await store.close()
    }

    @Test func aBackupIsMovedWithoutLinksWhereThereAreNone() async throws {
        let (copy, missing) = (directory.file("copy"), directory.file("missing"))
        for name in ["first", "second"] { try Data(name.utf8).write(to: URL(fileURLWithPath: directory.file(name))) }
        try SQLiteFile.moveWithoutLink(directory.file("first"), to: copy)
        await expectFailure(.io) { try SQLiteFile.moveWithoutLink(directory.file("second"), to: copy) }
        #expect(bytes(copy) == Array("first".utf8) && bytes(directory.file("first")) == nil)
        #expect(bytes(directory.file("second")) == Array("second".utf8))
        await expectFailure(.io) { try SQLiteFile.moveWithoutLink(directory.file("first"), to: missing) }
        #expect(bytes(missing) == nil)
    }

    @Test func aTemporaryStoreLeavesNothing() async throws {
        let store = try await Store.temporary(note)
        try await store.put("Note", [noteRow("k")])
        #expect(try await store.record("Note", [.text("k")]) != nil)
        try await store.close()
    }
}
#endif
