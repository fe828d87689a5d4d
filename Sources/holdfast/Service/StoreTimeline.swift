#if CLI && Server
import HoldfastStorage

#if PostgreSQL
import HoldfastPostgreSQL
#endif

/// The timeline that the store of a command is in.
final class StoreTimeline: Sendable {
    private let adapter = Mutex<(any StorageAdapter)?>(nil)

    /// Keeps an eye on the adapters that are made.
    func noting(
        _ make: @escaping @Sendable () throws -> any StorageAdapter
    ) -> @Sendable () throws -> any StorageAdapter {
        {
            let made = try make()
            self.adapter.withLock { $0 = made }
            return made
        }
    }

    /// What the database calls it; `nil` before the store is open, and if the database has only one.
    var name: String? {
        #if PostgreSQL
        (adapter.withLock { $0 } as? PostgreSQLAdapter)?.timeline
        #else
        nil
        #endif
    }
}
#endif
