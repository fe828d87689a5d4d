import HoldfastStorage

extension Clause {
    /// What must not take longer in a large store.
    static let resourcesOfSizes: [Clause] = [
        Clause(
            "RES-014",
            "Where indexes are declared native, an equality, a range and the first page of a sort on an indexed field take "
                + "no longer in a large store than in a small one.",
            level: .query,
            catches: "Indexes are kept and cost every commit, and no query uses them.", witness: "queries timed",
            measuresProcess: true
        ) { context in
            guard try await context.declaredCapabilities().support(for: .indexes) == .native else {
                throw ClauseSkip("The adapter does not declare indexes native.")
            }
            let stores = try await sizedStores(context)
            let questions: [(String, @Sendable (Int64) -> QueryPlan)] = [
                ("An equality", { QueryPlan("Sized", where: .compare("rank", .equal, .integer($0))) }),
                ("A range", { QueryPlan("Sized", where: .between("rank", .integer($0), .integer($0 + 2))) }),
                ("The first page of a sort", { _ in QueryPlan("Sized", sort: [SortKey("rank")], limit: 10) }),
                (
                    "The first page of a descending sort",
                    { _ in QueryPlan("Sized", sort: [SortKey("rank", .descending)], limit: 10) }
                ),
            ]
            for (name, plan) in questions {
                try await stores.expectSameTime(name) { store, number in
                    let rows = try await store.rows(plan(Int64(number)))
                    try context.expect(!rows.isEmpty, "\(name) finds nothing.")
                }
            }
        },
        Clause(
            "RES-015",
            "A commit of one record to a store in files takes no longer in a large store than in a small one, whatever it "
                + "asks for.",
            requires: .persistence,
            catches: "A precondition, a unique index or a trigger looks at the whole table.", witness: "commits timed",
            measuresProcess: true
        ) { context in
            let stores = try await sizedStores(context)
            let commits: [(String, @Sendable (Int) -> CommitRequest)] = [
                (
                    "An upsert",
                    { CommitRequest(operations: [put($0, "again")], durability: Durability.none) }
                ),
                (
                    "A deletion and an insertion",
                    { number in
                        let key = RecordKey([.integer(Int64(number))])
                        return CommitRequest(
                            operations: [.delete(entity: "Sized", keys: [key]), put(number, "new", mode: .insert)],
                            durability: Durability.none)
                    }
                ),
                (
                    "A commit if a record is unchanged",
                    { number in
                        let key: [Value] = [.integer(Int64(number))]
                        let range = KeyRange("Sized", from: .included(key), to: .included(key))
                        return CommitRequest(
                            preconditions: [
                                .unchanged(range, since: .max), .present(entity: "Sized", key: RecordKey(key)),
                            ], operations: [put(number + 10, "if")], durability: Durability.none)
                    }
                ),
            ]
            for (name, request) in commits {
                try await stores.expectSameTime(name) { store, number in
                    _ = try await store.store.commit(request(number))
                }
            }
        },
        Clause(
            "RES-016",
            "Where the order by version is declared native, a scan by version of a few records of the newest commit takes "
                + "no longer in a large store than in a small one.",
            level: .query,
            catches: "The order is kept and costs every commit, and scans by version read and sort the whole entity.",
            witness: "scans by version timed", measuresProcess: true
        ) { context in
            guard try await context.declaredCapabilities().support(for: .versionOrder) == .native else {
                throw ClauseSkip("The adapter does not declare the order by version native.")
            }
            let stores = try await sizedStores(context, isOrderedByVersion: true)
            try await stores.expectSameTime("A scan by version of the newest records") { store, _ in
                let snapshot = try await store.store.snapshot()
                let newest = VersionRange("Sized", after: snapshot.sequence - 1, limit: 10)
                let rows = try await snapshot.rows(newest, batch: 10)
                await snapshot.close()
                try context.expectEqual(rows.count, 10, "the records of a scan by version with a limit of 10")
            }
        },
    ]

    /// `Sized(id, rank, code, text)` with an index on rank and one on code, which is unique where there are such.
    private static func sizedStores(
        _ context: ClauseContext, isOrderedByVersion: Bool = false
    ) async throws -> SizedStores {
        let isUnique = try await context.declaredCapabilities().support(for: .uniqueIndexes) != .unsupported
        let entity = EntitySchema(
            "Sized",
            fields: [
                FieldSchema("id", .int), FieldSchema("rank", .int), FieldSchema("code", .string),
                FieldSchema("text", .string),
            ],
            indexes: [
                IndexSchema("byRank", on: ["rank"]), IndexSchema("byCode", on: ["code"], isUnique: isUnique),
            ], isOrderedByVersion: isOrderedByVersion)
        return try await SizedStores(context, entity) { sizedRow($0, "text") }
    }

    private static func sizedRow(_ number: Int, _ text: String) -> [Value] {
        [.integer(Int64(number)), .integer(Int64(number)), .text("code \(number)"), .text(text)]
    }

    private static func put(_ number: Int, _ text: String, mode: WriteOperation.PutMode = .upsert) -> WriteOperation {
        .put(entity: "Sized", rows: RowBuffer(row: sizedRow(number, text)), mode: mode)
    }
}
