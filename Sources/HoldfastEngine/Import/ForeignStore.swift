public import HoldfastStorage

/// A store that another product wrote, from which records are taken over.
///
/// It knows that product's formats only: which values a record of an entity has, what a service said of it, and which
/// changes are unsent. ``DataStore/importRecords(from:batchSize:repeatsFinished:progress:)`` decides what to do with
/// them. Nothing in the store is ever changed, and all calls see it as it was when it was opened.
public protocol ForeignStore: Sendable {
    /// Distinguishes this store from others that are imported into the same target; the same whenever it is opened.
    var name: String { get }

    /// The entities that hold records of an application, without those the product keeps for itself, by name.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.closed`, `.corruption`, `.io`, as all calls.
    func entities() async throws(StorageError) -> [ForeignEntity]

    /// The next records of an entity in the order of their positions, which lasts as long as the store is open.
    ///
    /// - Returns: As many as the request allows; fewer only at the end.
    func records(_ request: ForeignRecordRequest) async throws(StorageError) -> [ForeignRecord]

    /// What the service said of records that it has deleted or whose deletion is unsent, in batches as ``records(_:)``.
    ///
    /// - Parameters:
    ///   - position: The batch begins after it; `nil` for the first.
    ///   - limit: The largest number of records; at least 1.
    /// - Returns: The next batch, in the order of positions; fewer than `limit` only at the end.
    /// - Throws: As ``entities()``.
    func tombstones(after position: Int64?, limit: Int) async throws(StorageError) -> [ForeignMetadata]

    /// How far entities were synchronized with the service.
    func states() async throws(StorageError) -> [ForeignState]

    /// The changes that the service has not confirmed, oldest first, without values.
    func mutations() async throws(StorageError) -> [ForeignMutation]

    /// The key that an identifier of a record represents, or `nil` if it cannot be determined.
    ///
    /// - Parameters:
    ///   - identifier: As in the store's metadata and mutations.
    ///   - entity: The record's entity; the key's cells need not be in canonical form.
    /// - Returns: A key with a cell for each field of the entity's primary key.
    func key(_ identifier: String, of entity: EntitySchema) -> RecordKey?

    /// Releases the store; idempotent.
    func close() async
}
