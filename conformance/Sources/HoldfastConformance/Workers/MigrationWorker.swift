import Foundation
import HoldfastStorage

/// A child that migrates a store and dies on the way.
enum MigrationWorker {
    /// Opens the store with the migration and closes it.
    ///
    /// - Parameters:
    ///   - location: Where the store is.
    ///   - parameters: Where it dies: at the record of a number, or once it is `asked` for the migration, has `opened`
    ///     or `closed` the store; anything else if it is killed from outside.
    /// - Throws: The error of opening or closing the store.
    static func run(at location: any StoreLocation, _ parameters: [String]) async throws {
        let point = parameters.first ?? ""
        @Sendable func dieIf(_ isHere: Bool) {
            guard isHere else { return }
            kill(getpid(), SIGKILL)
            while true { sleep(1) }
        }
        let store = try await Store.open(
            try location.makeAdapter(), schema: StorageSchema(entities: [RowNumber.target, .others])
        ) { _ in
            dieIf(point == "asked")
            return RowNumber.migration { number in
                if number == 699 { WorkerJob.say("last") }
                dieIf(point == "\(number)")
            }
        }
        dieIf(point == "opened")
        try await store.close()
        dieIf(point == "closed")
        WorkerJob.say("migrated")
    }
}
