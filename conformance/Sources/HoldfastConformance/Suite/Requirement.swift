public import HoldfastStorage

/// What an adapter must have for a clause to apply to it.
///
/// If the adapter declares that it does not have it, the clause asks instead that the request is refused and nothing
/// changes.
public enum Requirement: Sendable, Hashable {
    /// A feature that may be declared unsupported.
    case feature(Capabilities.Feature)
    /// Commits of at least this durability.
    case durability(Durability)
    /// All of several.
    case all([Requirement])
    /// A store that outlives its adapter: any durability above none.
    public static let persistence = Requirement.durability(.processCrash)

    /// Whether the declaration says that the adapter has it.
    public func isDeclared(by capabilities: Capabilities) -> Bool {
        switch self {
        case .feature(let feature): capabilities.support(for: feature) != .unsupported
        case .durability(let durability): capabilities.durability >= durability
        case .all(let requirements): requirements.allSatisfy { $0.isDeclared(by: capabilities) }
        }
    }

    /// Whether it asks for a store that outlives its adapter.
    var needsPersistence: Bool {
        switch self {
        case .feature: false
        case .durability(let durability): durability > .none
        case .all(let requirements): requirements.contains(where: \.needsPersistence)
        }
    }

    /// The first part that the adapter does not have, by its declaration.
    func missing(in capabilities: Capabilities) -> Requirement? {
        if case .all(let requirements) = self {
            return requirements.lazy.compactMap { $0.missing(in: capabilities) }.first
        }
        return isDeclared(by: capabilities) ? nil : self
    }
}
