import HoldfastStorage

extension Clause {
    /// What the sequence of a snapshot promises.
    static let isolationOfSequences: [Clause] = [
        Clause(
            "ISO-016", "A snapshot sees every commit up to its sequence, also while others commit.",
            level: .transactional,
            catches: "The sequence is read after the view is fixed: changes in between are never asked for again.",
            witness: "snapshots compared with the commits up to their sequence", protectsData: true
        ) { context in
            let store = try await context.open(.notes)
            let lanes = 4
            let keys = (0..<lanes).map { RecordKey("lane\($0)") }
            try await store.put("Note", (0..<lanes).map { [.text("lane\($0)"), .integer(-1)] })
            let isOver = SharedFlag()
            // The sequence of each step of each lane.
            let writers = (0..<lanes).map { lane in
                Task { () async throws -> [UInt64] in
                    var sequences: [UInt64] = []
                    while !isOver.isSet && sequences.count < 20_000 {
                        let row: [Value] = [.text("lane\(lane)"), .integer(Int64(sequences.count))]
                        sequences.append(
                            try await store.commit(
                                [.put(entity: "Note", rows: RowBuffer(row: row), mode: .update)],
                                durability: Durability.none
                            ).sequence)
                        await Task.yield()
                    }
                    return sequences
                }
            }
            var views: [(sequence: UInt64, steps: [Int])] = []
            do {
                for _ in 0..<1_500 {
                    let view = try await store.store.withSnapshot { snapshot in
                        let rows = try await snapshot.records(keys, of: "Note")
                        return (
                            sequence: snapshot.sequence,
                            steps: rows.map { row -> Int in
                                if case .integer(let step) = row.cells[1] { Int(step) } else { -2 }
                            }
                        )
                    }
                    views.append(view)
                }
            } catch {
                isOver.set()
                for writer in writers { _ = try? await writer.value }
                throw error
            }
            isOver.set()
            for (lane, writer) in writers.enumerated() {
                let sequences = try await writer.value
                for view in views {
                    let known = sequences.partition(after: view.sequence) - 1
                    try context.expect(
                        view.steps[lane] >= known,
                        "A snapshot of sequence \(view.sequence) sees step \(view.steps[lane]) of a writer whose step "
                            + "\(known) has sequence \(known >= 0 ? sequences[known] : 0).")
                    context.witness()
                }
            }
        }
    ]
}

extension [UInt64] {
    /// How many of the ascending numbers are not above a bound.
    fileprivate func partition(after bound: UInt64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] <= bound { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
