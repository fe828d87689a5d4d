import HoldfastStorage

/// What an adapter must do with a request that it declares unsupported: refuse it as such, and change nothing.
struct UnsupportedFeatureCheck {
    private let requirement: Requirement

    init(_ requirement: Requirement) { self.requirement = requirement }

    func check(_ context: ClauseContext) async throws {
        switch requirement {
        case .feature(.uniqueIndexes): try await uniqueIndexes(context)
        case .feature(.verification):
            try await refused("verify()", context) { _ = try await $0.store.verify() }
        case .feature(.backup):
            try await refused("backUp(to:)", context) { store in
                try await store.store.backUp(to: store.location.address + ".backup")
            }
        case .feature(.changeFeed):
            try await refused("changes(after:)", context) { _ = try await $0.store.changes() }
        case .durability(let durability):
            try await refused("A commit of durability '\(durability)'", context) { store in
                try await store.commit(
                    [.put(entity: "Note", rows: RowBuffer(row: [.text("b"), .text("new")]), mode: .upsert)],
                    durability: durability)
            }
        case .all(let requirements):
            for requirement in requirements { try await UnsupportedFeatureCheck(requirement).check(context) }
        case .feature(.multipleProcesses): try await secondHandle(context)
        case .feature(.predicates), .feature(.sorting), .feature(.aggregates), .feature(.indexes),
            .feature(.versionOrder):
            throw ClauseFailure("Every adapter has this feature at least emulated; declare it so.")
        }
    }

    private static let note = EntitySchema("Note", fields: [FieldSchema("id", .id), FieldSchema("text", .string)])

    private func refused(
        _ subject: String, _ context: ClauseContext, _ body: (TestStore) async throws -> Void
    ) async throws {
        let store = try await context.open(Self.note)
        try await store.put("Note", [[.text("a"), .text("kept")]])
        do {
            try await body(store)
        } catch let error as StorageError {
            try context.expectEqual(error.kind, .unsupported, "\(subject), declared unsupported")
            try context.expectEqual(error.transaction, .untouched, "the state after \(subject)")
            try await store.expectHolds("Note", [[.text("a"), .text("kept")]])
            context.witness()
            return
        }
        throw UnderDeclaration(message: "\(subject) works although it is declared unsupported.")
    }

    private func uniqueIndexes(_ context: ClauseContext) async throws {
        let location = try await context.makeLocation()
        let entity = EntitySchema(
            "Note", fields: Self.note.fields, indexes: [IndexSchema("byText", on: ["text"], isUnique: true)])
        let adapter = try location.makeAdapter()
        do {
            try await adapter.open(OpenRequest(schema: StorageSchema(entities: [entity])))
        } catch {
            try context.expectEqual(error.kind, .unsupported, "opening with a unique index, declared unsupported")
            context.witness()
            return
        }
        defer { Task { try? await adapter.close() } }
        let rows = RowBuffer(rows: [[.text("a"), .text("x")], [.text("b"), .text("x")]])
        do {
            _ = try await adapter.commit(CommitRequest(operations: [.put(entity: "Note", rows: rows, mode: .upsert)]))
        } catch {
            throw UnderDeclaration(message: "Unique indexes work although they are declared unsupported.")
        }
        throw ClauseFailure("A unique index, declared unsupported, is accepted and ignored; refuse to open.")
    }

    private func secondHandle(_ context: ClauseContext) async throws {
        let store = try await context.open(Self.note)
        try await store.put("Note", [[.text("a"), .text("kept")]])
        guard store.isPersistent else {
            // Each handle has a store of its own: nothing is shared that could be refused.
            context.witness()
            return
        }
        do {
            let second = try await store.another()
            try await second.store.close()
        } catch let error as StorageError {
            try context.expectEqual(error.kind, .locked, "a second handle where several are declared unsupported")
            try await refusedElsewhere(store, context)
            try await store.expectHolds("Note", [[.text("a"), .text("kept")]])
            context.witness()
            return
        }
        throw UnderDeclaration(message: "A second handle works although several are declared unsupported.")
    }

    /// Another process must be refused like another handle.
    private func refusedElsewhere(_ store: TestStore, _ context: ClauseContext) async throws {
        guard context.workers != nil, try context.harness.location(at: store.location.address) != nil else { return }
        let worker = try context.start(.write, at: store.location, ["1"])
        var said: [String] = []
        for await line in worker.lines { said.append(line) }
        try context.expectEqual(
            said.first, "refused storage.locked", "a second process where several are declared unsupported")
        try context.expectEqual(await worker.end().code, 1, "the exit code of a process that was refused")
    }
}
