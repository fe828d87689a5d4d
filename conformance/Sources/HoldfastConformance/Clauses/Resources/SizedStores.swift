import HoldfastStorage

/// A small and a large store of the same records, for comparing what the same work costs in each.
struct SizedStores {
    private static let sizes = [100, 10_000]

    private let context: ClauseContext
    private let stores: [TestStore]

    /// Opens and fills the stores.
    ///
    /// - Parameters:
    ///   - context: Of the check.
    ///   - entity: What they hold.
    ///   - row: The row of a number; the small store has the first ones.
    /// - Throws: The error of opening, filling or aging a store.
    init(_ context: ClauseContext, _ entity: EntitySchema, _ row: (Int) -> [Value]) async throws {
        self.context = context
        var stores: [TestStore] = []
        for size in Self.sizes {
            let store = try await context.open(entity)
            for start in stride(from: 0, to: size, by: 1_000) {
                try await store.put(entity.name, (start..<min(start + 1_000, size)).map(row))
            }
            try await context.harness.age(store.location)
            stores.append(store)
        }
        self.stores = stores
    }

    /// Compares the times of the same work by the best of many: as many as it takes on a busy machine, up to a bound
    /// that no slow adapter gets below.
    ///
    /// - Parameters:
    ///   - subject: The work, as the beginning of the failure's message.
    ///   - body: Done ten times in each round, with the number times 7.
    /// - Throws: ``ClauseFailure`` if the work takes much longer in the large store, or the error of `body`.
    func expectSameTime(_ subject: String, _ body: (TestStore, Int) async throws -> Void) async throws {
        var best = [Duration.seconds(60), .seconds(60)]
        let clock = ContinuousClock()
        // A hundred times as many records: what looks at each takes 100 times as long, what halves 1.7 times.
        func isSame() -> Bool { best[1] < best[0] * 12 + .milliseconds(1) }
        // Where it is fifty times, no busy machine is the reason.
        for round in 0..<60 where round < 15 || (!isSame() && best[1] < best[0] * 50) {
            for (index, store) in stores.enumerated() {
                let start = clock.now
                for number in 0..<10 { try await body(store, number * 7) }
                best[index] = min(best[index], start.duration(to: clock.now))
                context.witness(10)
            }
        }
        try context.expect(
            isSame(),
            "\(subject) takes \(best[0] / 10) among 100 records and \(best[1] / 10) among 10,000.")
    }
}
