import HoldfastStorage

/// The commits of a random history, for checks that follow them one by one, and where the adapter is with them.
struct CommitHistory {
    let entities: [EntitySchema]
    /// Commits with the reference's versions; without `unchanged`, which an adapter may answer more coarsely.
    let requests: [CommitRequest]
    private(set) var reference: ReferenceStore
    /// The adapter's sequence of each of the reference's.
    private(set) var sequences: [UInt64: UInt64] = [0: 0]

    init(seed: UInt64, stepCount: Int, hasUniqueIndexes: Bool) throws {
        let configuration = DifferentialConfiguration(stepCount: stepCount, hasUniqueIndexes: hasUniqueIndexes)
        let random = try CaseGenerator.makeCase(seed: seed, configuration: configuration)
        entities = random.entities
        requests = random.steps.compactMap { step in
            guard case .commit(var request) = step, !request.operations.isEmpty else { return nil }
            request.preconditions.removeAll { if case .unchanged = $0 { true } else { false } }
            return request
        }
        reference = ReferenceStore(schema: try StorageSchema(entities: entities))
    }

    /// The request with the adapter's sequences in place of the reference's.
    func translated(_ request: CommitRequest) -> CommitRequest {
        var request = request
        request.preconditions = request.preconditions.map { precondition in
            guard case .version(let entity, let key, let version) = precondition else { return precondition }
            return .version(entity: entity, key: key, sequences[version] ?? .max / 2)
        }
        return request
    }

    /// Commits a request to the reference.
    ///
    /// - Parameters:
    ///   - request: The request, with the reference's versions.
    ///   - sequence: The adapter's sequence for it.
    /// - Returns: Whether the reference accepts it.
    mutating func advance(_ request: CommitRequest, sequence: UInt64) -> Bool {
        guard (try? reference.commit(request)) != nil else { return false }
        sequences[reference.sequence] = sequence
        return true
    }

    /// Knows the adapter's sequence of a reference's.
    mutating func note(_ sequence: UInt64, of referenceSequence: UInt64) { sequences[referenceSequence] = sequence }

    /// What differs between a store and the reference, or `nil`.
    func difference(from store: TestStore) async throws -> String? {
        for entity in entities.map(\.name) {
            let expected = reference.allRecords(of: entity).map {
                StoredRow($0.row, version: sequences[$0.version] ?? 0)
            }
            let rows = try await store.store.rows(QueryPlan(entity))
            guard rows != expected else { continue }
            let (left, right) = (DifferentialOutcome.rows(expected), DifferentialOutcome.rows(rows))
            let row = DifferentialOutcome.firstDifference(left, right)
            return "\(entity): expected \(left.text(around: row))\ngot \(right.text(around: row))"
        }
        return nil
    }
}
