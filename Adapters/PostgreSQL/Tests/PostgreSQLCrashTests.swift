#if PostgreSQL && os(Linux)
import Foundation
import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastPostgreSQL
import HoldfastStorage
import HoldfastTestSupport
import Testing

extension PostgreSQLSuite {
    /// Clients and servers that die in the middle of a load; each test has a server of its own.
    @Suite(.serialized) struct CrashTests {
        private static let loaded = "HOLDFAST_TEST_LOAD"

        /// The client that the next test kills; nothing else runs it.
        @Test(.enabled(if: ProcessInfo.processInfo.environment[loaded] != nil, "run by the test that kills it"))
        func loadUntilKilled() async throws {
            let words = try #require(ProcessInfo.processInfo.environment[Self.loaded]).split(separator: "\n")
            let store = try await Self.open(String(words[0]))
            let file = try #require(FileHandle(forWritingAtPath: String(words[1])))
            for number in 0..<1_000_000 {
                try await store.put(
                    "Note", Self.batch(number), mode: number % 2 == 0 ? .upsert : .insert, durability: .powerLoss)
                try file.write(contentsOf: Data("\(number)\n".utf8))
            }
        }

        private static func open(_ url: String) async throws -> Store {
            try await Store.open(
                PostgreSQLAdapter(
                    PostgreSQLConfiguration(url, waitTimeout: .seconds(600), changeLogCommitCount: 1_000)),
                schema: StorageSchema(entities: [note]))
        }

        /// Small and large batches, so that every way of writing takes part.
        private static func batch(_ number: Int) -> [[Value]] {
            (0..<[1, 20, 3, 700][number % 4]).map { noteRow("\(number)-\($0)", nil, Int64(number)) }
        }

        @Test func aKilledClientLosesNothingAcknowledgedAndLeavesNoHalf() async throws {
            let server = try await OwnServer()
            let store = try await Self.open(server.url)
            let path = FileManager.default.temporaryDirectory.path + "/" + PostgreSQLServer.makeSchema()
            try Data().write(to: URL(fileURLWithPath: path))
            defer { try? FileManager.default.removeItem(atPath: path) }
            let client = try WorkerProcess(
                executable: "/bin/sh",
                arguments: [
                    "-c", "exec \"$0\" \"$@\" 2>/dev/null",
                    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path,
                    "--testing-library", "swift-testing", "--filter", "loadUntilKilled",
                ],
                environment: [Self.loaded: server.url + "\n" + path])
            var acknowledged = 0
            while acknowledged < 60 && client.isRunning {
                try await Task.sleep(for: .milliseconds(20))
                acknowledged = Self.lines(path)
            }
            client.kill()
            _ = await client.end()
            acknowledged = Self.lines(path)
            #expect(acknowledged >= 60)
            try await Self.check(store, acknowledged: Set(0..<acknowledged), atMost: acknowledged + 1)
            try await store.close()
            await server.stop()
        }

        private static func lines(_ path: String) -> Int {
            (FileManager.default.contents(atPath: path) ?? Data()).count { $0 == UInt8(ascii: "\n") }
        }

        /// Every acknowledged batch is there, whole and once, and no other is there in part.
        private static func check(_ store: Store, acknowledged: Set<Int>, atMost: Int) async throws {
            var counts: [Int: Int] = [:]
            var versions: [Int: Set<UInt64>] = [:]
            for row in try await store.rows(QueryPlan("Note")) {
                guard case .integer(let number) = row.cells[2] else { continue }
                counts[Int(number), default: 0] += 1
                versions[Int(number), default: []].insert(row.version)
            }
            #expect(acknowledged.isSubset(of: counts.keys))
            #expect(counts.count <= atMost)
            #expect(counts.allSatisfy { $0.value == batch($0.key).count })
            #expect(versions.allSatisfy { $0.value.count == 1 })
            #expect(Set(versions.values.compactMap(\.first)).count == versions.count)
        }

        /// Four writers load while the server crashes and comes back; what was in doubt is settled by its token, and
        /// a feed from before the first crash reports every commit once.
        ///
        /// A batch that is new must not exist, so a commit that was made twice would show as a failure.
        @Test(arguments: [1, 3])
        func aServerThatCrashesLosesNothingAndNothingIsThereTwice(restarts: Int) async throws {
            let server = try await OwnServer()
            let store = try await Self.open(server.url)
            let load = Load()
            let first = try await store.changes(after: 0)
            let acknowledged = try await withThrowingTaskGroup(of: Set<Int>.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        var done: Set<Int> = []
                        while !load.isEnding.load() {
                            let number = load.next.increment() - 1
                            let receipt = try await store.put(
                                "Note", Self.batch(number), mode: .insert, durability: .powerLoss)
                            #expect(receipt.putCount == Self.batch(number).count)
                            load.sequences.withLock { $0.append(receipt.sequence) }
                            done.insert(number)
                        }
                        return done
                    }
                }
                for round in 1...restarts {
                    while load.next.load() < round * 100 {
                        try await Task.sleep(for: .milliseconds(5))
                    }
                    try await server.control("restart")
                }
                let reached = load.next.load()
                while load.next.load() < reached + 100 {
                    try await Task.sleep(for: .milliseconds(5))
                }
                load.isEnding.store(true)
                return try await group.reduce(into: Set<Int>()) { $0.formUnion($1) }
            }
            #expect(acknowledged.count == load.next.load())
            try await Self.check(store, acknowledged: acknowledged, atMost: acknowledged.count)
            let sequences = load.sequences.withLock { $0.sorted() }
            #expect(try await Self.delivered(first, through: sequences.last ?? 0) == sequences)
            try await store.close()
            await server.stop()
        }

        /// What a feed reports; it continues after a connection that was lost.
        private static func delivered(_ feed: any ChangeFeed, through last: UInt64) async throws -> [UInt64] {
            var feed = feed
            var sequences: [UInt64] = []
            while sequences.last ?? 0 < last {
                guard case .commits(let commits)? = try await feed.next() else { break }
                sequences += commits.map(\.sequence)
            }
            return sequences
        }

        @Test func anUnreachableServerIsReportedWithTheOutcomeOfTheCommit() async throws {
            let server = try await OwnServer()
            let store = try await Store.open(
                PostgreSQLAdapter(PostgreSQLConfiguration(server.url, waitTimeout: .milliseconds(300))),
                schema: StorageSchema(entities: [note]))
            try await store.put("Note", [noteRow("a")], durability: .powerLoss)
            let snapshot = try await store.snapshot()
            try await server.control("stop")
            let lost = await storageError { _ = try await snapshot.records([RecordKey("a")], of: "Note") }
            #expect(lost?.kind == .connectionLost)
            let read = await storageError { _ = try await store.records([RecordKey("a")], of: "Note") }
            #expect(read?.kind == .connectionLost)
            let write = await storageError { try await store.put("Note", [noteRow("b")]) }
            #expect(write?.kind == .connectionLost)
            #expect(write?.retry == .afterBackoff)
            await snapshot.close()
            try await server.control("start")
            #expect(try await store.cells(QueryPlan("Note")).first == noteRow("a"))
            try await store.close()
            await server.stop()
        }
    }
}

/// What the writers of a load share.
private final class Load: Sendable {
    let next = Mutex(0)
    let isEnding = Mutex(false)
    let sequences = Mutex<[UInt64]>([])
}

/// A server for one test, which may crash it; gone with this object.
private final class OwnServer {
    let url: String
    private let process: WorkerProcess
    private let program: String

    init() async throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        process = try WorkerProcess(
            executable: root.appendingPathComponent("Tests/scripts/with-postgresql").path,
            arguments: [
                "sh", "-c", "echo \"$HOLDFAST_POSTGRESQL_URL $HOLDFAST_POSTGRESQL_CONTROL\"; cat >/dev/null",
            ],
            takesInput: true)
        var words: [Substring] = []
        for await line in process.lines {
            words = line.split(whereSeparator: \.isWhitespace)
            break
        }
        guard words.count == 2 else { throw StorageError(.io, "The server did not start.") }
        url = String(words[0])
        program = String(words[1])
    }

    deinit { process.closeInput() }

    /// `stop` as by a crash, `start`, or both.
    func control(_ verb: String) async throws {
        let end = try await WorkerProcess(executable: program, arguments: [verb]).end()
        if end.code != 0 { throw StorageError(.io, "The server did not \(verb).") }
    }

    /// Ends the server for good.
    func stop() async {
        process.closeInput()
        _ = await process.end()
    }
}
#endif
