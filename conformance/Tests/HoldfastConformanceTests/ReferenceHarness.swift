import HoldfastConformance
import HoldfastStorage
import HoldfastTestSupport

/// The reference behind the adapter contract, right or with a change.
struct ReferenceHarness: AdapterHarness {
    let name = "model"
    var levels: Set<Level> = [.core, .query, .transactional]
    var waivers: [Waiver] = []
    var wrap: @Sendable (any StorageAdapter) -> any StorageAdapter = { $0 }
    /// Whether all locations are one.
    var sharesLocations = false

    private static let lastNumber = Mutex(0)
    private static let shared = ModelLocation(address: "shared") { ReferenceAdapter() }

    func makeLocation() async throws -> any StoreLocation {
        if sharesLocations { return Self.shared }
        let number = Self.lastNumber.increment()
        return ModelLocation(address: "model-\(number)") { [wrap] in wrap(ReferenceAdapter()) }
    }
}

private struct ModelLocation: StoreLocation {
    let address: String
    let make: @Sendable () -> any StorageAdapter
    func makeAdapter() throws -> any StorageAdapter { make() }
    func remove() async {}
}
