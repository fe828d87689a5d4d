#if SQLite
import Foundation
import HoldfastEngine
import HoldfastSQLite
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastSyncTestSupport
import HoldfastTestSupport

#if LevelDB
import HoldfastLevelDB
#endif
#if PostgreSQL
import HoldfastPostgreSQL
#endif

/// A device and its service in one process, which stops between two commits of either.
struct SyncingChild {
    /// The device's adapter.
    let adapter: String
    /// The device's store: a path, or the name of a schema.
    let address: String
    /// The file of the service's store.
    let servicePath: String
    /// The edits that are still to be made.
    let edits: Range<Int>
    /// The step at which it stops: odd before a commit, even after it; 0 for none.
    let stop: Int
    /// How far the device's clock is ahead, in seconds.
    let clockOffset: Int64
    /// After how many microseconds the process kills itself, from when the store is open; 0 for never.
    let lifetime: Int

    /// Reads `<adapter> <address> <service path> <first edit> <edit count> <stop> <clock offset> <lifetime>`.
    init?(_ arguments: [String]) {
        guard arguments.count == 8 else { return nil }
        let numbers = arguments[3...].compactMap(Int.init)
        guard numbers.count == 5 else { return nil }
        (adapter, address, servicePath) = (arguments[0], arguments[1], arguments[2])
        edits = numbers[0]..<numbers[0] + numbers[1]
        (stop, clockOffset, lifetime) = (numbers[2], Int64(numbers[3]), numbers[4])
    }

    func run() async throws {
        let steps = Steps(stop)
        let service = try await LocalService.open(.optimisticConcurrency, .system) {
            steps.counting(SQLiteAdapter(path: servicePath))
        }
        var surroundings = Surroundings.system
        let (wall, offset) = (surroundings.wallMicroseconds, clockOffset)
        surroundings.wallMicroseconds = { wall() + offset * 1_000_000 }
        let device = try await Device.open(steps.counting(try makeAdapter()), service, surroundings)
        CrashChild.say("opened")
        if lifetime > 0 {
            // A thread of its own, so that it interrupts any work in progress.
            Thread.detachNewThread { [lifetime] in
                usleep(UInt32(lifetime))
                kill(getpid(), SIGKILL)
            }
        }
        for number in edits {
            try await SyncScenario.make(number, in: device.store)
            CrashChild.say("edited \(number)")
        }
        _ = await device.engine.start()
        try await device.waitUntilReady()
        try await device.waitUntilSent()
        CrashChild.say("sent")
        try await device.end()
        CrashChild.say("ended")
    }

    private func makeAdapter() throws -> any StorageAdapter {
        #if LevelDB
        if adapter == "leveldb" { return LevelDBAdapter(path: address) }
        #endif
        #if PostgreSQL
        if adapter == "postgresql", let url = PostgreSQLServer.url {
            return PostgreSQLAdapter(PostgreSQLConfiguration(url, schema: address, waitTimeout: .seconds(600)))
        }
        #endif
        guard adapter == "sqlite" else { exit(69) }
        return SQLiteAdapter(path: address)
    }

    /// Counts the begins and ends of commits, and stops at one; says how a commit ended before which it stopped.
    private final class Steps: Sendable {
        private let stop: Int
        private let count = Mutex(0)

        init(_ stop: Int) { self.stop = stop }

        func counting(_ adapter: any StorageAdapter) -> any StorageAdapter {
            let stopped = Mutex<Int?>(nil)
            return InterceptedAdapter(
                adapter,
                beforeCommit: { attempt, _ throws(StorageError) in
                    if self.takeStep() { stopped.withLock { $0 = attempt } }
                },
                afterCommit: { attempt, error in
                    self.takeStep()
                    if stopped.withLock({ $0 == attempt }) { CrashChild.say(error == nil ? "committed" : "refused") }
                })
        }

        /// Whether it stopped.
        @discardableResult
        private func takeStep() -> Bool {
            let number = count.increment()
            if number == stop { CrashChild.pause(at: number) }
            return number == stop
        }
    }
}
#endif
