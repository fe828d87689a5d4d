/// Why the store did not do what it was asked.
package enum StoreFailure: Error, Sendable, Hashable {
    /// Another process synchronizes the store now, or it was cleared.
    case fenceLost
    /// Another failure, in words.
    case failed(String)
}
