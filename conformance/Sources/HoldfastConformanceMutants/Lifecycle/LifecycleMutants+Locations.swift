import HoldfastConformance
import HoldfastStorage

extension Mutant {
    static let lifecycleOfLocations: [Mutant] = [
        Mutant("verification-cries-wolf", "Null in an index is called damage.", killedBy: "LIF-011") { base, trigger in
            HookedAdapter(base) {
                $0.verifying = { base async throws(StorageError) in
                    let defects = try await base.verify()
                    let rows = try await rows(of: "Entry", base)
                    guard rows.contains(where: { $0.cells[1].isNull }) else { return defects }
                    trigger.fire()
                    return defects + ["An index has entries without a value."]
                }
            }
        },
        Mutant("verification-repairs", "Verification writes to a sound store.", killedBy: "LIF-011") { base, trigger in
            HookedAdapter(base) {
                $0.verifying = { base async throws(StorageError) in
                    let defects = try await base.verify()
                    trigger.fire()
                    _ = try await base.commit(CommitRequest(operations: [.delete(entity: "Entry", keys: [])]))
                    return defects
                }
            }
        },
        backup("backup-lacks-a-record", "The last record is not in a backup.", killedBy: "LIF-012") {
            destination, base, trigger async throws(StorageError) in
            guard base.capabilities.support(for: .backup) != .unsupported,
                let last = try await rows(of: "Entry", base).last
            else {
                return try await base.backUp(to: destination)
            }
            trigger.fire()
            let key = RecordKey([last.cells[0]])
            _ = try await base.commit(CommitRequest(operations: [.delete(entity: "Entry", keys: [key])]))
            try await base.backUp(to: destination)
            let put = WriteOperation.put(entity: "Entry", rows: RowBuffer(row: last.cells), mode: .insert)
            _ = try await base.commit(CommitRequest(operations: [put]))
        },
        backup("backup-empties-its-source", "The store is emptied once it is copied.", killedBy: "LIF-012") {
            destination, base, trigger async throws(StorageError) in
            try await base.backUp(to: destination)
            trigger.fire()
            _ = try await base.commit(CommitRequest(operations: [.clear(entity: "Entry")]))
        },
        backup("backup-is-promised", "A backup is acknowledged and not made.", killedBy: "LIF-012") {
            _, _, trigger async throws(StorageError) in
            trigger.fire()
        },
        quietBackup("backup-halves-commits", "A backup made during a commit has the half of it.") {
            [.put(entity: "Entry", rows: RowBuffer(row: [.text("e0000"), .integer(.max), .null]), mode: .upsert)]
        },
        quietBackup("backup-of-yesterday", "A backup is the copy that was made first.") {
            ["Entry", "Other"].map { entity in
                let id = entity == "Entry" ? "e0000" : "o"
                let cells: [Value] = [.text(id), .integer(-1)] + (entity == "Entry" ? [.null] : [])
                return .put(entity: entity, rows: RowBuffer(row: cells), mode: .upsert)
            }
        },
        backup("backup-overwrites-silently", "A backup to where something exists passes for done.", killedBy: "LIF-014")
        {
            destination, base, trigger async throws(StorageError) in
            do throws(StorageError) {
                try await base.backUp(to: destination)
            } catch {
                guard error.kind == .io else { throw error }
                trigger.fire()
            }
        },
        backup("backup-refused-as-misuse", "A backup to where something exists is called misuse.", killedBy: "LIF-014")
        {
            destination, base, trigger async throws(StorageError) in
            do throws(StorageError) {
                try await base.backUp(to: destination)
            } catch {
                trigger.fire()
                throw StorageError(.misuse, error.message)
            }
        },
        refused(
            "newer-store-emptied", "What cannot be read is taken for a new store.", killedBy: "LIF-015",
            .incompatibleStore),
        refused("damaged-store-emptied", "A damaged store is taken for a new one.", killedBy: "LIF-016", .corruption),
        Mutant("makes-a-store-anyway", "A store is made where none should be made.", killedBy: "LIF-019") {
            base, trigger in
            HookedAdapter(base) {
                $0.opening = { request, base async throws(StorageError) in
                    if !request.createsStore { trigger.fire() }
                    var request = request
                    request.createsStore = true
                    try await base.open(request)
                }
            }
        },
        Mutant("misses-a-store-that-is-there", "No store is found where none should be made.", killedBy: "LIF-019") {
            base, trigger in
            HookedAdapter(base) {
                $0.opening = { request, base async throws(StorageError) in
                    restIfNothingLasts(base, trigger)
                    try await base.open(request)
                    guard !request.createsStore else { return }
                    trigger.fire()
                    try await base.close()
                    throw OpenRequest.missingStore
                }
            }
        },
        Mutant("leaves-a-store-behind", "A store is refused and made all the same.", killedBy: "LIF-019") {
            base, trigger in
            HookedAdapter(base) {
                $0.opening = { request, base async throws(StorageError) in
                    restIfNothingLasts(base, trigger)
                    guard !request.createsStore, base.capabilities.durability > .none else {
                        return try await base.open(request)
                    }
                    do throws(StorageError) {
                        try await base.open(request)
                    } catch {
                        trigger.fire()
                        try await base.open(OpenRequest(schema: request.schema))
                        try await base.close()
                        throw error
                    }
                }
            }
        },
        refused("falls-back-to-memory", "Where no store can be, it lives in memory.", killedBy: "LIF-017", .io),
        Mutant("read-only-acknowledges", "Commits of a handle that may only read are dropped.", killedBy: "LIF-018") {
            base, trigger in
            HookedAdapter(base) {
                $0.committing = { request, base async throws(StorageError) in
                    do throws(StorageError) {
                        return try await base.commit(request)
                    } catch {
                        guard error.kind == .readOnly else { throw error }
                        trigger.fire()
                        return CommitReceipt(sequence: 1, putCount: 1)
                    }
                }
            }
        },
        Mutant("read-only-clears", "Clearing through a handle that may only read is called io.", killedBy: "LIF-018") {
            base, trigger in
            HookedAdapter(base) {
                $0.committing = { request, base async throws(StorageError) in
                    do throws(StorageError) {
                        return try await base.commit(request)
                    } catch {
                        guard error.kind == .readOnly, case .clear? = request.operations.first else { throw error }
                        trigger.fire()
                        throw StorageError(.io, error.message)
                    }
                }
            }
        },
    ]

    private static func backup(
        _ id: String, _ summary: String, killedBy clause: String,
        _ body: @escaping @Sendable (String, any StorageAdapter, MutantTrigger) async throws(StorageError) -> Void
    ) -> Mutant {
        Mutant(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) {
                $0.backingUp = { destination, base async throws(StorageError) in
                    try await body(destination, base, trigger)
                }
            }
        }
    }

    /// A backup before which something is written, while all commits of others wait.
    private static func quietBackup(
        _ id: String, _ summary: String, of operations: @escaping @Sendable () -> [WriteOperation]
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: "LIF-013",
            noting: { hooks, notes, _, trigger in
                hooks.backingUp = { destination, base async throws(StorageError) in
                    guard base.capabilities.support(for: .backup) != .unsupported else {
                        return try await base.backUp(to: destination)
                    }
                    notes.with { $0.isClosing = true }
                    try? await Task.sleep(for: .milliseconds(10))
                    _ = try await base.commit(CommitRequest(operations: operations()))
                    try await base.backUp(to: destination)
                    trigger.fire()
                    notes.with { $0.isClosing = false }
                }
                hooks.committing = { request, base async throws(StorageError) in
                    while notes.with({ $0.isClosing }) { try? await Task.sleep(for: .milliseconds(1)) }
                    return try await base.commit(request)
                }
            })
    }

    /// A handle that passes for open, and for empty, where opening failed.
    private static func restIfNothingLasts(_ base: any StorageAdapter, _ trigger: MutantTrigger) {
        if base.capabilities.durability == .none { trigger.skip(because: "Nothing outlasts the adapter.") }
    }

    private static func refused(
        _ id: String, _ summary: String, killedBy clause: String, _ kind: StorageError.Kind
    ) -> Mutant {
        Mutant(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) {
                $0.opening = { request, base async throws(StorageError) in
                    do throws(StorageError) {
                        try await base.open(request)
                    } catch {
                        guard error.kind == kind else { throw error }
                        trigger.fire()
                    }
                }
            }
        }
    }
}
