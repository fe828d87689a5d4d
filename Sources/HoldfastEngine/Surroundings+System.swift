import Foundation
public import HoldfastStorage

extension Surroundings {
    /// The clocks and the randomness of the system.
    public static let system: Surroundings = {
        let start = ContinuousClock.now
        return Surroundings(
            wallMicroseconds: { Int64(Date().timeIntervalSince1970 * 1_000_000) },
            uptime: { ContinuousClock.now - start }, sleep: { try await Task.sleep(for: $0) },
            random: { .random(in: .min ... .max) }, process: .current(run: UUID().uuidString))
    }()

    /// The surroundings of the system with another wall clock.
    ///
    /// - Parameter now: Microseconds since 1970-01-01T00:00:00Z.
    /// - Returns: Surroundings whose wall clock is `now`; everything else is the system's.
    package static func system(now: @escaping @Sendable () -> Int64) -> Surroundings {
        var surroundings = system
        surroundings.wallMicroseconds = now
        return surroundings
    }
}
