import HoldfastSchema
import HoldfastStorage

/// Whether an identity may do something with the records of a model.
enum Right: Sendable, Hashable {
    /// With all of them.
    case allow
    /// With none of them.
    case deny
    /// With those that match.
    case when(Predicate)

    /// The records for which this holds.
    var predicate: Predicate {
        switch self {
        case .allow: .all
        case .deny: .constant(false)
        case .when(let predicate): predicate
        }
    }

    /// Whether it holds for all that another one holds for, and for those.
    func or(_ other: Right) -> Right {
        switch (self, other) {
        case (.allow, _), (_, .allow): .allow
        case (.deny, let other): other
        case (let this, .deny): this
        case (.when(let first), .when(let second)): .when(.or([first, second]))
        }
    }

    func and(_ other: Right) -> Right {
        switch (self, other) {
        case (.deny, _), (_, .deny): .deny
        case (.allow, let other): other
        case (let this, .allow): this
        case (.when(let first), .when(let second)): .when(.and([first, second]))
        }
    }
}
