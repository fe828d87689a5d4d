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
        let first = try await harness.makeSite()
        let second = try await harness.makeSite()
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
        let site = try await harness.makeSite()
        let adapter = try site.makeAdapter()
        var capabilities = adapter.capabilities
        if let schema = Self.schema, let store = try? await Store.open(adapter, schema: schema) {
            capabilities = store.capabilities
            try? await store.close()
        }
        await site.remove()
        return capabilities
    }

    private func check(_ first: any StoreSite, _ second: any StoreSite) async throws -> Capabilities {
        guard let schema = Self.schema else { throw HarnessFailure("The schema of the self-test is invalid.") }
        guard first.address != second.address else {
            throw HarnessFailure("Two sites have one address; every call of makeSite() needs a place of its own.")
        }
        let left = try await open(first, schema)
        let right = try await open(second, schema)
        let put = WriteOperation.put(
            entity: "Probe", rows: RowBuffer(row: [.text("a"), .text("left")]), mode: .upsert)
        _ = try await left.commit(CommitRequest(operations: [put]))
        guard try await version(in: left) > 0 else {
            throw HarnessFailure("A record that was just written cannot be read.")
        }
        guard try await version(in: right) == 0 else {
            throw HarnessFailure("What is written at one site is seen at another.")
        }
        let capabilities = left.capabilities
        try await left.close()
        try await right.close()
        if capabilities.durability > .none {
            let again = try await open(first, schema)
            guard try await version(in: again) > 0 else {
                throw HarnessFailure("A second handle on a site does not show what the first wrote.")
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

    private func open(_ site: any StoreSite, _ schema: StorageSchema) async throws -> Store {
        do {
            return try await Store.open(try site.makeAdapter(), schema: schema)
        } catch {
            throw HarnessFailure("The store of a new site cannot be opened: \(error)")
        }
    }
}
