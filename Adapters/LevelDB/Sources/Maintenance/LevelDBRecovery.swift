#if LevelDB
/// What opening a store found in its log.
public struct LevelDBRecovery: Sendable, Hashable {
    /// Bytes of the log that was read again; also after an ordinary close.
    public var logByteCount: Int
    /// Bytes at the end of the log that were dropped: from the first write on that was not whole.
    ///
    /// The process or the machine ended before they were synced. No commit that was acknowledged as durable is among
    /// them, unless the device lied or the end of the log was damaged later.
    public var tornByteCount: Int

    /// Creates a report.
    public init(logByteCount: Int = 0, tornByteCount: Int = 0) {
        self.logByteCount = logByteCount
        self.tornByteCount = tornByteCount
    }
}
#endif
