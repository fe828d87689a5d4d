#if Server
import HoldfastServer
import HoldfastStorage
import Logging
import ServiceLifecycle

/// Purges tombstones now and then.
struct PurgeTimer: Service {
    let server: SyncServer
    let interval: Duration
    let surroundings: Surroundings
    let logger: Logger

    func run() async throws {
        // A service that ends before the others would end them, too; this one ends only with them.
        await cancelWhenGracefulShutdown {
            while (try? await surroundings.sleep(interval)) != nil { await purge() }
        }
    }

    private func purge() async {
        do {
            let count = try await server.purgeTombstones()
            logger.debug("Tombstones were purged.", metadata: ["count": "\(count)"])
        } catch {
            logger.error("Tombstones could not be purged; the next try comes later.", metadata: ["error": "\(error)"])
        }
    }
}
#endif
