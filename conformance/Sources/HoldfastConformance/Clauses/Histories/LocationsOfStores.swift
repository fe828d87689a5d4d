import HoldfastStorage

/// The location of the store that a differential run has made last.
final class LocationsOfStores: Sendable {
    private let location = Mutex<(any StoreLocation)?>(nil)

    /// Takes a new location for the last, and returns the one before.
    func replace(_ location: any StoreLocation) -> (any StoreLocation)? {
        self.location.withLock { last in
            defer { last = location }
            return last
        }
    }

    func last() throws -> any StoreLocation {
        guard let location = location.withLock({ $0 }) else { throw HarnessFailure("There is no store to open again.") }
        return location
    }
}
