#if SQLite && (os(Linux) || os(macOS))
import CrashChild
import Foundation
import HoldfastAdapterTestSupport
import HoldfastEngine
import HoldfastSQLite
import HoldfastStorage
import HoldfastSyncTestSupport
import HoldfastTestSupport
import Testing

/// Devices whose process is killed while they synchronize, and devices of which several processes have one store.
@Suite struct KilledDeviceTests {
    static let lasting = TestedAdapter.available.filter { $0 != .memory }
    static let shared = lasting.filter { $0.rawValue != "leveldb" }

    /// Each process continues where the one before was killed, and is killed one step later than that one.
    ///
    /// A step is the begin or the end of a commit of the device or of the service.
    @Test(arguments: lasting) func whatIsKilledBetweenCommitsIsFinishedByTheNextProcess(adapter: TestedAdapter)
        async throws
    {
        let device = KilledDevice(adapter)
        var stopCount = 0
        for stop in 1...30 {
            let child = try device.start(edits: 2, stop: stop)
            if try await device.readLine(of: child, beginning: ["stopped", "ended"]) == "stopped \(stop)" {
                stopCount += 1
            }
            child.end()
            await child.wait()
        }
        #expect(stopCount >= 20)
        try await device.finish()
    }

    /// Each process continues where the one before was killed, at a random moment.
    ///
    /// `HOLDFAST_KILLS` says how many are killed on each adapter at least; 10 without it.
    @Test(arguments: lasting) func whatIsKilledAtRandomMomentsIsFinishedByTheNextProcess(adapter: TestedAdapter)
        async throws
    {
        let device = KilledDevice(adapter)
        let killCount = ProcessInfo.processInfo.environment["HOLDFAST_KILLS"].flatMap { Int($0) } ?? 10
        // One that is left alone says how long the others could take.
        let first = try device.start(edits: 2)
        _ = try await device.readLine(of: first, beginning: ["opened"])
        let start = ContinuousClock.now
        #expect(try await device.readLine(of: first, beginning: ["ended"]) == "ended")
        var longest = (ContinuousClock.now - start) / .microseconds(1)
        await first.wait()

        var (count, unfinishedCount) = (0, 0)
        repeat {
            let child = try device.start(edits: 2, lifetime: Int(Double.random(in: 1...max(2, longest))))
            let isFinished = try await device.readLine(of: child, beginning: ["ended"]) == "ended"
            child.end()
            await child.wait()
            count += 1
            if !isFinished { unfinishedCount += 1 }
            // A machine that is less busy now would let all of them finish.
            longest *= isFinished ? 0.5 : 1.2
        } while count < killCount || unfinishedCount == 0
        try await device.finish()
    }

    /// A second process, for which the lease is over, does all the work while the first is in the middle of it.
    @Test(arguments: shared) func aProcessThatLostTheLeaseWritesNothing(adapter: TestedAdapter) async throws {
        let device = KilledDevice(adapter)
        var refusalCount = 0
        for stop in stride(from: 1, through: 45, by: 4) {
            let first = try device.start(edits: 2, stop: stop)
            let isStopped = try await device.readLine(of: first, beginning: ["stopped", "ended"]).hasPrefix("stopped")
            if isStopped {
                let second = try device.start()
                #expect(try await device.readLine(of: second, beginning: ["ended"]) == "ended")
                await second.wait()
                first.resume()
                let outcome = try await device.readLine(of: first, beginning: ["committed", "refused", "ended"])
                if outcome == "refused" { refusalCount += 1 }
            }
            first.end()
            await first.wait()
        }
        #expect(refusalCount > 0)
        try await device.finish()
    }
}

/// The stores of a device and of its service, in which one process works after the other.
private final class KilledDevice {
    private let device: TestLocation
    private let service = TestLocation(.sqlite)
    /// How many edits were acknowledged.
    private var editCount = 0
    private var processCount = 0

    init(_ adapter: TestedAdapter) { device = TestLocation(adapter) }

    /// Starts a process that makes edits, and then synchronizes.
    ///
    /// Its clock is an hour ahead of the one before, so that the lease of that one is over.
    func start(edits count: Int = 0, stop: Int = 0, lifetime: Int = 0) throws -> ChildProcess {
        processCount += 1
        let address = device.adapter.rawValue == "postgresql" ? device.schemaName : device.path
        return try ChildProcess(
            "CrashChild",
            [
                "sync", device.adapter.rawValue, address, service.path, "\(editCount)", "\(count)", "\(stop)",
                "\(processCount * 3_600)", "\(lifetime)",
            ])
    }

    /// The next line that begins with one of some words; counts the edits of the lines before.
    func readLine(of child: ChildProcess, beginning words: [String]) async throws -> String {
        while let line = await child.readLine() {
            if line.hasPrefix("edited ") { editCount += 1 }
            try #require(!line.hasPrefix("failed"), "\(line)")
            if words.contains(where: { line.hasPrefix($0) }) { return line }
        }
        return ""
    }

    /// Lets a last process finish; then device and service hold each edit once.
    func finish() async throws {
        // With the edit that may have been made without an acknowledgment.
        let last = try start(edits: 1)
        #expect(try await readLine(of: last, beginning: ["ended"]) == "ended")
        await last.wait()

        let expected = SyncScenario.records(after: editCount)
        let stored = try await Store.openAsStored { [service] in service.make(isReadOnly: true) }
        let entity = try stored.schema.entity(named: "Note")
        let rows = try await stored.rows(QueryPlan("Note"))
        let positions = try ["id", "title", "_version"].map { try #require(entity.position(of: $0)) }
        var found: Set<String> = []
        for row in rows {
            guard case .text(let id) = row[positions[0]], case .text(let title) = row[positions[1]],
                case .integer(let version) = row[positions[2]]
            else { throw UnexpectedRow() }
            found.insert(id)
            #expect(title == expected[id]?.title)
            // Edits that wait become one mutation.
            #expect(version <= expected[id]?.editCount ?? 0, "\(id) was written \(version) times")
        }
        #expect(found == Set(expected.keys))
        try await stored.close()

        let store = try await DataStore.open(device.make(), models: [Note.self, Remark.self])
        let titles = try await store.query(Note.self).map { ($0.id, $0.title) }
        #expect(Dictionary(uniqueKeysWithValues: titles) == expected.mapValues(\.title))
        #expect(try await store.outboxCount() == 0)
        #expect(try await store.deadLetters().isEmpty)
        try await store.close()
    }

    private struct UnexpectedRow: Error {}
}
#endif
