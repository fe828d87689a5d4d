import HoldfastConformance
import HoldfastStorage

/// What the handles of one location remember together, for mutants that depend on the past.
final class SharedHandleState: Sendable {
    struct Content: Sendable {
        /// How often the store was opened.
        var openingCount = 0
        /// The schemas it was opened with, in order.
        var schemas: [StorageSchema] = []
        /// The last sequence when it was opened last.
        var sequenceAtOpening: UInt64 = 0
        /// The handles that are open.
        var openHandleCount = 0
        /// Whether closing has begun.
        var isClosing = false
        /// The keys that an entity had after each commit, in order.
        var history: [(sequence: UInt64, keys: Set<RecordKey>)] = []
        /// Something to count.
        var count = 0
        /// Rows that are kept for later, by entity.
        var rows: [String: [[Value]]] = [:]
    }

    private let content = Mutex(Content())
    /// Descriptors that are not given back.
    let descriptors = HeldDescriptors()

    func with<Result: Sendable>(_ body: (inout Content) -> Result) -> Result { content.withLock { body(&$0) } }

    /// Whether the store was opened more than once.
    var isReopened: Bool { with { $0.openingCount > 1 } }
    /// The schema it was opened with last.
    func schema() throws(StorageError) -> StorageSchema {
        guard let schema = with({ $0.schemas.last }) else { throw StorageError(.closed, "The store is not open.") }
        return schema
    }

    /// Opens the adapter inside and takes notes of it.
    func open(_ request: OpenRequest, _ base: any StorageAdapter) async throws(StorageError) {
        try await base.open(request)
        let snapshot = try await base.snapshot()
        let sequence = snapshot.sequence
        await snapshot.close()
        with {
            $0.openingCount += 1
            $0.schemas.append(request.schema)
            $0.sequenceAtOpening = sequence
            $0.openHandleCount += 1
            $0.isClosing = false
        }
    }
}

extension Mutant {
    /// Creates a mutant whose handles of one location remember things together.
    ///
    /// `replace` sets the hooks of each handle. Opening takes notes unless `replace` sets its hook, too.
    init(
        _ id: String, _ summary: String, killedBy clause: String,
        noting replace:
            @escaping @Sendable (inout HookedAdapter, SharedHandleState, any StoreLocation, MutantTrigger) -> Void
    ) {
        self.init(
            id, summary, killedBy: clause,
            wrapLocation: { location, trigger in
                let notes = SharedHandleState()
                return MutantLocation(base: location) {
                    HookedAdapter(try location.makeAdapter()) { hooks in
                        hooks.opening = { request, base async throws(StorageError) in
                            try await notes.open(request, base)
                        }
                        replace(&hooks, notes, location, trigger)
                    }
                }
            })
    }

    /// Creates a mutant that changes rows on their way out, knowing the past of the location.
    ///
    /// `alter` returns the row to deliver, or `nil` to leave it out. The mutant fires where the result differs from the
    /// stored row.
    init(
        _ id: String, _ summary: String, killedBy clause: String,
        rows alter: @escaping @Sendable (SharedHandleState, AlteredSnapshot.Row, [Value]) -> StoredRow?
    ) {
        self.init(
            id, summary, killedBy: clause,
            noting: { hooks, notes, _, trigger in
                hooks.snapshotting = { base async throws(StorageError) in
                    AlteredSnapshot(base: try await base.snapshot(), schema: try notes.schema()) { row, cells in
                        let altered = alter(notes, row, cells)
                        if altered != StoredRow(cells, version: row.version) { trigger.fire() }
                        return altered
                    }
                }
            })
    }
}
