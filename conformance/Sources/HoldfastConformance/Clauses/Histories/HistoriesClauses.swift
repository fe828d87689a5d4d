import HoldfastStorage

extension Clause {
    /// Random histories.
    static let histories: [Clause] = [
        histories(
            "HIS-001", "Every case of the stored corpus gives what the reference gives.",
            catches: "A mistake that was found and mended once comes back.", witness: "cases replayed"
        ) { context in
            for stored in Corpus.cases {
                let run = context.differentialRun(seed: 0, DifferentialConfiguration())
                let replayed: DifferentialCase
                switch stored.source {
                case .seed(let seed, let stepCount):
                    let configuration = DifferentialConfiguration(
                        stepCount: stepCount, hasUniqueIndexes: try await context.hasUniqueIndexes())
                    replayed = try CaseGenerator.makeCase(seed: seed, configuration: configuration)
                case .literal(let literal): replayed = literal
                }
                if let failure = await run.shrunk(replayed) { throw context.failure(failure, "\(stored.name): ") }
                context.witness()
            }
        },
        histories(
            "HIS-002",
            "Random schemas, commits with preconditions, queries, scans, aggregates and held snapshots give what the "
                + "reference gives.",
            catches: "Each feature is right alone, and two together are not.", witness: "histories run"
        ) { context in
            try await context.checkHistories(
                count: 30, DifferentialConfiguration(hasUniqueIndexes: try await context.hasUniqueIndexes()))
        },
        histories(
            "HIS-003", "Histories in which the store is closed and opened again give what the reference gives.",
            requires: .persistence,
            catches: "What is rebuilt at opening differs from what was kept up to date.", witness: "histories run"
        ) { context in
            try await context.checkHistories(
                count: 16, salt: 3, needsReopening: true,
                DifferentialConfiguration(stepCount: 60, hasUniqueIndexes: try await context.hasUniqueIndexes()))
        },
        histories(
            "HIS-004", "Histories in which the schema grows between sessions give what the reference gives.",
            requires: .persistence,
            catches: "Rows, indexes and plans of the old schema live on in part.", witness: "histories run"
        ) { context in
            try await context.checkHistories(
                count: 16, salt: 4, needsReopening: true,
                DifferentialConfiguration(
                    stepCount: 60, hasUniqueIndexes: try await context.hasUniqueIndexes(), widensSchema: true))
        },
        histories(
            "HIS-005",
            "A history continues where it was when the process that made it was killed: every acknowledged commit is "
                + "there, and at most one more.",
            level: .durableProcessCrash, requires: .durability(.processCrash),
            catches: "Recovery keeps a commit in part, or counts it twice.", witness: "commits made by killed processes"
        ) { context in
            var random = SplitMix64(seed: context.seed &+ 5)
            for _ in 0..<3 { try await KilledHistory(context, seed: random.next() >> 16).run(using: &random) }
        },
        histories(
            "HIS-006",
            "Commits of concurrent tasks are worth what they would be one after the other in the order of their "
                + "sequences; those that fail would have failed there.",
            level: .transactional,
            catches: "A precondition is checked, and then another writer commits.", witness: "commits made at once"
        ) { context in
            var random = SplitMix64(seed: context.seed &+ 6)
            for _ in 0..<4 { try await ConcurrentHistory(context).run(seed: random.next()) }
        },
    ]

    private static func histories(
        _ id: String, _ rule: String, level: Level = .query, requires requirement: Requirement? = nil, catches: String,
        witness: String, check: @escaping Check
    ) -> Clause {
        Clause(
            id, rule, level: level, requires: requirement, catches: catches, witness: witness,
            protectsData: true, check: check)
    }
}

extension ClauseContext {
    /// Whether the adapter declares unique indexes.
    func hasUniqueIndexes() async throws -> Bool {
        try await declaredCapabilities().support(for: .uniqueIndexes) != .unsupported
    }

    /// A differential run on fresh locations.
    func differentialRun(
        seed: UInt64, _ configuration: DifferentialConfiguration, reopens: Bool = false
    ) -> DifferentialRun {
        let locations = LocationsOfStores()
        var configuration = configuration
        if reopens {
            configuration.reopen = { store, schema in
                try await store.close()
                return try await Store.open(try locations.last().makeAdapter(), schema: schema)
            }
        }
        return DifferentialRun(seed: seed, configuration: configuration) { schema in
            let location = try await self.harness.makeLocation()
            if let previous = locations.replace(location) { await previous.remove() }
            self.removesLater(location)
            return try await Store.open(try location.makeAdapter(), schema: schema)
        }
    }

    /// Runs random histories; each seed follows from the run's.
    func checkHistories(
        count: Int, salt: UInt64 = 0, needsReopening: Bool = false, _ configuration: DifferentialConfiguration
    ) async throws {
        var random = SplitMix64(seed: seed &* 1_000 &+ salt)
        for _ in 0..<count {
            let run = differentialRun(seed: random.next() >> 16, configuration, reopens: needsReopening)
            if let failure = try await run.run() { throw self.failure(failure) }
            witness()
        }
    }

    /// The failure of a clause that a history shows.
    func failure(_ failure: DifferentialFailure, _ subject: String = "") -> ClauseFailure {
        ClauseFailure(
            "\(subject)the store disagrees with the reference at seed \(failure.seed).\n"
                + "expected: \(failure.mismatch.expected)\ngot:      \(failure.mismatch.got)",
            example: failure.description)
    }
}
