import AWSDataStorePlugin
import Amplify
import HoldfastStorage
import HoldfastTestSupport

/// The events of the DataStore, as text, and a way to wait for more.
final class HubLog: Sendable {
    private let log = EventLog<HubPayload>()
    private let token = Mutex<UnsubscribeToken?>(nil)

    /// Listens from now on.
    init() {
        let listening = Amplify.Hub.listen(to: .dataStore) { [log] in log.add($0) }
        token.withLock { $0 = listening }
    }

    /// All events so far.
    var events: [HubPayload] { log.events }

    /// All events so far in words.
    var lines: [String] { events.map(Self.line) }

    func count(_ line: String) -> Int { lines.count { $0 == line } }

    /// Waits until something holds; it is looked at again after each event.
    func wait(until holds: () async throws -> Bool) async throws { try await log.wait(until: holds) }

    func waitUntilReady(_ times: Int = 1) async throws { try await wait { count("ready") >= times } }

    func end() { if let token = token.withLock({ $0 }) { Amplify.Hub.removeListener(token) } }

    private static func line(_ event: HubPayload) -> String {
        let name = String(event.eventName.drop { $0 != "." }.dropFirst())
        switch event.data {
        case let status as NetworkStatusEvent: return "\(name) \(status.active)"
        case let status as OutboxStatusEvent: return "\(name) \(status.isEmpty)"
        case let started as SyncQueriesStartedEvent: return "\(name) \(started.models.joined(separator: " "))"
        case let synced as ModelSyncedEvent:
            return "\(name) \(synced.modelName) \(synced.isFullSync ? "full" : "")\(synced.isDeltaSync ? "delta" : "") "
                + "+\(synced.added) ~\(synced.updated) -\(synced.deleted)"
        case let mutation as OutboxMutationEvent:
            let element = mutation.element
            let service = element.version.map { " v\($0) deleted \(element.deleted ?? false)" } ?? ""
            return "\(name) \(mutation.modelName) \(element.model.identifier)\(service)"
        case let event as MutationEvent:
            return "\(name) \(event.mutationType) \(event.modelName) \(event.modelId) v\(event.version ?? 0)"
        default: return name
        }
    }
}
