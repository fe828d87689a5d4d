import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of what a disk does to commits and reads.
    static let errorsOfDisks: [Mutant] = [
        Mutant(
            "full-disk-ends-reads", "After a commit without room nothing can be read.", killedBy: "ERR-008",
            noting: { hooks, notes, _, trigger in
                hooks.committing = { request, base async throws(StorageError) in
                    do throws(StorageError) {
                        return try await base.commit(request)
                    } catch {
                        if error.kind == .full { notes.with { $0.count += 1 } }
                        throw error
                    }
                }
                hooks.scanning = { range, snapshot async throws(StorageError) in
                    guard notes.with({ $0.count }) > 0 else { return try await snapshot.scan(range) }
                    trigger.fire()
                    throw StorageError(.full, "The disk was full.")
                }
            }),
        Mutant(
            "full-disk-is-io", "A full disk is called an error of the disk.", killedBy: "ERR-008",
            failing: { _, error in
                error.kind == .full ? StorageError(.io, error.message, transaction: error.transaction) : error
            }),
        Mutant(
            "full-disk-ends-commits", "After a commit without room there are no more.", killedBy: "ERR-008",
            noting: { hooks, notes, _, trigger in
                hooks.committing = { request, base async throws(StorageError) in
                    if notes.with({ $0.count }) > 0 { throw StorageError(.full, "The disk was full.") }
                    do throws(StorageError) {
                        return try await base.commit(request)
                    } catch {
                        guard error.kind == .full else { throw error }
                        trigger.fire()
                        notes.with { $0.count += 1 }
                        throw error
                    }
                }
            }),
        acknowledging(
            "disk-error-acknowledged", "A commit during which the disk fails is acknowledged.", .io, "ERR-009"),
        Mutant(
            "disk-error-is-undone", "A commit during which the disk fails says that it was undone, and is there.",
            killedBy: "ERR-009",
            committing: { request, base, trigger throws(StorageError) in
                do throws(StorageError) {
                    return try await base.commit(request)
                } catch {
                    guard error.kind == .io else { throw error }
                    if (try? await base.commit(request)) != nil { trigger.fire() }
                    var error = error
                    error.transaction = .rolledBack
                    throw error
                }
            }),
        Mutant(
            "error-is-the-end", "An error in the middle of a scan is taken for its end.", killedBy: "ERR-010",
            wrap: { base, trigger in
                HookedAdapter(base) {
                    $0.scanning = { range, snapshot async throws(StorageError) in
                        ErrorSwallowingScan(base: try await snapshot.scan(range), trigger: trigger)
                    }
                }
            }),
        Mutant(
            "query-error-is-the-end", "An error in the middle of a query is taken for its end.", killedBy: "ERR-010",
            wrap: { base, trigger in
                HookedAdapter(base) {
                    $0.querying = { query, snapshot async throws(StorageError) in
                        ErrorSwallowingScan(base: try await snapshot.query(query), trigger: trigger)
                    }
                    $0.scanning = { range, snapshot async throws(StorageError) in try await snapshot.scan(range) }
                }
            }),
    ]

    private static func acknowledging(
        _ id: String, _ summary: String, _ kind: StorageError.Kind, _ clause: String
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: clause,
            committing: { request, base, trigger throws(StorageError) in
                do throws(StorageError) {
                    return try await base.commit(request)
                } catch {
                    guard error.kind == kind else { throw error }
                    trigger.fire()
                    return CommitReceipt(sequence: 1_000_000, putCount: 1)
                }
            })
    }
}

/// A scan that ends where an error is.
private struct ErrorSwallowingScan: AdapterScan {
    var base: any AdapterScan
    let trigger: MutantTrigger

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        do throws(StorageError) {
            try await base.next(maximumRowCount: maximumRowCount, into: &rows)
        } catch {
            trigger.fire()
            rows.reset(columnCount: rows.columnCount)
        }
    }

    mutating func close() async { await base.close() }
}
