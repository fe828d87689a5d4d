/// What an acknowledged commit survives.
public enum Durability: Sendable, Hashable, Comparable, CaseIterable {
    /// Nothing beyond the open store; fastest.
    case none
    /// A crash of the process, but not of the machine.
    case processCrash
    /// Loss of power, as long as the device keeps what it was asked to sync.
    case powerLoss
}
