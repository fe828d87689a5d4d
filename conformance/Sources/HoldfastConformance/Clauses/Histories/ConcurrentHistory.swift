import HoldfastStorage

/// Tasks that commit at once; what they did must be worth what it would be one after the other.
struct ConcurrentHistory {
    private struct Event: Sendable {
        let request: CommitRequest
        let outcome: Result<CommitReceipt, StorageError>
        /// The last sequence before the commit began, and, if it failed, after it had ended.
        let window: ClosedRange<UInt64>
    }

    private let context: ClauseContext

    init(_ context: ClauseContext) { self.context = context }

    func run(seed: UInt64) async throws {
        let store = try await context.open(.notes)
        var handles = [store]
        let support = store.store.capabilities.support(for: .multipleProcesses)
        if store.isPersistent && support != .unsupported { handles.append(try await store.another()) }
        let events = ConcurrentList<Event>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<6 {
                let handle = handles[number % handles.count].store
                group.addTask { @concurrent in
                    var random = SplitMix64(seed: seed &+ UInt64(number))
                    for _ in 0..<20 {
                        for event in try await Self.commit(to: handle, using: &random, writer: number) {
                            events.add(event)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try await check(events.all, store)
    }

    /// Reads a record and commits something that rests on it; if that fails, marks how far the history has come.
    private static func commit(
        to store: Store, using random: inout SplitMix64, writer: Int
    ) async throws -> [Event] {
        let id = "n\(random.below(3))"
        let key = RecordKey(id)
        let snapshot = try await repeating { try await store.snapshot() }
        let record = try await snapshot.records([key], of: "Note")[0]
        let before = snapshot.sequence
        await snapshot.close()
        let number = Value.integer(Int64(writer * 1_000 + random.below(1_000)))
        let rows = RowBuffer(row: [.text(id), number])
        var request = CommitRequest(durability: Durability.none)
        switch random.below(8) {
        case 0: request.operations = [.delete(entity: "Note", keys: [key])]
        case 1: request.operations = [.put(entity: "Note", rows: rows, mode: .insert)]
        case 2: request.operations = [.put(entity: "Note", rows: rows, mode: .update)]
        default:
            request.preconditions = [
                record.version == 0
                    ? .absent(entity: "Note", key: key) : .version(entity: "Note", key: key, record.version)
            ]
            request.operations = [.put(entity: "Note", rows: rows, mode: .upsert)]
        }
        let outcome: Result<CommitReceipt, StorageError>
        do throws(StorageError) {
            outcome = .success(try await store.commit(request))
        } catch {
            outcome = .failure(error)
        }
        guard case .failure = outcome else {
            return [Event(request: request, outcome: outcome, window: before...max(before, 1))]
        }
        // A snapshot may see commits beyond its sequence. That of a new commit is after all that the failed one met.
        let mark = CommitRequest(
            operations: [.put(entity: "Note", rows: RowBuffer(row: [.text("w\(writer)"), number]), mode: .upsert)],
            durability: Durability.none)
        let receipt = try await repeating { try await store.commit(mark) }
        let window = before...max(before, receipt.sequence)
        return [
            Event(request: request, outcome: outcome, window: window),
            Event(request: mark, outcome: .success(receipt), window: window),
        ]
    }

    /// Repeats what others may refuse while they are at work.
    private static func repeating<Success>(_ body: () async throws -> Success) async throws -> Success {
        while true {
            do {
                return try await body()
            } catch let error as StorageError where [.conflict, .busy].contains(error.kind) {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    private func check(_ events: [Event], _ store: TestStore) async throws {
        var made: [(request: CommitRequest, receipt: CommitReceipt)] = []
        for event in events { if case .success(let receipt) = event.outcome { made.append((event.request, receipt)) } }
        made.sort { $0.receipt.sequence < $1.receipt.sequence }
        try context.expectEqual(
            Set(made.map(\.receipt.sequence)).count, made.count, "the number of different sequences of commits")
        // The reference's sequences are positions in this order.
        let positions = Dictionary(
            uniqueKeysWithValues: made.enumerated().map { ($1.receipt.sequence, UInt64($0 + 1)) })
        func translated(_ request: CommitRequest) -> CommitRequest {
            var request = request
            request.preconditions = request.preconditions.map { precondition in
                guard case .version(let entity, let key, let version) = precondition else { return precondition }
                return .version(entity: entity, key: key, positions[version] ?? .max / 2)
            }
            return request
        }
        var states = [ReferenceStore(schema: store.store.schema)]
        for (index, commit) in made.enumerated() {
            var next = states[index]
            do {
                let receipt = try next.commit(translated(commit.request))
                try context.expect(
                    receipt.putCount == commit.receipt.putCount && receipt.deletedCount == commit.receipt.deletedCount,
                    "The commit of sequence \(commit.receipt.sequence) counts other records than in its place.")
            } catch let error as StorageError {
                throw ClauseFailure(
                    "The commit of sequence \(commit.receipt.sequence) was made; in its place it fails: \(error)",
                    example: SwiftText.step(.commit(commit.request)))
            }
            states.append(next)
            context.witness()
        }
        for event in events {
            guard case .failure(let error) = event.outcome else { continue }
            guard error.kind == .preconditionFailed else {
                try context.expect(
                    [.conflict, .busy].contains(error.kind), "A concurrent commit failed with \(error.kind.rawValue).")
                continue
            }
            let first = made.count { $0.receipt.sequence <= event.window.lowerBound }
            let last = made.count { $0.receipt.sequence <= event.window.upperBound }
            let couldFail = states[first...last].contains { state in
                var state = state
                return (try? state.commit(translated(event.request))) == nil
            }
            try context.expect(
                couldFail, "A commit failed, though it would have succeeded in every state it can have met.")
        }
        let expected = states[made.count].allRecords(of: "Note")
        let rows = try await store.store.rows(QueryPlan("Note"))
        try context.expectEqual(
            rows.map { StoredRow($0.cells, version: positions[$0.version] ?? 0) },
            expected.map { StoredRow($0.row, version: $0.version) }, "the records after concurrent commits")
        try await store.expectHolds("Note", expected.map(\.row))
    }
}
