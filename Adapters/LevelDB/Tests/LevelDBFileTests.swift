#if LevelDB
import Foundation
import HoldfastAdapterTestSupport
import HoldfastStorage
import Testing

@testable import HoldfastLevelDB

@Suite struct LevelDBFileTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory.file() }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    private func newestLog() throws -> String {
        path + "/" + (try #require(try names().last { $0.hasSuffix(".log") }))
    }

    private func change(_ file: String, _ body: (inout Data) -> Void) throws {
        var data = try #require(FileManager.default.contents(atPath: file))
        body(&data)
        try data.write(to: URL(fileURLWithPath: file))
    }

    // MARK: One process at a time

    @Test func aStoreThatIsOpenIsLocked() async throws {
        let store = try await Store.open(path, note)
        let error = await storageError { _ = try await Store.open(path, note) }
        #expect(error?.kind == .locked)
        #expect(error?.retry == .afterBackoff)
        #expect(error?.transaction == .untouched)
        let repair = await storageError {
            _ = try await LevelDBAdapter.repair(LevelDBConfiguration(.directory(path)))
        }
        #expect(repair?.kind == .locked)
        try await store.put("Note", [noteRow("k")])
        try await store.close()
        let again = try await Store.open(path, note)
        #expect(try await again.record("Note", [.text("k")]) != nil)
        try await again.close()
    }

    @Test func aStoreThatIsDroppedIsUnlocked() async throws {
        var store: Store? = try await Store.open(path, note)
        try await store?.put("Note", [noteRow("k")])
        store = nil
        let again = try await Store.open(path, note)
        #expect(try await again.record("Note", [.text("k")]) != nil)
        try await again.close()
    }

    // MARK: What is not a store

    @Test(arguments: ["", "a\0b"])
    func impossiblePathsAreRefused(path: String) async throws {
        await expectFailure(.misuse) { _ = try await Store.open(path, note) }
    }

    /// Files are opened as long as the store is open, also after the process has changed its directory.
    @Test func relativePathsAreMadeAbsoluteAtOpening() throws {
        #expect(try LevelDBDirectory(.directory(path)).path == path)
        #expect(try LevelDBDirectory(.directory("a/b")).path == FileManager.default.currentDirectoryPath + "/a/b")
    }

    @Test func aMissingParentIsReported() async throws {
        await expectFailure(.io) { _ = try await Store.open(directory.file("missing/store"), note) }
    }

    @Test func aFileIsRefusedAndLeftAlone() async throws {
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
        await expectFailure(.incompatibleStore) { _ = try await Store.open(path, note) }
        #expect(FileManager.default.contents(atPath: path) == Data([1, 2, 3]))
    }

    @Test func aDatabaseOfAnotherProgramIsRefusedAndLeftAlone() async throws {
        RawDatabase(path).put([1], [2])
        let before = try names()
        await expectFailure(.incompatibleStore) { _ = try await Store.open(path, note) }
        #expect(try names() == before)
    }

    @Test func aNewerFormatIsRefused() async throws {
        try await Store.open(path, note).close()
        try Data("holdfast-leveldb 99\n".utf8).write(to: URL(fileURLWithPath: path + "/HOLDFAST"))
        let before = try names()
        await expectFailure(.incompatibleStore) { _ = try await Store.open(path, note) }
        #expect(try names() == before)
    }

    private var mark: String? {
        FileManager.default.contents(atPath: path + "/HOLDFAST").map { String(decoding: $0, as: UTF8.self) }
    }

    /// Leaves a store with one record and the mark of format 1.
    private func makeStoreOfFormat1() async throws {
        let store = try await Store.open(path, note)
        try await store.put("Note", [noteRow("k")])
        try await store.close()
        try Data("holdfast-leveldb 1\n".utf8).write(to: URL(fileURLWithPath: path + "/HOLDFAST"))
    }

    /// The version that wrote the store can go on with it.
    @Test func aStoreOfFormat1ThatIsRefusedOrReadKeepsItsMark() async throws {
        try await makeStoreOfFormat1()
        let other = EntitySchema("Note", fields: [FieldSchema("id", .id)])
        await expectFailure(.schemaMismatch) { _ = try await Store.open(path, other) }
        #expect(mark == "holdfast-leveldb 1\n")
        let stored = try await Store.openAsStored { [path = self.path] in LevelDBAdapter(path: path) }
        #expect(try await stored.rows(QueryPlan("Note")).count == 1)
        try await stored.close()
        #expect(mark == "holdfast-leveldb 1\n")
    }

    @Test func aStoreOfFormat1IsMarkedAsOneOf2WithTheFirstRecord() async throws {
        try await makeStoreOfFormat1()
        let store = try await Store.open(path, note)
        _ = try await store.commit(CommitRequest(operations: [.delete(entity: "Note", keys: [RecordKey("k")])]))
        #expect(mark == "holdfast-leveldb 1\n")
        try await store.put("Note", [noteRow("l")])
        #expect(mark == "holdfast-leveldb 2\n")
        try await store.close()
        #expect(mark == "holdfast-leveldb 2\n")
    }

    @Test func aStoreOfFormat1IsMarkedAsOneOf2WhenItIsMigrated() async throws {
        try await makeStoreOfFormat1()
        let other = EntitySchema("Note", fields: [FieldSchema("id", .id)])
        let store = try await Store.open(LevelDBAdapter(path: path), schema: StorageSchema(entities: [other])) { _ in
            SchemaMigration(steps: [SchemaMigration.Step(from: note, to: other) { [$0[0]] }])
        }
        #expect(mark == "holdfast-leveldb 2\n")
        try await store.close()
    }

    @Test(arguments: ["HOLDFAST", "HOLDFAST.new"])
    func aCreationThatWasInterruptedBeginsAgain(name: String) async throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try Data().write(to: URL(fileURLWithPath: path + "/" + name))
        let store = try await Store.open(path, note)
        try await store.put("Note", [noteRow("k")])
        #expect(try await store.rows(QueryPlan("Note")) == [noteRow("k")])
        try await store.close()
    }

    @Test func newDirectoriesHaveTheConfiguredMode() async throws {
        let configuration = LevelDBConfiguration(.directory(path), directoryMode: 0o750)
        let store = try await Store.open(
            LevelDBAdapter(configuration), schema: StorageSchema(entities: [note]))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o750)
        try await store.close()
    }

    @Test func aTemporaryStoreLeavesNothing() async throws {
        let adapter = LevelDBAdapter(.temporary)
        let store = try await Store.open(adapter, schema: StorageSchema(entities: [note]))
        try await store.put("Note", [noteRow("k")])
        #expect(try await adapter.byteCount() > 0)
        try await store.close()
        await expectFailure(.closed) { _ = try await adapter.byteCount() }
    }

    // MARK: Torn and damaged logs

    private func storeWithLog(_ durability: Durability = .none) async throws {
        let store = try await Store.open(path, note)
        for number in 0..<10 {
            try await store.put(
                "Note", [noteRow("k\(number)", String(repeating: "x", count: 5_000))], durability: durability)
        }
        try await store.close()
    }

    @Test func aWholeLogIsReadAgain() async throws {
        try await storeWithLog()
        let adapter = LevelDBAdapter(path: path)
        let store = try await Store.open(adapter, schema: StorageSchema(entities: [note]))
        #expect(try adapter.recovery.tornByteCount == 0)
        #expect(try adapter.recovery.logByteCount > 50_000)
        #expect(try await store.rows(QueryPlan("Note")).count == 10)
        try await store.close()
    }

    @Test(arguments: [1, 100, 5_000])
    func aTornEndOfTheLogIsDroppedAndReported(count: Int) async throws {
        try await storeWithLog()
        try change(try newestLog()) { $0.removeLast(count) }
        let adapter = LevelDBAdapter(path: path)
        let store = try await Store.open(adapter, schema: StorageSchema(entities: [note]))
        #expect(try adapter.recovery.tornByteCount > 0)
        #expect(try await store.rows(QueryPlan("Note")).count == 9)
        #expect(try await store.verify().isEmpty)
        #expect(try await store.put("Note", [noteRow("n")]).sequence == 10)
        try await store.close()
    }

    @Test func damageBeforeWhatWasSyncedIsCorruptionUntilItIsRepaired() async throws {
        try await storeWithLog(.powerLoss)
        try change(try newestLog()) { $0[$0.count / 2] ^= 0x55 }
        await expectFailure(.corruption) { _ = try await Store.open(path, note) }
        await expectFailure(.corruption) { _ = try await Store.open(path, note) }
        let report = try await LevelDBAdapter.repair(LevelDBConfiguration(.directory(path)))
        #expect((1...10).contains(report.recordCount))
        #expect(report.lostFileCount > 0)
        let store = try await Store.open(path, note)
        #expect(try await store.rows(QueryPlan("Note")).count == report.recordCount)
        #expect(try await store.verify().isEmpty)
        try await store.close()
    }

    /// Sectors of the log, as a loss of power leaves them.
    enum Sectors: CaseIterable { case empty, mixed }

    @Test(arguments: Sectors.allCases)
    func commitsThatWereNotSyncedEndWhereTheLogIsTorn(sectors: Sectors) async throws {
        var store = try await Store.open(path, note)
        try await store.put("Note", [noteRow("k0")])
        for number in 1..<40 {
            try await store.put(
                "Note", [noteRow("k\(number + 100)", String(repeating: "x", count: 3_000))],
                durability: Durability.none)
        }
        try await store.close()
        try change(try newestLog()) { log in
            let middle = log.count / 2 / 512 * 512
            log.replaceSubrange(
                middle..<middle + 512, with: [UInt8](repeating: sectors == .empty ? 0 : 0x5A, count: 512))
        }
        let adapter = LevelDBAdapter(path: path)
        store = try await Store.open(adapter, schema: StorageSchema(entities: [note]))
        #expect(try adapter.recovery.tornByteCount > 0)
        let rows = try await store.rows(QueryPlan("Note"), batch: 100)
        #expect((15..<25).contains(rows.count))
        #expect(rows.dropFirst().map { $0[0] } == (101..<100 + rows.count).map { .text("k\($0)") })
        #expect(try await store.put("Note", [noteRow("n")]).sequence == UInt64(rows.count + 1))
        #expect(try await store.verify().isEmpty)
        try await store.close()
    }

    @Test func anEmptySectorBeforeWhatWasSyncedIsCorruption() async throws {
        try await storeWithLog(.powerLoss)
        let log = try newestLog()
        try change(log) { $0.replaceSubrange(20_480..<20_992, with: [UInt8](repeating: 0, count: 512)) }
        let damaged = FileManager.default.contents(atPath: log)
        await expectFailure(.corruption) { _ = try await Store.open(path, note) }
        #expect(FileManager.default.contents(atPath: log) == damaged)
    }

    /// Has the manifest name a later change than the newest log's first, as a compaction does that ends while it is written.
    private func noteLaterChange() throws {
        let manifest = try #require(try names().last { $0.hasPrefix("MANIFEST-") })
        // A whole record; the last change, 1,000 as a varint.
        let content: [UInt8] = [1, 4, 0xE8, 7]
        let checksum = content.withUnsafeBytes { LevelDBChecksum.masked(of: $0) }
        try change(path + "/" + manifest) { data in
            data.append(contentsOf: withUnsafeBytes(of: checksum.littleEndian) { Array($0) })
            data.append(contentsOf: [3, 0] + content)
        }
    }

    @Test(arguments: [Durability.none, .powerLoss])
    func damageAtTheBeginningOfALogIsFoundAfterACompaction(durability: Durability) async throws {
        // So that the log begins with the first record.
        try await Store.open(path, note).close()
        try await storeWithLog(durability)
        try noteLaterChange()
        try change(try newestLog()) { $0[100] ^= 0x55 }
        if durability == .powerLoss { return await expectFailure(.corruption) { _ = try await Store.open(path, note) } }
        let adapter = LevelDBAdapter(path: path)
        let store = try await Store.open(adapter, schema: StorageSchema(entities: [note]))
        #expect(try adapter.recovery.tornByteCount > 50_000)
        #expect(try await store.rows(QueryPlan("Note")).isEmpty)
        try await store.close()
    }

    /// Puts an empty log before the newest one, as a compaction does in a store that was opened and not written to.
    private func putEmptyLogBeforeNewest() throws -> String {
        let log = try newestLog()
        let moved = path + "/900000.log"
        try FileManager.default.moveItem(atPath: log, toPath: moved)
        try Data().write(to: URL(fileURLWithPath: log))
        return moved
    }

    @Test func aCommitAfterAnEmptyLogIsKept() async throws {
        try await Store.open(path, note).close()
        var store = try await Store.open(path, note)
        try await store.put("Note", [noteRow("k")])
        try await store.close()
        _ = try putEmptyLogBeforeNewest()
        let adapter = LevelDBAdapter(path: path)
        store = try await Store.open(adapter, schema: StorageSchema(entities: [note]))
        #expect(try adapter.recovery.tornByteCount == 0)
        #expect(try await store.record("Note", [.text("k")]) != nil)
        try await store.close()
    }

    @Test(arguments: [Durability.processCrash, .powerLoss])
    func aCommitAfterALogThatLostOneIsNotKept(durability: Durability) async throws {
        try await Store.open(path, note).close()
        var store = try await Store.open(path, note)
        try await store.put("Note", [noteRow("k1")], durability: durability)
        try await store.put("Note", [noteRow("k2")], durability: .processCrash)
        try await store.close()
        // A record has a header of 7 bytes with the count of the others.
        try change(try putEmptyLogBeforeNewest()) { log in log.removeFirst(7 + Int(log[4]) + Int(log[5]) << 8) }
        if durability == .powerLoss { return await expectFailure(.corruption) { _ = try await Store.open(path, note) } }
        let adapter = LevelDBAdapter(path: path)
        store = try await Store.open(adapter, schema: StorageSchema(entities: [note]))
        #expect(try adapter.recovery.tornByteCount > 0)
        #expect(try await store.rows(QueryPlan("Note")).isEmpty)
        try await store.close()
    }

    @Test func aStoreWithoutItsCurrentFileIsNotReplaced() async throws {
        let adapter = LevelDBAdapter(path: path)
        let store = try await Store.open(adapter, schema: StorageSchema(entities: [note]))
        try await store.put("Note", [noteRow("k")])
        try await adapter.compact()
        try await store.close()
        try FileManager.default.removeItem(atPath: path + "/CURRENT")
        await expectFailure(.corruption) { _ = try await Store.open(path, note) }
        let report = try await LevelDBAdapter.repair(LevelDBConfiguration(.directory(path)))
        #expect(report.recordCount == 1)
        let again = try await Store.open(path, note)
        #expect(try await again.record("Note", [.text("k")]) != nil)
        try await again.close()
    }

    /// Whatever is missing at its end, a manifest never makes records disappear silently.
    @Test(arguments: [1, 7, 20, 60, 100, 200])
    func aTornManifestIsCorruptionOrChangesNothing(count: Int) async throws {
        let adapter = LevelDBAdapter(path: path)
        var store = try await Store.open(adapter, schema: StorageSchema(entities: [note]))
        for number in 0..<3 {
            try await store.put("Note", [noteRow("k\(number)")])
            try await adapter.compact()
        }
        try await store.put("Note", [noteRow("k3")])
        try await store.close()
        let manifest = try #require(try names().last { $0.hasPrefix("MANIFEST-") })
        try change(path + "/" + manifest) { $0.removeLast(min(count, $0.count)) }
        do {
            store = try await Store.open(path, note)
            #expect(try await store.rows(QueryPlan("Note")).count == 4)
            try await store.close()
        } catch let error as StorageError {
            #expect(error.kind == .corruption)
        }
    }

    // MARK: Maintenance

    @Test func compactionFreesSpace() async throws {
        let adapter = LevelDBAdapter(LevelDBConfiguration(.directory(path), compression: .none))
        let store = try await Store.open(adapter, schema: StorageSchema(entities: [note]))
        let text = String(repeating: "x", count: 1_000)
        try await store.put("Note", (0..<2_000).map { noteRow("k\($0)", text) })
        try await adapter.compact()
        let full = try await adapter.byteCount(of: "Note")
        #expect(full > 1_000_000)
        _ = try await store.commit(CommitRequest(operations: [.clear(entity: "Note")]))
        try await adapter.compact()
        #expect(try await adapter.byteCount(of: "Note") < full / 10)
        await expectFailure(.schemaMismatch) { _ = try await adapter.byteCount(of: "Nothing") }
        try await store.close()
    }

    /// A directory cannot become a part of itself: `EINVAL`.
    @Test func aBackupThatCannotBeMovedSaysWhy() async throws {
        let error = await storageError { try LevelDBSystem.move(directory.path, to: directory.file("inside")) }
        #expect(error?.nativeCode == "errno 22")
        let taken = await storageError { try LevelDBSystem.move(directory.file("missing"), to: directory.path) }
        #expect(taken?.nativeCode == "errno 17")
    }
}
#endif
