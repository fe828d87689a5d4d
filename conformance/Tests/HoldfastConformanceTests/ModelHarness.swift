import HoldfastConformance
import HoldfastStorage
import HoldfastTestSupport
import Synchronization

/// The executable model behind the adapter contract, right or with a change.
struct ModelHarness: AdapterHarness {
    let name = "model"
    var levels: Set<Level> = [.core, .query, .transactional]
    var waivers: [Waiver] = []
    var wrap: @Sendable (any StorageAdapter) -> any StorageAdapter = { $0 }
    /// Whether all sites are one.
    var sharesSites = false

    private static let lastNumber = Atomic(0)
    private static let shared = ModelSite(address: "shared") { ModelAdapter() }

    func makeSite() async throws -> any StoreSite {
        if sharesSites { return Self.shared }
        let number = Self.lastNumber.add(1, ordering: .relaxed).newValue
        return ModelSite(address: "model-\(number)") { [wrap] in wrap(ModelAdapter()) }
    }
}

private struct ModelSite: StoreSite {
    let address: String
    let make: @Sendable () -> any StorageAdapter
    func makeAdapter() throws -> any StorageAdapter { make() }
    func remove() async {}
}
