import HoldfastStorage

/// Tries the harness before the first clause, so that a broken harness is never mistaken for an adapter.
struct HarnessSelfTest {
    private static let schema = try? StorageSchema(entities: [
        EntitySchema("Probe", fields: [FieldSchema("id", .id), FieldSchema("text", .string)])
    ])
    private let harness: any AdapterHarness

    init(_ harness: any AdapterHarness) { self.harness = harness }

    /// - Returns: The adapter's declaration, read from an open store.
    /// - Throws: ``HarnessFailure`` that says what the harness does wrong.
    func run() async throws -> Capabilities {
        let first = try await harness.makeLocation()
        let second = try await harness.makeLocation()
        do {
            let capabilities = try await check(first, second)
            await first.remove()
            await second.remove()
            return capabilities
        } catch {
            await first.remove()
            await second.remove()
            throw error
        }
    }

    /// The adapter's declaration alone, from an open store if it can be opened.
    func declaration() async throws -> Capabilities {
        let location = try await harness.makeLocation()
        let adapter = try location.makeAdapter()
        var capabilities = adapter.capabilities
        if let schema = Self.schema, let store = try? await Store.open(adapter, schema: schema) {
            capabilities = store.capabilities
            try? await store.close()
        }
        await location.remove()
        return capabilities
    }

    private func check(_ first: any StoreLocation, _ second: any StoreLocation) async throws -> Capabilities {
        guard let schema = Self.schema else { throw HarnessFailure("The schema of the self-test is invalid.") }
        guard first.address != second.address else {
            throw HarnessFailure(
                "Two locations have one address; every call of makeLocation() needs a place of its own.")
        }
        let left = try await open(first, schema)
        let right = try await open(second, schema)
        let put = WriteOperation.put(
            entity: "Probe", rows: RowBuffer(row: [.text("a"), .text("left")]), mode: .upsert)
        _ = try await left.commit(CommitRequest(operations: [put]))
        guard try await version(in: left) > 0 else {
            throw HarnessFailure(
                "A record that was just written cannot be read. The adapter loses it, or the harness opens another store."
            )
        }
        guard try await version(in: right) == 0 else {
            throw HarnessFailure("What is written at one location is seen at another.")
        }
        let capabilities = left.capabilities
        try await left.close()
        try await right.close()
        if capabilities.durability > .none {
            let again = try await open(first, schema)
            guard try await version(in: again) > 0 else {
                throw HarnessFailure(
                    "A second handle on a location does not show what the first wrote. The adapter empties its store when "
                        + "it opens or closes it, or the harness gives each handle a store of its own.")
            }
            try await again.close()
            await first.remove()
            let empty = try await open(first, schema)
            guard try await version(in: empty) == 0 else {
                throw HarnessFailure("remove() leaves the store behind.")
            }
            try await empty.close()
        }
        return capabilities
    }

    /// The version of the record that the test writes; 0 if there is none.
    private func version(in store: Store) async throws -> UInt64 {
        try await store.records([RecordKey("a")], of: "Probe").first?.version ?? 0
    }

    private func open(_ location: any StoreLocation, _ schema: StorageSchema) async throws -> Store {
        do {
            return try await Store.open(try location.makeAdapter(), schema: schema)
        } catch {
            throw HarnessFailure("The store of a new location cannot be opened: \(error)")
        }
    }
}
