import Foundation
import HoldfastStorage

extension Clause {
    /// What grows with use, and what must not grow with the store.
    static let resourcesOfGrowth: [Clause] = [
        Clause(
            "RES-011", "Thousands of different queries, asked once each, leave no memory behind.",
            catches: "Every statement that was ever prepared is kept.", witness: "different queries",
            measuresProcess: true
        ) { context in
            let store = try await context.open(.entries)
            try await store.put("Entry", EntitySchema.entryRows(0..<40))
            let count = Mutex(0)
            try await expectNoLeaks(context, rounds: 8, each: 700, byteCount: 1_024) { _ in
                // The digits of the number choose operators and fields, so that no two statements are the same.
                var terms: [HoldfastStorage.Predicate] = []
                var rest = count.withLock { count in
                    count += 1
                    return count
                }
                repeat {
                    let comparison = HoldfastStorage.Predicate.Comparison.allCases[rest % 6]
                    terms.append(
                        rest % 2 == 0
                            ? .compare("number", comparison, .integer(5)) : .compare("text", comparison, .text("t")))
                    rest /= 6
                } while rest > 0
                _ = try await store.rows(QueryPlan("Entry", where: .or(terms), limit: 2))
                context.witness()
            }
            try await store.expectHolds("Entry", EntitySchema.entryRows(0..<40))
        },
        Clause(
            "RES-012", "Openings that are refused leave no descriptor, no thread, no lock and no memory behind.",
            requires: .persistence,
            catches: "The connection of a store that was not opened is never closed.", witness: "openings refused",
            measuresProcess: true
        ) { context in
            let store = try await context.open(.entries)
            let rows = EntitySchema.entryRows(0..<30)
            try await store.put("Entry", rows)
            try await store.store.close()
            let other = EntitySchema("Entry", fields: [FieldSchema("id", .id), FieldSchema("number", .string)])
            let narrow = try StorageSchema(entities: [.others])
            let changed = try StorageSchema(entities: [other])
            let empty = try await context.makeLocation()
            let unusable = try await context.harness.makeUnusableLocation()
            try await expectNoLeaks(context, rounds: 6, each: 30, byteCount: 50_000) { number in
                let refusal = await storageError {
                    let adapter: any StorageAdapter
                    switch number % 5 {
                    case 0:
                        adapter = try store.location.makeAdapter()
                        try await adapter.open(OpenRequest(schema: changed))
                    case 1:
                        adapter = try store.location.makeAdapter()
                        try await adapter.open(OpenRequest(schema: narrow))
                    case 2:
                        adapter = try store.location.makeAdapter()
                        try await adapter.open(
                            OpenRequest(schema: changed) { _ throws(StorageError) in
                                SchemaMigration(steps: [
                                    .init(from: .entries, to: other) { _ throws(StorageError) in
                                        throw StorageError(.conflict, "This migration fails.")
                                    }
                                ])
                            })
                    case 3:
                        adapter = try empty.makeAdapter()
                        try await adapter.open(OpenRequest(schema: changed, createsStore: false))
                    default:
                        adapter = try (unusable ?? empty).makeAdapter()
                        try await adapter.open(OpenRequest(schema: changed, createsStore: unusable != nil))
                    }
                    try? await adapter.close()
                }
                try context.expect(refusal != nil, "Opening \(number % 5) must be refused, but succeeded.")
                context.witness()
            }
            for kind in [StoreDamage.newer, .foreign] {
                let location = try await context.makeLocation()
                let damaged = try await context.open(.entries, at: location)
                try await damaged.store.close()
                guard let repair = try await context.harness.damage(location, kind) else { continue }
                try await expectNoLeaks(context, rounds: 5, each: 20, byteCount: 50_000) { _ in
                    let refusal = await storageError {
                        let adapter = try location.makeAdapter()
                        try await adapter.open(OpenRequest(schema: damaged.store.schema))
                        try? await adapter.close()
                    }
                    try context.expect(refusal != nil, "A store that is \(kind) was opened.")
                    context.witness()
                }
                try await repair.run()
            }
            try await context.open(.entries, at: store.location).expectHolds("Entry", rows)
        },
        Clause(
            "RES-013", "Small commits to a few records do not make the files grow, however many there are.",
            requires: .persistence,
            catches: "The log of a store that is never closed is never cut.", witness: "commits to a few records",
            measuresProcess: true
        ) { context in
            let store = try await context.open(.entries)
            guard case .directory(let path)? = store.location.powerLoss else {
                throw ClauseSkip("The location has no powerLoss of kind .directory.")
            }
            func size() -> Int {
                let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
                return names.reduce(0) { sum, name in
                    let attributes = try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
                    return sum + ((attributes?[.size] as? NSNumber)?.intValue ?? 0)
                }
            }
            let text = String(repeating: "x", count: 10_000)
            var most = 0
            // What cuts a log beside the commits may have to wait for a core or for the disk. The files grow longer then,
            // but not in each of several rounds.
            for round in 0..<4 {
                if round > 0 { try await Task.sleep(for: .seconds(1)) }
                let before = most
                for number in 0..<4_000 {
                    var row = EntitySchema.entryRow(number % 10)
                    row[2] = .text("\(number) \(text)")
                    try await store.commit(
                        [.put(entity: "Entry", rows: RowBuffer(row: row), mode: .upsert)], durability: Durability.none)
                    if number % 250 == 249 { most = max(most, size()) }
                    context.witness()
                }
                if most < 64 << 20 || most == before && most < 256 << 20 { return }
            }
            throw ClauseFailure(
                "16,000 commits of 10 KB to ten records made files of \(most >> 20) MiB, which grow and grow.")
        },
    ]
}
