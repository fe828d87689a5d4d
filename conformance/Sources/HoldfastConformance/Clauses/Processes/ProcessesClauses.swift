import HoldfastStorage

extension Clause {
    /// Several processes on one store.
    static let processes: [Clause] = processesAtWork + processesOfCreation + processesOfMigration

    private static let processesAtWork: [Clause] = [
        processes(
            "PRC-001", "Processes that write at once lose no update.",
            catches: "A check of a version and the write that rests on it are two transactions.",
            witness: "updates made by several processes", protectsData: true
        ) { context in
            let store = try await context.open(SharedWork.counter)
            try await store.put("Counter", [[.text("counter"), .integer(0)]])
            let workers = try (0..<3).map { _ in
                try context.start(.count, at: store.location, ["40"], takesInput: true)
            }
            // All have read the same before one writes.
            for worker in workers {
                context.noteMutants(in: try await worker.wait(for: "read", "A counting process"))
            }
            for worker in workers { worker.write("go on\n") }
            for worker in workers { try context.noteMutants(in: await worker.finish("A counting process")) }
            let row = try await store.row("Counter", SharedWork.key)
            try context.expectEqual(row, [.text("counter"), .integer(120)], "the counter after 3 times 40 steps")
            context.witness(120)
        },
        processes(
            "PRC-002",
            "What one process has committed, every other sees from then on; sequences grow across processes.",
            catches: "Each process has a cache, or a counter, of its own.", witness: "commits seen by another process"
        ) { context in
            let store = try await context.open(SharedWork.counter)
            for number in stride(from: 1, through: 9, by: 2) {
                let own = try await store.put("Counter", [[.text("counter"), .integer(Int64(number))]])
                let read = try await context.start(.read, at: store.location).finish("A reading process")
                context.noteMutants(in: read)
                try context.expectEqual(
                    read.first { $0.hasPrefix("read") }, "read \(number) at \(own.sequence)",
                    "what another process says")
                let wrote = try await context.start(.write, at: store.location, ["\(number + 1)"])
                    .finish("A writing process")
                context.noteMutants(in: wrote)
                let sequence = wrote.compactMap { UInt64($0.dropFirst("wrote ".count)) }.first ?? 0
                try context.expect(
                    sequence > own.sequence, "Sequence \(sequence) of another process came after \(own.sequence).")
                let row = try await store.row("Counter", SharedWork.key)
                try context.expectEqual(
                    row, [.text("counter"), .integer(Int64(number + 1))], "what was written by another process")
                context.witness()
            }
        },
        processes(
            "PRC-003", "A snapshot does not change when another process commits.",
            catches: "Isolation that rests on locks of the own process.", witness: "a commit under an open snapshot"
        ) { context in
            let store = try await context.open(SharedWork.counter)
            try await store.put("Counter", [[.text("counter"), .integer(1)]])
            let snapshot = try await store.store.snapshot()
            let before = try await snapshot.rows(QueryPlan("Counter"))
            context.noteMutants(
                in: try await context.start(.write, at: store.location, ["2"]).finish("A writing process"))
            try context.expectEqual(
                try await snapshot.rows(QueryPlan("Counter")), before, "the rows of a snapshot after a foreign commit")
            try context.expectEqual(
                try await snapshot.records([SharedWork.key], of: "Counter"), before, "a record of that snapshot")
            await snapshot.close()
            try context.expectEqual(
                try await store.row("Counter", SharedWork.key)?[1], .integer(2), "the record in a new snapshot")
            context.witness()
        },
        processes(
            "PRC-004", "A process killed with the store open locks no one out.",
            catches: "Lock files and leases that only an orderly close removes.", witness: "a process killed"
        ) { context in
            let store = try await context.open(SharedWork.counter)
            try await store.put("Counter", [[.text("counter"), .integer(1)]])
            let holder = try context.start(.hold, at: store.location)
            for await line in holder.lines {
                if line == "mutant fired" { context.noteMutantFired() }
                if line == "open" { holder.kill() }
            }
            try context.expectEqual(await holder.end().signal, 9, "the signal that ended the holder")
            try await store.put("Counter", [[.text("counter"), .integer(2)]])
            context.noteMutants(
                in: try await context.start(.write, at: store.location, ["3"]).finish("A process after a killed one"))
            try context.expectEqual(
                try await store.row("Counter", SharedWork.key)?[1], .integer(3), "the record in the end")
            context.witness()
        },
        processes(
            "PRC-005",
            "When another process widens the schema, a handle of the old schema reads and writes right, or says why not.",
            catches: "Cached statements and row layouts deliver cells of the wrong columns.",
            witness: "reads after a foreign change of the schema"
        ) { context in
            let store = try await context.open(SharedWork.counter)
            try await store.put("Counter", [[.text("counter"), .integer(7)]])
            context.noteMutants(in: try await context.start(.widen, at: store.location).finish("A widening process"))
            do {
                let rows = try await store.rows(QueryPlan("Counter"))
                try context.expectEqual(
                    rows, [[.text("counter"), .integer(7)], [.text("wide"), .integer(1)]], "rows in the old schema")
                try await store.put("Counter", [[.text("counter"), .integer(8)]])
                try context.expectEqual(
                    try await store.row("Counter", SharedWork.key), [.text("counter"), .integer(8)], "an old record")
            } catch let error as StorageError {
                try context.expect(
                    [.schemaMismatch, .closed, .busy].contains(error.kind),
                    "A handle of the old schema failed with \(error.kind.rawValue).")
            }
            context.witness()
        },
    ]

    static func processes(
        _ id: String, _ rule: String, catches: String, witness: String, protectsData: Bool = false,
        check: @escaping Check
    ) -> Clause {
        Clause(
            id, rule, level: .multiProcess,
            requires: .all([.feature(.multipleProcesses), .persistence]), catches: catches, witness: witness,
            protectsData: protectsData, check: check)
    }
}

extension ClauseContext {
    /// Notes if a child said that the mutant under test had its effect.
    func noteMutants(in lines: [String]) {
        if lines.contains("mutant fired") { noteMutantFired() }
    }
}
