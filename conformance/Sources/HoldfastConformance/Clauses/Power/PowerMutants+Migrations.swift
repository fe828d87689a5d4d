import HoldfastStorage

extension Mutant {
    /// Mutants of the loss of power during a migration.
    static let powerMigrations: [Mutant] = [
        Mutant(
            "catalog-follows-the-data", "A migration writes the records first, and the catalog in another commit.",
            killedBy: "PWR-011",
            wrapLocation: { location, trigger in
                MutantLocation(base: location) {
                    HookedAdapter(try location.makeAdapter()) {
                        $0.opening = { request, base async throws(StorageError) in
                            guard request.schema.entities[0].fields.map(\.type) == [.id, .string],
                                let old = try? location.makeAdapter()
                            else { return try await base.open(request) }
                            do throws(StorageError) {
                                try await old.open(
                                    OpenRequest(schema: StorageSchema(entities: [SchemaWork.note]), createsStore: false)
                                )
                            } catch {
                                return try await base.open(request)
                            }
                            let snapshot = try await old.snapshot()
                            let rows = try await snapshot.allRecords(of: "Note").map(\.cells)
                            await snapshot.close()
                            if rows.count > 100 {
                                trigger.fire()
                                // What the old schema can no longer read.
                                let keys = rows.map { RecordKey([$0[0]]) }
                                _ = try await old.commit(
                                    CommitRequest(
                                        operations: [.delete(entity: "Note", keys: keys)], durability: .powerLoss))
                            }
                            try await old.close()
                            try await base.open(request)
                            guard rows.count > 100 else { return }
                            let new = rows.map(SchemaWork.Change.stepped.changed)
                            _ = try await base.commit(
                                CommitRequest(
                                    operations: [.put(entity: "Note", rows: RowBuffer(rows: new), mode: .upsert)],
                                    durability: .powerLoss))
                        }
                    }
                }
            })
    ]
}
