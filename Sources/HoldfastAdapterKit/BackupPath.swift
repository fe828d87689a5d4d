/// Where backups are written.
package enum BackupPath {
    /// A path for a backup that is not complete, so that a copy that fails or is cut short is never taken for one.
    ///
    /// Each backup has one of its own, since several may write to one destination. With one path for all, one backup
    /// would delete what another writes, or take it before it is complete.
    ///
    /// - Parameter destination: The path of the complete backup.
    /// - Returns: A path beside it, with a random end.
    package static func partial(of destination: String) -> String {
        destination + ".partial-" + String(UInt64.random(in: 0 ... .max), radix: 36)
    }
}
