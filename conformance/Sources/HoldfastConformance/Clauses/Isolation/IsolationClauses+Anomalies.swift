import HoldfastStorage

extension Clause {
    /// Anomalies of concurrent transactions that preconditions must prevent.
    static let anomalies: [Clause] = [
        Clause(
            "ISO-011",
            "No update is lost: of increments made under the version that was read, all acknowledged ones count.",
            level: .transactional,
            catches: "The version is compared before the write lock is held.",
            witness: "increments that were acknowledged", protectsData: true
        ) { context in
            let store = try await context.open(.items())
            try await Self.increment([store], context)
        },
        Clause(
            "ISO-012", "No update is lost between two handles on one store, either.", level: .transactional,
            requires: .feature(.multipleProcesses),
            catches: "Locks are kept in the memory of one handle.",
            witness: "increments that were acknowledged to two handles",
            protectsData: true
        ) { context in
            let store = try await context.open(.items())
            guard store.isPersistent else { throw ClauseSkip("The store belongs to its handle.") }
            try await Self.increment([store, try await store.another()], context)
        },
        Clause(
            "ISO-013",
            "Ranges that were read and must be unchanged prevent write skew: of two that rely on each other's records, one is refused.",
            level: .transactional,
            catches: "Each commit writes another record, so no record conflicts, and the rule over both is broken.",
            witness: "pairs of commits that rely on each other's records", protectsData: true
        ) { context in
            let store = try await context.open(.pairs)
            for round in 0..<16 {
                let team = "team\(round)"
                try await store.put("Pair", (0..<2).map { [.text("on call"), .text(team), .integer($0)] })
                let range = KeyRange("Pair", from: .included([.text(team)]), to: .included([.text(team)]))
                let since = try await store.store.withSnapshot { $0.sequence }
                let succeeded = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for doctor in 0..<2 {
                        group.addTask {
                            // Either leaves, or a third one comes: a phantom.
                            let number = round % 2 == 0 ? Int64(doctor) : Int64(doctor + 5)
                            do {
                                try await store.commit(
                                    [
                                        .put(
                                            entity: "Pair",
                                            rows: RowBuffer(row: [.text("off"), .text(team), .integer(number)]),
                                            mode: .upsert)
                                    ],
                                    if: [.unchanged(range, since: since)])
                                return true
                            } catch let error as StorageError
                                where error.kind == .preconditionFailed || error.kind == .conflict
                            {
                                return false
                            }
                        }
                    }
                    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                try context.expectEqual(succeeded, 1, "commits of two that rely on the same unchanged range")
                let off = try await store.rows(
                    QueryPlan(
                        "Pair",
                        where: .and([.compare("a", .equal, .text(team)), .compare("text", .equal, .text("off"))])))
                try context.expectEqual(off.count, 1, "records written by two that rely on each other")
                context.witness()
            }
        },
        Clause(
            "ISO-014",
            "No read skew: two reads of one snapshot agree, also where a transfer between the records is committed in between.",
            level: .transactional,
            catches: "Every read of a transaction sees the newest state (READ COMMITTED).",
            witness: "sums over two reads of one snapshot",
            protectsData: true
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            try await store.put("Item", [Items.row(0, rank: 50)])
            try await store.put("Indexed", [Items.row(0, rank: 50)])
            for round in 1...30 {
                let snapshot = try await store.adapter.snapshot()
                let first = try await snapshot.allRecords(of: "Item")
                let amount = round % 50
                try await store.commit([
                    .put(entity: "Item", rows: RowBuffer(row: Items.row(0, rank: 50 - amount)), mode: .update),
                    .put(entity: "Indexed", rows: RowBuffer(row: Items.row(0, rank: 50 + amount)), mode: .update),
                ])
                var second = RowBuffer()
                try await snapshot.get(GetRequest("Indexed", keys: [Items.key(0)]), into: &second)
                let sum = try await snapshot.aggregate(
                    store.store.schema.bind(AggregatePlan("Indexed", [.sum("rank")])))
                guard case .integer(let left)? = first.first?.cells[1],
                    case .integer(let right)? = second.storedRows.first?.cells[1]
                else {
                    throw ClauseFailure("a rank is not an integer")
                }
                try context.expectEqual(left + right, 100, "the sum over two reads of one snapshot")
                try context.expectEqual(sum, [.integer(right)], "the aggregate of the second read")
                await snapshot.close()
                context.witness()
            }
        },
        Clause(
            "ISO-015",
            "A history of concurrent appends and reads can be explained by one serial order that keeps real time: nothing "
                + "lost, nothing seen that was not committed, no read older than what was known before it began.",
            level: .transactional,
            catches: "Any of the anomalies above, in combinations without a test of their own.",
            witness: "appends and reads of concurrent sessions",
            protectsData: true
        ) { context in
            let entity = EntitySchema(
                "Log",
                fields: [FieldSchema("id", .int), FieldSchema("elements", .list(of: .int, elementsAreRequired: true))])
            let store = try await context.open(entity)
            let listCount = 3
            try await store.put("Log", (0..<listCount).map { [.integer(Int64($0)), .list([])] })
            let recorder = AppendRecorder()
            let seed = context.seed
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<6 {
                    group.addTask {
                        var random = SplitMix64(seed: seed &+ UInt64(task))
                        for round in 0..<30 {
                            let began = recorder.tick()
                            if random.chance(40) {
                                let read = try await Self.readLists(store, listCount) { await recorder.letOthersGoOn() }
                                recorder.add(
                                    .init(
                                        sequence: read.sequence, lists: read.lists, began: began, ended: recorder.tick()
                                    ))
                            } else {
                                let list = random.below(listCount)
                                let element = Int64(task * 1_000 + round)
                                let sequence = try await Self.append(element, to: list, store)
                                recorder.add(
                                    .init(
                                        list: list, element: element, sequence: sequence, began: began,
                                        ended: recorder.tick()))
                            }
                            context.witness()
                        }
                    }
                }
                try await group.waitForAll()
            }
            let final = try await Self.readLists(store, listCount).lists
            if let anomaly = recorder.history.anomaly(final: final) { throw ClauseFailure(anomaly) }
            try context.expect(recorder.history.appends.contains { $0.sequence != nil }, "no append succeeded")
        },
    ]

    /// Tasks add one to a counter under the version they read, some through each handle.
    private static func increment(_ stores: [TestStore], _ context: ClauseContext) async throws {
        let key = Items.key(0)
        try await stores[0].put("Item", [Items.row(0, rank: 0)])
        let acknowledged = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<6 {
                let store = stores[task % stores.count]
                group.addTask {
                    var count = 0
                    for _ in 0..<15 {
                        let record = try await store.store.records([key], of: "Item")[0]
                        guard case .integer(let rank) = record.cells[1] else {
                            throw ClauseFailure("the counter is gone")
                        }
                        do {
                            try await store.commit(
                                [
                                    .put(
                                        entity: "Item", rows: RowBuffer(row: Items.row(0, rank: Int(rank) + 1)),
                                        mode: .update)
                                ],
                                if: [.version(entity: "Item", key: key, record.version)])
                            count += 1
                        } catch let error as StorageError
                            where [.preconditionFailed, .conflict, .busy].contains(error.kind)
                        {
                            continue
                        }
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        for store in stores {
            try context.expectEqual(
                try await store.row("Item", key), Items.row(0, rank: acknowledged),
                "the counter after \(acknowledged) increments")
        }
        context.witness(acknowledged)
    }

    private static func readLists(
        _ store: TestStore, _ count: Int, pause: @Sendable () async -> Void = {}
    ) async throws -> (sequence: UInt64, lists: [[Int64]]) {
        try await store.store.withSnapshot { snapshot in
            var lists: [[Int64]] = []
            for list in 0..<count {
                let record = try await snapshot.records([RecordKey([.integer(Int64(list))])], of: "Log")[0]
                lists.append(Self.elements(record.cells[1]))
                await pause()
            }
            return (snapshot.sequence, lists)
        }
    }

    /// Appends under the version that was read; `nil` if another was faster.
    private static func append(_ element: Int64, to list: Int, _ store: TestStore) async throws -> UInt64? {
        let key = RecordKey([.integer(Int64(list))])
        let record = try await store.store.records([key], of: "Log")[0]
        let elements = Self.elements(record.cells[1]) + [element]
        do {
            return try await store.commit(
                [
                    .put(
                        entity: "Log", rows: RowBuffer(row: [key.components[0], .list(elements.map { .integer($0) })]),
                        mode: .update)
                ],
                if: [.version(entity: "Log", key: key, record.version)]
            ).sequence
        } catch let error as StorageError where [.preconditionFailed, .conflict, .busy].contains(error.kind) {
            return nil
        }
    }

    private static func elements(_ value: Value) -> [Int64] {
        guard case .list(let values) = value else { return [] }
        return values.compactMap { if case .integer(let element) = $0 { element } else { nil } }
    }
}
