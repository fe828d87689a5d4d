import Foundation
import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of time zones.
    static let temporalZones: [Mutant] = [
        Mutant(
            "dates-through-local-midnight", "A date is kept as the instant of its local midnight.", killedBy: "TIM-013",
            read: { value in
                guard case .date(var date) = value else { return value }
                let offset = localOffset(at: Int(date.daysSinceEpoch) * 86_400)
                if offset > 0 { date.daysSinceEpoch -= 1 }
                return .date(date)
            }),
        Mutant(
            "instants-through-the-local-clock", "An instant that a local clock shows twice is the first of the two.",
            killedBy: "TIM-013",
            read: { value in
                guard case .timestamp(var time) = value else { return value }
                let (before, now) = (
                    localOffset(at: Int(time.secondsSinceEpoch) - 3_600), localOffset(at: Int(time.secondsSinceEpoch))
                )
                if before > now { time.secondsSinceEpoch -= Int64(before - now) }
                return .timestamp(time)
            }),
    ]

    private static func localOffset(at instant: Int) -> Int {
        var instant = time_t(instant)
        var local = tm()
        localtime_r(&instant, &local)
        return local.tm_gmtoff
    }
}
