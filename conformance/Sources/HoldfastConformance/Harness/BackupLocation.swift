/// A place for a backup.
public struct BackupLocation: Sendable {
    /// The argument of ``HoldfastStorage/StorageAdapter/backUp(to:)``; nothing exists there yet.
    public let destination: String
    /// The location at which the backup can be opened afterwards.
    public let location: any StoreLocation

    /// Creates a place.
    public init(destination: String, location: any StoreLocation) {
        self.destination = destination
        self.location = location
    }
}
