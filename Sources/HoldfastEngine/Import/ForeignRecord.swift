public import HoldfastStorage

/// A record of a ``ForeignStore``, in the shape of the entity that will hold it.
public struct ForeignRecord: Sendable, Hashable {
    /// Its place in the store, by which a person finds it there.
    public var position: Int64
    /// How the store's metadata and mutations call it.
    public var identifier: String
    /// A cell for each field of the entity, not yet checked or in canonical form; dates and times may be text, and a
    /// field that the store does not have is null.
    public var cells: [Value]
    /// What the service last said of it, if anything.
    public var metadata: ForeignMetadata?
    /// Why a cell cannot be understood, with names but without values; the cells are then worth nothing.
    public var fault: String?

    /// Creates a record.
    public init(
        position: Int64, identifier: String, cells: [Value], metadata: ForeignMetadata? = nil, fault: String? = nil
    ) {
        self.position = position
        self.identifier = identifier
        self.cells = cells
        self.metadata = metadata
        self.fault = fault
    }
}

/// Asks a ``ForeignStore`` for records.
public struct ForeignRecordRequest: Sendable, Hashable {
    /// The entity whose shape the records must have; the store has one of that name.
    public var entity: EntitySchema
    /// The entity's relations that hold a key: by name, the fields that the key's cells go to, in the key's order.
    public var relations: [String: [String]]
    /// The batch begins after this position; `nil` for the first.
    public var position: Int64?
    /// The largest number of records; at least 1.
    public var limit: Int

    /// Creates a request.
    public init(
        _ entity: EntitySchema, relations: [String: [String]] = [:], after position: Int64? = nil, limit: Int
    ) {
        self.entity = entity
        self.relations = relations
        self.position = position
        self.limit = limit
    }
}
