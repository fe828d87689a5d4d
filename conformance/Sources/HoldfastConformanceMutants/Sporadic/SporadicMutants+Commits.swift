import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Commits that are wrong after others, or for some of their parts.
    static let sporadicOfCommits: [Mutant] = [
        Mutant(
            "second-failure-leaves-its-beginning", "Every second commit that fails keeps its first operation.",
            killedBy: "WRT-010"
        ) { base, trigger in
            let failures = Counter()
            return HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    do throws(StorageError) {
                        return try await base.commit(request)
                    } catch {
                        if case .operation(let index)? = error.position, index > 0, failures.next() % 2 == 1 {
                            trigger.fire()
                            _ = try await base.commit(CommitRequest(operations: [request.operations[0]]))
                        }
                        throw error
                    }
                }
            }
        },
        Mutant(
            "commit-after-failure-loses-last-row", "The put after a commit that failed loses its last row.",
            killedBy: "ERR-004"
        ) { base, trigger in
            let failed = Counter()
            return HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    var asked = request
                    if failed.current > 0,
                        let changed = request.changing({
                            $0.changingRows { $0.count > 1 ? Array($0.dropLast()) : $0 }
                        })
                    {
                        trigger.fire()
                        asked = changed
                    }
                    do throws(StorageError) {
                        var receipt = try await base.commit(asked)
                        failed.set(0)
                        if asked.writtenCount < request.writtenCount { receipt.putCount += 1 }
                        return receipt
                    } catch {
                        failed.set(1)
                        throw error
                    }
                }
            }
        },
        Mutant(
            "versions-compared-in-a-byte", "Versions that differ by 256 are taken for equal.", killedBy: "PRE-001",
            versions: { demanded, stored in demanded & 0xFF == stored & 0xFF }),
        Mutant(
            "every-second-precondition", "Of more than one precondition every second one counts.", killedBy: "PRE-005",
            requesting: { request in
                guard request.preconditions.count > 1 else { return nil }
                var request = request
                request.preconditions = request.preconditions.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
                return request
            }),
        Mutant(
            "preconditions-end-at-255", "Only the first 255 preconditions count.", killedBy: "PRE-005",
            requesting: { request in
                guard request.preconditions.count > 255 else { return nil }
                var request = request
                request.preconditions = Array(request.preconditions.prefix(255))
                return request
            }),
        Mutant(
            "unchanged-excludes-upper-end", "'unchanged' does not look at the key that ends its range.",
            killedBy: "PRE-002",
            requesting: { request in
                var request = request
                var isChanged = false
                request.preconditions = request.preconditions.map { precondition in
                    guard case .unchanged(let range, let since) = precondition, case .included(let key) = range.upper
                    else { return precondition }
                    isChanged = true
                    return .unchanged(KeyRange(range.entity, from: range.lower, to: .excluded(key)), since: since)
                }
                return isChanged ? request : nil
            }),
        Mutant(
            "insert-after-delete-lost", "A record that one commit deletes and creates again stays deleted.",
            killedBy: "WRT-009",
            requesting: { request in
                var deleted: Set<RecordKey> = []
                return request.changing { operation in
                    if case .delete(_, let keys) = operation { deleted.formUnion(keys) }
                    return operation.changingRows { rows in
                        rows.filter { row in !row.isEmpty && !deleted.contains(RecordKey([row[0]])) }
                    }
                }
            }),
        Mutant(
            "two-deletes-count-as-one", "A delete of exactly two records counts one.", killedBy: "WRT-005",
            acknowledging: { request, receipt in
                var receipt = receipt
                if receipt.deletedCount == 2 { receipt.deletedCount = 1 }
                return receipt
            }),
        Mutant(
            "clear-after-put-keeps-the-put", "A clear leaves what the same commit put before.", killedBy: "WRT-009",
            requesting: { request in
                guard
                    let last = request.operations.lastIndex(where: { if case .clear = $0 { true } else { false } }),
                    last > 0
                else { return nil }
                var request = request
                request.operations.insert(request.operations.remove(at: last), at: 0)
                return request
            }),
        Mutant(
            "third-operation-of-its-entity-lost", "The third put of one entity in a commit is lost.",
            killedBy: "WRT-017",
            requesting: { request in
                var counts: [String: Int] = [:]
                return request.changing { operation in
                    guard case .put(let entity, let rows, let mode) = operation, rows.rowCount > 0 else { return nil }
                    counts[entity, default: 0] += 1
                    guard counts[entity] == 3 else { return nil }
                    return .put(entity: entity, rows: RowBuffer(columnCount: rows.columnCount), mode: mode)
                }
            }),
    ]

    /// Creates a mutant that compares the versions of preconditions wrongly.
    private init(
        _ id: String, _ summary: String, killedBy clause: String,
        versions areEqual: @escaping @Sendable (UInt64, UInt64) -> Bool
    ) {
        self.init(id, summary, killedBy: clause) { request, base, trigger throws(StorageError) in
            var request = request
            for (index, precondition) in request.preconditions.enumerated() {
                guard case .version(let entity, let key, let demanded) = precondition else { continue }
                var rows = RowBuffer()
                try await base.get(GetRequest(entity, keys: [key]), into: &rows)
                let stored = rows.versions[0]
                guard stored > 0, stored != demanded, areEqual(demanded, stored) else { continue }
                trigger.fire()
                request.preconditions[index] = .version(entity: entity, key: key, stored)
            }
            return try await base.commit(request)
        }
    }
}
