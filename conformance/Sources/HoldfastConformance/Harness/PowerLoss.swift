/// How a location loses power: everything that the back end did not sync is gone.
public enum PowerLoss: Sendable {
    /// The store is what this directory holds, and the process that opened it writes it.
    ///
    /// The suite watches the directory from inside that process and undoes what was not synced. The directory need not
    /// exist before the store is opened.
    case directory(String)
    /// Another process writes the store: the call ends the back end as a loss of power would, and brings it up again.
    ///
    /// Handles from before fail from then on; ``StoreLocation/makeAdapter()`` gives handles on what survived.
    case backend(@Sendable () async throws -> Void)
}
