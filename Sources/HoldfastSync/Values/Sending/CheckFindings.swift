/// How the service's record compares with an uncertain mutation of it.
struct CheckFindings: OptionSet, Sendable {
    let rawValue: Int

    /// The version is above the one that the mutation builds on.
    static let isAboveBase = CheckFindings(rawValue: 1 << 0)
    /// It has all that was sent.
    static let equalsSent = CheckFindings(rawValue: 1 << 1)
    /// It shows that the service has merged the mutation.
    static let isMerged = CheckFindings(rawValue: 1 << 2)
    /// It was created after the record that the mutation builds on was forgotten, and has the same version by chance.
    static let isOtherLife = CheckFindings(rawValue: 1 << 3)
}
