public import HoldfastStorage

/// Copies everything a store holds to another place, on any adapter, and makes sure that it arrived.
///
/// All entities are copied as they are at one moment, those of the engine included: records, outbox, what the service
/// said of records and deletions, settings. The source is only read. Each entity is then read back from the target and
/// compared by its ``EntityDigest``.
///
/// Until that is done the target is marked (``/HoldfastStorage/StorageSchema/isUnfinishedCopy``): only a copy can
/// open it, which continues where the last one stopped and starts over where the source has changed. A target that
/// holds a store that is not an unfinished copy is refused.
///
/// Must pass: after ``run()`` the target, opened with the application's models, answers every query as the source does.
///
/// ```swift
/// let source = try await Store.openAsStored { SQLiteAdapter(path: path) }
/// let (target, report) = try await StoreCopy(from: source) { SQLiteAdapter(path: newPath) }.run()
/// let count = report.recordCount  // on both sides, compared
/// try await target.close()
/// try await source.close()
/// ```
public struct StoreCopy: Sendable {
    /// How far a copy has come.
    public struct Progress: Sendable, Hashable {
        /// What is done with the records.
        public enum Phase: String, Sendable, Hashable {
            /// They are read, and written where they are not there yet.
            case copying
            /// They are read back and compared.
            case verifying
        }

        /// What is done.
        public var phase: Phase
        /// The entity in progress.
        public var entity: String
        /// Records of the entity that are done with.
        public var recordCount: Int
        /// Records of the entity in total.
        public var totalCount: Int

        /// Creates a report.
        public init(phase: Phase, entity: String, recordCount: Int, totalCount: Int) {
            self.phase = phase
            self.entity = entity
            self.recordCount = recordCount
            self.totalCount = totalCount
        }
    }

    /// What was copied.
    public struct Report: Sendable, Hashable {
        /// One entity.
        public struct Entity: Sendable, Hashable {
            /// Its name.
            public var name: String
            /// Its records, on both sides.
            public var recordCount: Int
            /// Those of them that were there from an earlier, interrupted copy.
            public var keptCount: Int
            /// ``EntityDigest/hash`` of the records, on both sides.
            public var digest: String
        }

        /// The entities in the order of the source's schema.
        public var entities: [Entity]
        /// The sequence of the source that was copied.
        public var sequence: UInt64

        /// The records of all entities.
        public var recordCount: Int { entities.reduce(0) { $0 + $1.recordCount } }
    }

    let source: Store
    let makeTarget: @Sendable () throws -> any StorageAdapter
    let progress: (@Sendable (Progress) -> Void)?

    /// Creates a copy; nothing is touched before ``run()``.
    ///
    /// - Parameters:
    ///   - source: Open, for instance by ``/HoldfastStorage/Store/openAsStored(_:)``; it may be in use. It stays open.
    ///   - progress: Called after each batch of records, from any thread.
    ///   - target: A new handle on the target, not yet opened; called several times.
    public init(
        from source: Store, progress: (@Sendable (Progress) -> Void)? = nil,
        to target: @escaping @Sendable () throws -> any StorageAdapter
    ) {
        self.source = source
        self.progress = progress
        makeTarget = target
    }

    /// Copies, compares, and takes the mark off the target.
    ///
    /// When it fails or is cancelled the target stays marked; running it again finishes it.
    ///
    /// - Returns: The target, open with the source's schema, and what was copied.
    /// - Throws: ``/HoldfastStorage/StorageError`` `.incompatibleStore` if the target holds something else or the
    ///   source is an unfinished copy itself; `.limitExceeded` and `.unrepresentable` naming entity, field and the
    ///   types of the key for a value that the target's adapter cannot keep; `.corruption` if the copy differs from
    ///   its source; `.conflict` if another copy to the target has begun; `.cancelled`; as the adapters of both sides
    ///   otherwise, and what `target` throws.
    @concurrent public func run() async throws -> (target: Store, report: Report) {
        if source.schema.isUnfinishedCopy {
            throw StorageError(
                .incompatibleStore, "The source is an unfinished copy itself; finish it, or copy from its source.")
        }
        let target = try await CopyTarget.open(makeTarget, schema: source.schema)
        do {
            let report = try await source.withSnapshot { snapshot in
                var run = CopyRun(
                    source: snapshot, target: target.store, claim: target.claim, schema: source.schema,
                    progress: progress)
                return try await run.copyAll()
            }
            return (try await target.finish(), report)
        } catch {
            try? await target.store.close()
            throw error
        }
    }
}
