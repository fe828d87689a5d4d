/// This process, as other processes of the machine know it.
public struct RunningProcess: Sendable {
    /// A name that no other process has, also none of another machine, and none that ended before.
    public var name: String
    /// Whether the process of a name has certainly ended.
    ///
    /// `false` where that cannot be known, as for a process of another machine.
    public var hasEnded: @Sendable (_ name: String) -> Bool

    /// Creates what other processes know of this one.
    public init(name: String, hasEnded: @escaping @Sendable (_ name: String) -> Bool) {
        self.name = name
        self.hasEnded = hasEnded
    }
}
