import HoldfastStorage

/// Runs a case against a store and the reference side by side, up to the first disagreement.
struct DifferentialExecutor {
    private let configuration: DifferentialConfiguration
    private var store: Store
    private var history: ReferenceHistory
    private var snapshots: [Int: (store: StoreSnapshot, reference: ReferenceStore)] = [:]
    /// An adapter need not count commits as the reference does; these say which commit is which.
    private var storeSequences: [UInt64: UInt64] = [0: 0]
    private var referenceSequences: [UInt64: UInt64] = [0: 0]
    private var lastStoreSequence: UInt64 = 0
    /// What the store answered, step by step, to be compared with another's.
    private(set) var answers = DifferentialAnswers()

    init(schema: StorageSchema, store: Store, configuration: DifferentialConfiguration) {
        self.store = store
        self.configuration = configuration
        history = ReferenceHistory(schema: schema)
    }

    private var schema: StorageSchema { history.schema }
    private var reference: ReferenceStore { history.reference }

    /// The first disagreement, or `nil`.
    ///
    /// The store is closed afterwards.
    mutating func run(_ steps: [DifferentialStep]) async -> DifferentialMismatch? {
        var mismatch: DifferentialMismatch?
        for (index, step) in steps.enumerated() {
            answers.begin(index)
            mismatch = await perform(step)
            if mismatch != nil {
                mismatch?.step = index
                break
            }
        }
        if mismatch == nil {
            mismatch = await compareContents(of: schema.entities.map(\.name))
            mismatch?.step = steps.count
        }
        for snapshot in snapshots.values { await snapshot.store.close() }
        try? await store.close()
        return mismatch
    }

    private mutating func perform(_ step: DifferentialStep) async -> DifferentialMismatch? {
        switch step {
        case .commit(let request): return await commit(request)
        case .query(let plan, let batch, let number):
            return await read(number) { reference, bound in
                .rows(reference.query(bound).map { StoredRow($0.row, version: $0.version) })
            } store: { snapshot in
                .rows(try await snapshot.rows(plan, batch: batch))
            } plan: {
                try $0.bind(plan, limits: $1)
            }
        case .readPages(let plan, let page, let number):
            return await read(number) { reference, bound in
                .rows(reference.query(bound).map { StoredRow($0.row, version: $0.version) })
            } store: { [schema, reference] snapshot in
                let entity = try schema.entity(named: plan.entity)
                let count = reference.allRecords(of: plan.entity).count + 1_000
                return .rows(try await snapshot.readPages(plan, page: page, of: entity, maximumCount: count))
            } plan: {
                try $0.bind(plan, limits: $1)
            }
        case .aggregate(let plan, let number): return await aggregate(plan, from: number)
        case .get(let entity, let keys, let number): return await get(entity, keys, from: number)
        case .open(let number):
            do {
                snapshots[number] = (try await store.snapshot(), reference)
                return nil
            } catch {
                return mismatch(.trouble("an open snapshot"), .failure(error))
            }
        case .close(let number):
            await snapshots.removeValue(forKey: number)?.store.close()
            return nil
        case .reopen: return await reopen()
        case .widen(let widening):
            // A change that does not fit what is left of a shrunk case is skipped.
            guard configuration.reopen != nil, (try? history.widen(widening)) != nil else { return nil }
            return await reopen()
        }
    }

    private mutating func reopen() async -> DifferentialMismatch? {
        guard let reopen = configuration.reopen else { return nil }
        for snapshot in snapshots.values { await snapshot.store.close() }
        snapshots = [:]
        do {
            store = try await reopen(store, schema)
        } catch {
            return mismatch(.trouble("an open store"), .trouble("\(error)"))
        }
        return await compareContents(of: schema.entities.map(\.name))
    }

    // MARK: Commits

    private mutating func commit(_ request: CommitRequest) async -> DifferentialMismatch? {
        // The rows of a shrunk case may be of another width than what is left of its schema.
        guard history.fits(request) else { return nil }
        var next = history
        let expected: DifferentialOutcome
        do {
            expected = .receipt(try next.commit(request))
        } catch {
            expected = .failure(error)
        }
        let (store, translated) = (store, translate(request))
        var got = await DifferentialOutcome.of { .receipt(try await store.commit(translated)) }
        if isPermittedRefusal(got, expected, of: request) {
            answers.part()
            return await compareContents(of: request.operations.map(\.entity))
        }
        if case .receipt(var receipt) = got {
            if !request.operations.isEmpty && receipt.sequence > lastStoreSequence {
                lastStoreSequence = receipt.sequence
                storeSequences[next.reference.sequence] = receipt.sequence
                referenceSequences[receipt.sequence] = next.reference.sequence
            }
            receipt.sequence = referenceSequence(receipt.sequence)
            got = .receipt(receipt)
        }
        history = next
        answers.add(got)
        if !expected.agrees(with: got) { return mismatch(expected, got) }
        return await compareContents(of: request.operations.map(\.entity))
    }

    /// Whether the adapter refused an `unchanged` that holds: it may answer more coarsely.
    private func isPermittedRefusal(
        _ got: DifferentialOutcome, _ expected: DifferentialOutcome, of request: CommitRequest
    ) -> Bool {
        guard case .failure(let error) = got, error.kind == .preconditionFailed,
            case .precondition(let index)? = error.position, request.preconditions.indices.contains(index),
            case .unchanged = request.preconditions[index]
        else { return false }
        if case .failure(let failure) = expected, case .precondition(let first)? = failure.position {
            return index < first
        }
        return true
    }

    /// The request with the adapter's sequences in place of the reference's.
    private func translate(_ request: CommitRequest) -> CommitRequest {
        var request = request
        request.preconditions = request.preconditions.map { precondition in
            switch precondition {
            case .version(let entity, let key, let version):
                .version(entity: entity, key: key, storeSequence(version))
            case .unchanged(let range, let since): .unchanged(range, since: storeSequence(since))
            default: precondition
            }
        }
        return request
    }

    private func storeSequence(_ sequence: UInt64) -> UInt64 {
        storeSequences[sequence] ?? lastStoreSequence + 1 + sequence
    }

    private func referenceSequence(_ sequence: UInt64) -> UInt64 { referenceSequences[sequence] ?? .max }

    // MARK: Reads

    private mutating func read<Bound>(
        _ number: Int?, reference query: (ReferenceStore, Bound) throws -> DifferentialOutcome,
        store ask: (StoreSnapshot) async throws -> DifferentialOutcome,
        plan bind: (StorageSchema, Capabilities.Limits) throws -> Bound
    ) async -> DifferentialMismatch? {
        let kept = number.flatMap { snapshots[$0] }
        let (reference, schema, limits) = (kept?.reference ?? reference, schema, store.capabilities.limits)
        let expected = await DifferentialOutcome.of { try query(reference, try bind(schema, limits)) }
        let got = await answer(kept?.store, ask)
        answers.add(got)
        return expected.agrees(with: got) ? nil : mismatch(expected, got)
    }

    /// Asks a kept snapshot, or else one of its own, and translates versions.
    private func answer(
        _ kept: StoreSnapshot?, _ body: (StoreSnapshot) async throws -> DifferentialOutcome
    ) async -> DifferentialOutcome {
        let store = store
        let outcome = await DifferentialOutcome.of {
            if let kept { return try await body(kept) }
            return try await store.withSnapshot { try await body($0) }
        }
        guard case .rows(let rows) = outcome else { return outcome }
        return .rows(rows.map { StoredRow($0.cells, version: referenceSequence($0.version)) })
    }

    private mutating func get(_ entity: String, _ keys: [RecordKey], from number: Int?) async -> DifferentialMismatch? {
        let kept = number.flatMap { snapshots[$0] }
        let (reference, store) = (kept?.reference ?? reference, store)
        let columnCount = (try? schema.entity(named: entity))?.fields.count ?? 0
        let expected = DifferentialOutcome.rows(
            keys.map { key in
                reference.record(entity, key).map { StoredRow($0.row, version: $0.version) }
                    ?? StoredRow(Array(repeating: .null, count: columnCount), version: 0)
            })
        var got = await DifferentialOutcome.of {
            if let kept { return .rows(try await kept.store.records(keys, of: entity)) }
            return .rows(try await store.records(keys, of: entity))
        }
        if case .rows(let rows) = got {
            got = .rows(rows.map { StoredRow($0.cells, version: referenceSequence($0.version)) })
        }
        answers.add(got)
        return expected.agrees(with: got) ? nil : mismatch(expected, got)
    }

    private mutating func aggregate(_ plan: AggregatePlan, from number: Int?) async -> DifferentialMismatch? {
        let kept = number.flatMap { snapshots[$0] }
        let reference = kept?.reference ?? reference
        let got = await answer(kept?.store) { .values(try await $0.aggregate(plan)) }
        do throws(StorageError) {
            let bound = try schema.bind(plan, limits: store.capabilities.limits)
            let comparison = AggregateComparison(aggregate: bound, rows: reference.query(bound.query))
            let expected: DifferentialOutcome
            do {
                expected = .values(try reference.aggregate(bound))
            } catch {
                expected = .failure(error)
            }
            answers.add(comparison.settled(expected, got))
            return comparison.agree(expected, got) ? nil : mismatch(expected, got)
        } catch {
            let expected = DifferentialOutcome.failure(error)
            answers.add(got)
            return expected.agrees(with: got) ? nil : mismatch(expected, got)
        }
    }

    /// Compares all records of some entities, and the place of a new snapshot in history.
    private func compareContents(of entities: [String]) async -> DifferentialMismatch? {
        var sequence: UInt64 = 0
        for entity in schema.entities.map(\.name) where entities.contains(entity) {
            let expected = DifferentialOutcome.rows(
                reference.allRecords(of: entity).map { StoredRow($0.row, version: $0.version) })
            let got = await answer(nil) { snapshot in
                sequence = snapshot.sequence
                return .rows(try await snapshot.rows(QueryPlan(entity)))
            }
            if !expected.agrees(with: got) {
                return mismatch(expected, got, about: "all records of '\(entity)': ")
            }
            if referenceSequence(sequence) != reference.sequence {
                return mismatch(
                    .trouble("a snapshot of sequence \(reference.sequence)"),
                    .trouble("a snapshot of sequence \(sequence)"))
            }
        }
        return nil
    }

    private func mismatch(
        _ expected: DifferentialOutcome, _ got: DifferentialOutcome, about subject: String = ""
    ) -> DifferentialMismatch {
        let row = DifferentialOutcome.firstDifference(expected, got)
        return DifferentialMismatch(
            step: 0, expected: subject + expected.text(around: row), got: subject + got.text(around: row))
    }
}
