import Synchronization

/// A service, and which of its records were changed how often.
final class RunningErrands: Sendable {
    let service: RunningService
    let directory: String
    private let next = Mutex((number: 0, version: 1))

    init(service: RunningService, directory: String) {
        self.service = service
        self.directory = directory
    }

    /// Records that are all in one version, and will be changed once each.
    func takeNumbers(_ count: Int) -> (number: Int, version: Int) {
        next.withLock { next in
            if next.number + count > service.service.recordCount { next = (0, next.version + 1) }
            defer { next.number += count }
            return next
        }
    }
}
