import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of preconditions about the records that have some values in an index.
    static let indexPrefixes: [Mutant] = [
        Mutant(
            "index-prefix-ignored", "'unchanged' with an index prefix always holds.", killedBy: "PRE-014",
            requesting: { $0.dropping { $0.prefix != nil } }),
        Mutant(
            "index-prefix-of-null-is-empty", "'unchanged' holds for an index prefix with a null.", killedBy: "PRE-014",
            requesting: { $0.dropping { $0.prefix?.values.contains(.null) ?? false } }),
        Mutant(
            "index-prefix-of-two-values-ignored", "'unchanged' holds for an index prefix of two values.",
            killedBy: "PRE-014", requesting: { $0.dropping { $0.prefix?.values.count == 2 } }),
        unnoticed("index-prefix-misses-deleted", "Deleted records are not missed under an index prefix.") { seen in
            seen.missing.allSatisfy { !seen.stored.keys.contains($0) } && seen.newer.isEmpty && !seen.missing.isEmpty
        },
        unnoticed("index-prefix-misses-moved-out", "Records that got other values are not missed.") { seen in
            seen.missing.allSatisfy { seen.stored.keys.contains($0) } && seen.newer.isEmpty && !seen.missing.isEmpty
        },
        unnoticed("index-prefix-misses-phantoms", "Records that have the values since then are not noticed.") { seen in
            seen.missing.isEmpty && !seen.newer.isEmpty && seen.newer.allSatisfy { !seen.expected.contains($0) }
        },
        unnoticed("index-prefix-compares-keys", "Replaced records are not noticed under an index prefix.") { seen in
            seen.missing.isEmpty && seen.newer.allSatisfy(seen.expected.contains)
        },
        unnoticed("index-prefix-compares-counts", "As many records as before pass for the same ones.") { seen in
            !seen.missing.isEmpty && seen.missing.count == seen.newer.count
        },
        Mutant(
            "index-prefix-sees-own-writes", "The commit's own writes count for its index prefix.", killedBy: "PRE-015",
            committing: { request, base, trigger throws(StorageError) in
                let index = request.preconditions.firstIndex { $0.prefix != nil }
                if let index, request.operations.count > 1 {
                    trigger.fire()
                    throw StorageError(.preconditionFailed, "It was changed.", position: .precondition(index))
                }
                return try await base.commit(request)
            }),
        Mutant(
            "index-prefix-without-position", "The error of an index prefix names the first precondition.",
            killedBy: "PRE-015",
            failing: { request, error in
                guard case .precondition(let index)? = error.position, request.preconditions[index].prefix != nil else {
                    return error
                }
                var error = error
                error.position = .precondition(0)
                return error
            }),
        Mutant(
            "index-prefix-checked-before-commit", "An index prefix is judged in a step before the commit.",
            killedBy: "PRE-016",
            committing: { request, base, trigger throws(StorageError) in
                guard !request.operations.isEmpty, request.hasPrecondition({ $0.prefix != nil }) else {
                    return try await base.commit(request)
                }
                _ = try await base.commit(CommitRequest(preconditions: request.preconditions))
                try? await Task.sleep(for: .milliseconds(5))
                let late = request.dropping { $0.prefix != nil } ?? request
                do throws(StorageError) {
                    return try await base.commit(request)
                } catch {
                    trigger.fire()
                    return try await base.commit(late)
                }
            }),
        Mutant(
            "index-prefix-instants-as-text", "An index prefix compares date-times as they are written.",
            killedBy: "PRE-018",
            committing: { request, base, trigger throws(StorageError) in
                do throws(StorageError) {
                    return try await base.commit(request)
                } catch {
                    guard case .unchanged(let range, let since)? = request.preconditions.first,
                        let prefix = range.indexPrefix, case .timestamp? = prefix.values.first,
                        error.kind == .preconditionFailed
                    else { throw error }
                    let snapshot = try await base.snapshot()
                    let records = try await snapshot.allRecords(of: range.entity)
                    await snapshot.close()
                    let held = records.filter { $0.cells[1] == prefix.values[0] }
                    guard held.count == prefix.keys.count, held.allSatisfy({ $0.version <= since }) else { throw error }
                    trigger.fire()
                    return try await base.commit(request.dropping { $0.prefix != nil } ?? request)
                }
            }),
    ]

    /// Creates a mutant that lets a change under an index prefix pass.
    private static func unnoticed(
        _ id: String, _ summary: String, _ passes: @escaping @Sendable (SeenPrefix) -> Bool
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: "PRE-014",
            committing: { request, base, trigger throws(StorageError) in
                do throws(StorageError) {
                    return try await base.commit(request)
                } catch {
                    guard case .unchanged(let range, let since)? = request.preconditions.first,
                        let prefix = range.indexPrefix, error.kind == .preconditionFailed
                    else { throw error }
                    let snapshot = try await base.snapshot()
                    let records = try await snapshot.allRows(KeyRange(range.entity))
                    await snapshot.close()
                    guard passes(SeenPrefix(prefix, records, since: since)) else { throw error }
                    trigger.fire()
                    return try await base.commit(request.dropping { $0.prefix != nil } ?? request)
                }
            })
    }
}

/// What became of the records under an index prefix.
private struct SeenPrefix {
    /// The keys that were there.
    let expected: Set<RecordKey>
    /// Those that are no longer there.
    let missing: [RecordKey]
    /// Those that were written since, of the records that are there.
    let newer: [RecordKey]
    /// All items, by key.
    let stored: [RecordKey: StoredRow]

    init(_ prefix: IndexPrefix, _ records: [StoredRow], since: UInt64) {
        let entity = EntitySchema.items(indexed: true)
        let stored = Dictionary(records.map { (entity.key(of: $0.cells), $0) }, uniquingKeysWith: { $1 })
        let held = stored.filter { prefix.predicate(of: entity)?.matches($0.value.cells) ?? false }
        expected = Set(prefix.keys)
        missing = prefix.keys.filter { held[$0] == nil }
        newer = held.filter { $0.value.version > since }.map(\.key)
        self.stored = stored
    }
}

extension Precondition {
    /// The index prefix that this is about.
    fileprivate var prefix: IndexPrefix? {
        if case .unchanged(let range, _) = self { range.indexPrefix } else { nil }
    }
}
