#if Sync
/// What a monitor of the device's networks reports, path by path.
struct PathNews: Sendable {
    private var last: (isUp: Bool, interface: String?)?

    /// Takes in a path: whether it can be used, and the interface that it prefers, if that is known.
    ///
    /// A connection over an interface that is no longer preferred may be dead, and nothing shows that. So a path over
    /// another interface counts as a network that was missing for a moment.
    ///
    /// - Returns: What is new, in order; nothing if that is as before.
    mutating func take(isUp: Bool, interface: String?) -> [Bool] {
        let before = last
        last = (isUp, interface)
        guard let before, before.isUp == isUp else { return [isUp] }
        guard isUp, let old = before.interface, let interface, old != interface else { return [] }
        return [false, true]
    }
}
#endif
