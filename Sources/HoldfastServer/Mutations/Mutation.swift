package import HoldfastStorage

/// A request to write one record, with everything that decides its outcome.
package struct Mutation: Sendable {
    /// A field that gets a value.
    package struct Change: Sendable {
        /// The position of the field in the entity.
        package var position: Int
        /// The new value; null removes the old one.
        package var value: Value

        package init(_ position: Int, _ value: Value) {
            self.position = position
            self.value = value
        }
    }

    /// What to do.
    package var operation: MutationOperation
    /// The record.
    package var key: RecordKey
    /// The fields that get a value, without those of the key and those that only the service sets.
    package var changes: [Change]
    /// The version that the client has seen; 0 if it says none.
    package var version: Int64
    /// What must be true of the stored record; `nil` for nothing.
    package var condition: RecordFilter?
    /// Milliseconds since 1970 by the clock of the server.
    package var now: Int64
    /// How many seconds a tombstone is kept.
    package var tombstoneLife: Int64

    package init(
        _ operation: MutationOperation, key: RecordKey, changes: [Change] = [], version: Int64 = 0,
        condition: RecordFilter? = nil, now: Int64, tombstoneLife: Int64
    ) {
        self.operation = operation
        self.key = key
        self.changes = changes
        self.version = version
        self.condition = condition
        self.now = now
        self.tombstoneLife = tombstoneLife
    }
}

/// What becomes of a mutation.
package enum MutationDecision: Sendable, Hashable {
    /// The row is written, with version and times set.
    case write([Value])
    /// The record is another one than the client has seen.
    case conflict
    /// The record is there where it must not be, or not there, or not as the condition demands.
    case conditionFailed
    /// The conflict function decides between the stored record and what it would become without a conflict.
    case ask([Value])
}

/// How a model deals with mutations of records that changed meanwhile.
public enum ConflictStrategy: Sendable, Hashable {
    /// The mutation fails, and the client gets the stored record.
    case optimisticConcurrency
    /// Updates are merged field by field; deletions fail.
    case automerge
    /// The conflict function decides.
    case handler
}
