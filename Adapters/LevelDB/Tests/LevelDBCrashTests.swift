#if LevelDB
import Foundation
import HoldfastAdapterTestSupport
import HoldfastLevelDB
import HoldfastStorage
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// Children that load a store and are killed in the middle of it.
@Suite(.serialized) struct LevelDBCrashTests {
    /// The file that tells a test's child where its store is, and after how many commits it dies.
    ///
    /// Other suites read the environment at the same time, so it must not change.
    private static func order(from parent: Int32) -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-crash-\(parent)").path
    }

    @Test(arguments: [20, 150, 400])
    func aKilledProcessLosesNothingItAcknowledged(count: Int) async throws {
        let directory = TemporaryDirectory()
        let order = Self.order(from: getpid())
        defer { unlink(order) }
        try "\(count) \(directory.path)".write(toFile: order, atomically: true, encoding: .utf8)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            let words = try String(contentsOfFile: Self.order(from: getppid()), encoding: .utf8)
                .split(separator: " ", maxSplits: 1)
            try await Self.load(String(words[1]), untilKilledAt: Int(words[0]) ?? 0)
        }
        let acknowledged = try String(contentsOfFile: directory.file("acknowledged"), encoding: .utf8)
            .split(separator: "\n")
        #expect(acknowledged.count >= count)
        let store = try await Store.open(directory.file(), Self.entity)
        for id in acknowledged {
            #expect(try await store.record("Note", [.text(String(id))]) != nil)
        }
        // Both records of a commit, or none.
        for row in try await store.rows(QueryPlan("Note"), batch: 1_000) {
            guard case .text(let id) = row[0], !id.hasSuffix("+") else { continue }
            #expect(try await store.record("Note", [.text(id + "+")]) != nil)
        }
        #expect(try await store.verify().isEmpty)
        try await store.close()
    }

    private static let entity = EntitySchema(
        "Note", fields: note.fields, indexes: [IndexSchema("byRank", on: ["rank"])])

    /// Commits that were acknowledged to this process.
    private static let acknowledged = Mutex(0)

    /// Commits from several tasks, writes down each commit once it is acknowledged, and kills the process.
    private static func load(_ path: String, untilKilledAt count: Int) async throws {
        let configuration = LevelDBConfiguration(
            .directory(path + "/store"), writeBufferByteCount: 64 << 10)
        let store = try await Store.open(
            LevelDBAdapter(configuration), schema: StorageSchema(entities: [entity]))
        let log = open(path + "/acknowledged", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0... {
                        let id = "\(task)-\(number)"
                        let text = String(repeating: "x", count: 500)
                        try await store.put(
                            "Note",
                            [noteRow(id, text, Int64(number)), noteRow(id + "+", text, Int64(number))],
                            durability: number % 3 == 0 ? .processCrash : .powerLoss)
                        let line = id + "\n"
                        _ = line.withCString { write(log, $0, line.utf8.count) }
                        if acknowledged.increment() >= count { kill(getpid(), SIGKILL) }
                    }
                }
            }
        }
    }
}
#endif
