import Synchronization

/// The site of the store that a differential run has made last.
final class SitesOfStores: Sendable {
    private let site = Mutex<(any StoreSite)?>(nil)

    /// Takes a new site for the last, and returns the one before.
    func replace(_ site: any StoreSite) -> (any StoreSite)? {
        self.site.withLock { last in
            defer { last = site }
            return last
        }
    }

    func last() throws -> any StoreSite {
        guard let site = site.withLock({ $0 }) else { throw HarnessFailure("There is no store to open again.") }
        return site
    }
}
