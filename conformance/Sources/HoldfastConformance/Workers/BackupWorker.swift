import HoldfastStorage

/// A child that backs up a store and dies on the way.
enum BackupWorker {
    /// Opens the store and backs it up.
    ///
    /// - Parameters:
    ///   - location: Where the store is.
    ///   - parameters: The destination, with what the paths of its files begin, and the write at which it dies.
    /// - Throws: ``HarnessFailure`` if the parameters are not these three, or the error of opening, backing up or
    ///   closing the store.
    static func run(at location: any StoreLocation, _ parameters: [String]) async throws {
        guard parameters.count == 3, let number = Int(parameters[2]) else {
            throw HarnessFailure("The worker does not know where to back up to.")
        }
        let store = try await Store.open(
            try location.makeAdapter(), schema: StorageSchema(entities: [.entries]))
        DiskFaults(path: parameters[1]).fail(.write, number: number, error: 0)
        try await store.backUp(to: parameters[0])
        WorkerJob.say("backed up")
        try await store.close()
    }
}
