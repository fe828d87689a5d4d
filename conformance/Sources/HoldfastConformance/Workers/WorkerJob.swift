import Foundation
import HoldfastStorage

/// What a child process can be asked to do.
enum WorkerJob: String, CaseIterable {
    /// Commits step after step of a ``CrashHistory`` and says which are acknowledged.
    case load
    /// Adds one to a counter a number of times, each time against what it read.
    case count
    /// Opens the store, says so, and waits to be killed.
    case hold
    /// Writes one record and closes the store.
    case write
    /// Opens a store that may be new and writes one record, each when it is asked to.
    case create
    /// Says what a record holds.
    case read
    /// Opens the store with a wider schema.
    case widen
    /// Opens the store with another schema and writes one record.
    case change
    /// Commits from several tasks at the same time.
    case lanes
    /// Migrates the store and kills itself on the way.
    case migrate
    /// Commits a part of a random history and may kill itself on the way.
    case replay
    /// Backs up the store and kills itself on the way.
    case backUp

    /// Does the job; what it says goes to standard output, line by line.
    func run(_ location: any StoreLocation, _ parameters: [String]) async throws {
        switch self {
        case .load: try await CrashWorker(parameters).run(at: location)
        case .count: try await SharedWork.count(at: location, Int(parameters.first ?? "") ?? 0)
        case .hold: try await SharedWork.hold(location)
        case .write: try await SharedWork.write(at: location, parameters)
        case .create: try await SharedWork.create(at: location, Int(parameters.first ?? "") ?? 0)
        case .read: try await SharedWork.read(at: location)
        case .widen: try await SharedWork.widen(location)
        case .change: try await SchemaWork.change(location, parameters)
        case .lanes: try await ConcurrentCommitWorker.load(location)
        case .migrate: try await MigrationWorker.run(at: location, parameters)
        case .replay: try await ReplayWorker(parameters).run(at: location)
        case .backUp: try await BackupWorker.run(at: location, parameters)
        }
    }

    /// Writes a line at once, without a buffer, so that it is out before the process dies.
    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
