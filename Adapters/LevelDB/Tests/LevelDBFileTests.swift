#if LevelDB
    import Foundation
    import HoldfastLevelDB
    import HoldfastStorage
    import Testing

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

        @Test func recordsAndTheSequenceOutliveTheStore() async throws {
            var store = try await Store.open(path, note)
            try await store.put("Note", [noteRow("k", "text", 7)], durability: .powerLoss)
            try await store.close()
            store = try await Store.open(path, note)
            #expect(try await store.record("Note", [.text("k")])?.row == noteRow("k", "text", 7))
            #expect(try await store.put("Note", [noteRow("l")]).sequence == 2)
            try await store.close()
        }

        @Test func everyKindOfValueComesBackAsItWas() async throws {
            let tail = TemporalTail(offset: -19_800, fractionDigits: 9)
            let values: [(FieldType, Value)] = [
                (.boolean, .boolean(true)), (.int, .integer(.min)), (.int, .integer(.max)), (.float, .double(-0.1)),
                (.string, .text("é\u{1F600}")), (.bytes, .bytes([0, 255, 1])),
                (.date, .date(CalendarDate(daysSinceEpoch: -719_162, tail: TemporalTail(offset: 0)))),
                (.time, .time(ClockTime(nanosecondsSinceMidnight: 86_399_999_999_999, tail: tail))),
                (.dateTime, .timestamp(Timestamp(secondsSinceEpoch: -1, nanoseconds: 999_999_999, tail: tail))),
                (
                    .list(of: .list(of: .string, elementsAreRequired: false), elementsAreRequired: false),
                    .list([.null, .list([.text(""), .null])])
                ),
            ]
            let entity = EntitySchema(
                "All",
                fields: [FieldSchema("id", .id)]
                    + values.enumerated().map { FieldSchema("f\($0)", $1.0) })
            var store = try await Store.open(path, entity)
            let row = [.text("k")] + values.map(\.1)
            try await store.put("All", [row, [.text("n")] + values.map { _ in .null }])
            try await store.close()
            store = try await Store.open(path, entity)
            #expect(try await store.record("All", [.text("k")])?.row == row)
            #expect(try await store.record("All", [.text("n")])?.row.dropFirst().allSatisfy(\.isNull) == true)
            try await store.close()
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

        // MARK: What is no store

        @Test(arguments: ["", "a\0b"])
        func impossiblePathsAreRefused(path: String) async throws {
            await expectFailure(.misuse) { _ = try await Store.open(path, note) }
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
            try Data("holdfast-leveldb 2\n".utf8).write(to: URL(fileURLWithPath: path + "/HOLDFAST"))
            let before = try names()
            await expectFailure(.incompatibleStore) { _ = try await Store.open(path, note) }
            #expect(try names() == before)
        }

        @Test func aCreationThatWasInterruptedIsBegunAnew() async throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            try Data().write(to: URL(fileURLWithPath: path + "/HOLDFAST"))
            let store = try await Store.open(path, note)
            try await store.put("Note", [noteRow("k")])
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

        private func storeWithLog() async throws {
            let store = try await Store.open(path, note)
            for number in 0..<10 {
                try await store.put("Note", [noteRow("k\(number)", String(repeating: "x", count: 5_000))])
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

        @Test func damageInTheLogIsCorruptionUntilItIsRepaired() async throws {
            try await storeWithLog()
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

        @Test func aStoreWithoutItsCurrentFileIsNotBegunAnew() async throws {
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

        // MARK: Maintenance

        @Test func compactionGivesRoomBack() async throws {
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

        @Test func aBackupIsAStoreAsOfOneMoment() async throws {
            let store = try await Store.open(path, note)
            try await store.put("Note", (0..<100).map { noteRow("k\($0)") })
            let copy = directory.file("copy")
            try await store.backUp(to: copy)
            await expectFailure(.io) { try await store.backUp(to: copy) }
            try await store.put("Note", [noteRow("later")])
            let other = try await Store.open(copy, note)
            #expect(try await other.rows(QueryPlan("Note")).count == 100)
            #expect(try await other.put("Note", [noteRow("k")]).sequence == 2)
            #expect(try await other.verify().isEmpty)
            try await other.close()
            try await store.close()
        }
    }
#endif
