#if SQLite && (os(Linux) || os(macOS))
import CrashChild
import Foundation
import HoldfastStorage
import HoldfastConformance
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

/// Migrations in processes that are killed, and in processes that do it at once.
@Suite(.serialized) struct MigrationCrashTests {
    /// The store before the migration; only copies of it are migrated.
    let original: MigratedStore

    init() async throws {
        original = MigratedStore()
        try await original.open([MigrationScenario.old, MigrationScenario.bystander]) { store in
            try await store.put(
                MigrationScenario.old, (0..<MigrationScenario.recordCount).map(MigrationScenario.row))
            try await store.put(MigrationScenario.bystander, [[.text("x"), .text("Ulm")]])
            try await store.put(Self.entries)
        }
    }

    static let entries: [OutboxEntry] =
        (0..<50).map {
            OutboxEntry(
                model: "Person", key: "p\(10_000 + $0)", position: Int64($0), operation: .update,
                changedFields: ["name", "visits"])
        } + [
            OutboxEntry(model: "Person", key: "gone", position: 90, operation: .delete, payload: "{}"),
            OutboxEntry(model: "Place", key: "x", position: 91, operation: .create),
        ]

    func copy() throws -> MigratedStore {
        let copy = MigratedStore()
        try FileManager.default.copyItem(atPath: original.path, toPath: copy.path)
        return copy
    }

    func migrate(
        _ stored: MigratedStore, _ scenario: MigrationScenario, stopAt record: Int? = nil,
        busyMilliseconds: Int = 600_000
    ) throws -> ChildProcess {
        try ChildProcess(
            "CrashChild",
            ["migrate", stored.path, scenario.rawValue, "\(busyMilliseconds)"] + (record.map { ["\($0)"] } ?? []))
    }

    /// Looks at a store after a kill: the old models open it if it is as before, else it is all new; then it is
    /// migrated, now or before, and everything is there once.
    ///
    /// - Returns: Whether it was migrated when it was found.
    func check(_ stored: MigratedStore, _ scenario: MigrationScenario) async throws -> Bool {
        var isMigrated = false
        do {
            let rows = try await stored.dump([MigrationScenario.old, MigrationScenario.bystander])
            #expect(
                rows["Person"]?.map(\.cells) == (0..<MigrationScenario.recordCount).map(MigrationScenario.row))
            #expect(rows["__outbox"]?.compactMap { OutboxEntry($0.cells[...]) }.count == Self.entries.count)
        } catch let error as StorageError {
            #expect(error.kind == .schemaMismatch)
            isMigrated = true
        }
        for _ in 0..<2 {
            try await stored.open(scenario.models, scenario.policy()) { store in
                let cells = try await store.cells(scenario.models[0].name)
                #expect(cells == (0..<MigrationScenario.recordCount).compactMap(scenario.migrated))
                #expect(try await store.cells("Place") == [[.text("x"), .text("Ulm")]])
                #expect(try await store.entries() == expectedEntries(scenario))
            }
        }
        return isMigrated
    }

    func expectedEntries(_ scenario: MigrationScenario) -> [OutboxEntry] {
        Self.entries.compactMap { entry in
            var entry = entry
            guard entry.model == "Person" else { return entry }
            switch scenario {
            case .additive: return entry
            case .rebuild: return nil
            case .stepped:
                entry.model = "Human"
                if entry.operation == .update { entry.changedFields = ["called", "visits"] }
                return entry
            }
        }
    }

    @Test(arguments: [0, 1, 255, MigrationScenario.recordCount - 1])
    func aProcessKilledBeforeARecordLeavesTheOldStore(_ record: Int) async throws {
        let stored = try copy()
        let child = try migrate(stored, .stepped, stopAt: record)
        #expect(await child.readLine() == "opening")
        #expect(await child.readLine() == "stopped \(record)")
        child.end()
        await child.wait()
        #expect(try await check(stored, .stepped) == false)
    }

    /// From the first instant to the last: the pauses grow from nothing to beyond what the migration takes, and one
    /// process is killed when it says that it has opened the store.
    @Test(arguments: MigrationScenario.allCases)
    func aProcessKilledAtAnyInstantLosesNothing(_ scenario: MigrationScenario) async throws {
        let opened = "opened \(scenario == .stepped ? MigrationScenario.recordCount : 0)"
        let undisturbed = try copy()
        // The launch is part of what is measured: on a busy machine a process may have opened the store before this
        // one reads its first line.
        let duration = try await ContinuousClock().measure {
            let whole = try migrate(undisturbed, scenario)
            #expect(await whole.readLine() == "opening")
            #expect(await whole.readLine() == opened)
            await whole.wait()
        }
        #expect(try await check(undisturbed, scenario))
        for instant in 0..<12 {
            let stored = try copy()
            let child = try migrate(stored, scenario)
            #expect(await child.readLine() == "opening")
            // What is waited for is an instant, not an event.
            usleep(UInt32(min(duration * Double(instant) / 8, .seconds(600)) / .microseconds(1)))
            child.end()
            await child.wait()
            _ = try await check(stored, scenario)
        }
        let stored = try copy()
        let child = try migrate(stored, scenario)
        #expect(await child.readLine() == "opening")
        #expect(await child.readLine() == opened)
        child.end()
        await child.wait()
        #expect(try await check(stored, scenario))
    }

    @Test func aWaitingProcessMigratesIfTheMigrationIsKilled() async throws {
        let stored = try copy()
        let killed = try migrate(stored, .stepped, stopAt: 1_500)
        #expect(await killed.readLine() == "opening")
        #expect(await killed.readLine() == "stopped 1500")
        let waiting = try migrate(stored, .stepped)
        #expect(await waiting.readLine() == "opening")
        killed.end()
        await killed.wait()
        #expect(await waiting.readLines() == ["opened \(MigrationScenario.recordCount)", "closed"])
        #expect(try await check(stored, .stepped))
    }

    @Test func openingDuringALongMigrationFailsAsBusy() async throws {
        let stored = try copy()
        let first = try migrate(stored, .stepped, stopAt: 1_500)
        #expect(await first.readLine() == "opening")
        #expect(await first.readLine() == "stopped 1500")
        let second = try migrate(stored, .stepped, busyMilliseconds: 300)
        #expect(await second.readLines() == ["opening", "failed \(StorageError.Kind.busy.rawValue)"])
        first.resume()
        #expect(await first.readLines() == ["opened \(MigrationScenario.recordCount)", "closed"])
        let third = try migrate(stored, .stepped)
        #expect(await third.readLines() == ["opening", "opened 0", "closed"])
        #expect(try await check(stored, .stepped))
    }

    @Test(arguments: MigrationScenario.allCases)
    func ofSeveralProcessesAtOnceOneMigrates(_ scenario: MigrationScenario) async throws {
        for _ in 0..<3 {
            let stored = try copy()
            var waiting = 3
            var transformed: [String] = []
            // A process that finds the store busy tries again.
            for _ in 0..<5 where waiting > 0 {
                let children = try (0..<waiting).map { _ in try migrate(stored, scenario) }
                for child in children {
                    let lines = await child.readLines()
                    if lines.count == 3 {
                        transformed.append(lines[1])
                        waiting -= 1
                    } else {
                        #expect(lines == ["opening", "failed \(StorageError.Kind.busy.rawValue)"])
                    }
                }
            }
            let once = scenario == .stepped ? MigrationScenario.recordCount : 0
            #expect(transformed.sorted() == ["opened 0", "opened 0", "opened \(once)"].sorted())
            #expect(try await check(stored, scenario))
        }
    }
}
#endif
