public import HoldfastStorage

/// What carries out groups of commits for a ``CommitQueue``; called on its thread only, one call after the other.
public protocol GroupWriter: Sendable {
    /// Gets ready for a group; may block, and commits that arrive meanwhile join it.
    ///
    /// - Parameter durability: The strongest that a commit of the group asks for.
    /// - Throws: ``/HoldfastStorage/StorageError`` that ends the commits that waited; nothing was begun then.
    func begin(_ durability: Durability) throws(StorageError)

    /// Checks and applies commits in order, each as if those before were acknowledged, and makes them durable.
    ///
    /// - Parameters:
    ///   - requests: The group; empty if all were cancelled meanwhile.
    ///   - durability: What all of them must survive when this returns.
    /// - Returns: One outcome for each request. One that fails has changed nothing.
    func commit(_ requests: [CommitRequest], _ durability: Durability) -> [Result<CommitReceipt, StorageError>]

    /// Does work that no commit should wait for, after a group was acknowledged.
    func settle()
}

extension GroupWriter {
    /// Needs no preparation.
    public func begin(_ durability: Durability) throws(StorageError) {}

    /// Has nothing left to do.
    public func settle() {}
}
