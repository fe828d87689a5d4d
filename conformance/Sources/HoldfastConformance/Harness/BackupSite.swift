/// A place for a backup.
public struct BackupSite: Sendable {
    /// What ``HoldfastStorage/StorageAdapter/backUp(to:)`` is told; nothing exists there yet.
    public let destination: String
    /// The site at which the backup can be opened afterwards.
    public let site: any StoreSite

    /// Creates a place.
    public init(destination: String, site: any StoreSite) {
        self.destination = destination
        self.site = site
    }
}
