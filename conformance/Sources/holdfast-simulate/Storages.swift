import Foundation
import HoldfastSimulation
import HoldfastStorage

#if SQLite
import HoldfastSQLite
#endif
#if LevelDB
import HoldfastLevelDB
#endif

/// The places where clients of a run keep their records.
struct Storages {
    private let directory: URL
    private let schema: SimulatedSchema

    /// The storages of this build.
    static var names: [String] {
        var names = [Scenario.memory]
        #if SQLite
        names.append("sqlite")
        #endif
        #if LevelDB
        names.append("leveldb")
        #endif
        return names
    }

    init(_ schema: SimulatedSchema) {
        self.schema = schema
        directory = FileManager.default.temporaryDirectory.appending(
            path: "holdfast-simulate-\(ProcessInfo.processInfo.processIdentifier)")
    }

    /// Runs a scenario in an empty directory.
    func run(_ scenario: Scenario, keepsTimeline: Bool = false) -> RunReport {
        remove()
        let directory = directory
        return SimulationRun(scenario, of: schema, keepsTimeline: keepsTimeline) { storage, name in
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            let path = directory.appending(path: name).path(percentEncoded: false)
            switch storage {
            #if SQLite
            case "sqlite": return SQLiteAdapter(SQLiteConfiguration(.file(path)))
            #endif
            #if LevelDB
            case "leveldb": return LevelDBAdapter(LevelDBConfiguration(.directory(path)))
            #endif
            default: throw StorageError(.unsupported, "This build has no adapter for '\(storage)'.")
            }
        }.report()
    }

    func remove() { try? FileManager.default.removeItem(at: directory) }
}
