import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Adapters that lose something of what is kept for a service.
    static let engineSync: [Mutant] = [
        Mutant(
            "eng-before-of-first-entry", "What an entry of the queue replaced stays when the entry is replaced.",
            killedBy: "ENG-088"
        ) { request, base, trigger throws(StorageError) in
            let snapshot = try await base.snapshot()
            var request = request
            for (index, operation) in request.operations.enumerated() {
                guard case .put("__outbox", let rows, .upsert) = operation else { continue }
                var cells = rows.storedRows.map(\.cells)
                for row in cells.indices {
                    var old = RowBuffer()
                    try await snapshot.get(
                        GetRequest("__outbox", keys: [RecordKey(Array(cells[row].prefix(3)))]), into: &old)
                    if old.versions[0] == 0 || old[0, 7] == cells[row][7] { continue }
                    cells[row][7] = old[0, 7]
                    trigger.fire()
                }
                request.operations[index] = .put(entity: "__outbox", rows: RowBuffer(rows: cells), mode: .upsert)
            }
            await snapshot.close()
            return try await base.commit(request)
        },
        Mutant(
            "eng-versions-stay", "What is known of a record of the service is written once and never replaced.",
            killedBy: "ENG-088"
        ) { request, base, trigger throws(StorageError) in
            let snapshot = try await base.snapshot()
            let known = try await snapshot.allRecords(of: "__record_metadata").map { Array($0.cells.prefix(2)) }
            await snapshot.close()
            let changed = request.changing { operation in
                guard operation.entity == "__record_metadata" else { return nil }
                return operation.changingRows { rows in rows.filter { !known.contains(Array($0.prefix(2))) } }
            }
            guard var changed else { return try await base.commit(request) }
            trigger.fire()
            changed.operations.removeAll { operation in
                if case .put(_, let rows, _) = operation { rows.isEmpty } else { false }
            }
            return try await base.commit(changed)
        },
        inItsOwnCommit("__model_state", killedBy: "ENG-089"),
        Mutant(
            "eng-tombstones-forgotten", "What is known of deleted records is not read by key.", killedBy: "ENG-090",
            fetching: { request, rows in
                rows.map { row in
                    guard request.entity == "__record_metadata", row.cells[4] == .boolean(true) else { return row }
                    return StoredRow(row.cells.map { _ in .null }, version: 0)
                }
            }),
        Mutant(
            "eng-one-waits", "Of several records of the service that must wait, one is kept.", killedBy: "ENG-091",
            requesting: { request in
                request.changing { operation in
                    operation.entity == "__shelf" ? operation.changingRows { Array($0.prefix(1)) } : nil
                }
            }),
        Mutant(
            "eng-no-number-is-seen", "Records without a number of a full sync are not found.", killedBy: "ENG-092",
            answering: { query, records in
                query.results(of: records.filter { query.entity.name != "__record_metadata" || !$0.cells[5].isNull })
            }),
        Mutant(
            "eng-full-page-has-a-hole", "A full page of what is known of records lacks one.", killedBy: "ENG-092",
            answering: { query, records in
                var rows = query.results(of: records)
                if query.entity.name == "__record_metadata", rows.count == 1_000 { rows.remove(at: 500) }
                return rows
            }),
        Mutant(
            "eng-get-invents-books", "A key without a book gives an empty book.", killedBy: "ENG-093",
            fetching: { request, rows in
                rows.enumerated().map { index, row in
                    guard request.entity == "Book", row.version == 0 else { return row }
                    return StoredRow(
                        request.keys[index].components + Array(repeating: .null, count: row.cells.count - 1),
                        version: 1)
                }
            }),
        Mutant("eng-back-end-cascades", "The back end deletes the books of an author.", killedBy: "ENG-094") {
            request, base, trigger throws(StorageError) in
            var request = request
            for case .delete("Author", let keys) in request.operations {
                let snapshot = try await base.snapshot()
                let books = try await snapshot.allRecords(of: "Book").filter { book in
                    keys.contains { $0.components == [book.cells[5]] }
                }
                await snapshot.close()
                if books.isEmpty { continue }
                trigger.fire()
                request.operations.append(.delete(entity: "Book", keys: books.map { RecordKey([$0.cells[0]]) }))
            }
            return try await base.commit(request)
        },
    ]

    /// Adapters that lose something of what is sent to a service.
    static let engineSending: [Mutant] = [
        Mutant(
            "eng-one-is-frozen", "Of several entries that a commit takes from the queue, one is written.",
            killedBy: "ENG-095",
            requesting: { request in
                request.changing { operation in
                    guard case .put("__outbox", _, .upsert) = operation else { return nil }
                    return operation.changingRows { Array($0.prefix(1)) }
                }
            }),
        inItsOwnCommit("__dead_letter", killedBy: "ENG-096"),
        Mutant(
            "eng-answered-entries-stay", "A commit that writes what is known of records deletes nothing of the queue.",
            killedBy: "ENG-096",
            requesting: { request in
                guard request.operations.contains(where: { $0.entity == "__record_metadata" }) else { return nil }
                var changed = request
                changed.operations.removeAll { operation in
                    if case .delete("__outbox", _) = operation { true } else { false }
                }
                return changed.operations.count == request.operations.count ? nil : changed
            }),
        Mutant(
            "eng-queue-texts-cut", "Texts of more than a hundred characters are cut in the queue.",
            killedBy: "ENG-097",
            requesting: { request in
                request.changing { operation in
                    guard operation.entity == "__outbox" else { return nil }
                    return operation.changingRows { rows in
                        rows.map { $0.map { $0.changingText { String($0.prefix(100)) } } }
                    }
                }
            }),
        Mutant(
            "eng-letters-stay", "Letters are not deleted.", killedBy: "ENG-097",
            requesting: { request in
                var changed = request
                changed.operations.removeAll { operation in
                    if case .delete("__dead_letter", _) = operation { true } else { false }
                }
                return changed.operations.count == request.operations.count ? nil : changed
            }),
        Mutant(
            "eng-first-lease-twice", "The first lease replaces another that was given in between.",
            killedBy: "ENG-098",
            requesting: { request in
                request.changing { operation in
                    guard case .put("__sync_session", let rows, .insert) = operation else { return nil }
                    return .put(entity: "__sync_session", rows: rows, mode: .upsert)
                }
            }),
        Mutant(
            "eng-lease-twice", "A lease replaces another that was given in between.", killedBy: "ENG-098",
            requesting: { request in
                guard request.operations.contains(where: { $0.entity == "__sync_session" }) else { return nil }
                return request.dropping(\.isVersion)
            }),
        Mutant(
            "eng-fence-ignored", "That a lease still holds is not checked.", killedBy: "ENG-099",
            requesting: { request in
                request.dropping { precondition in
                    if case .version("__sync_session", _, _) = precondition { true } else { false }
                }
            }),
        Mutant(
            "eng-five-clears", "Of more than five clears in a commit the rest is not carried out.",
            killedBy: "ENG-100",
            requesting: { request in
                var changed = request
                var count = 0
                changed.operations.removeAll { operation in
                    guard case .clear = operation else { return false }
                    count += 1
                    return count > 5
                }
                return count > 5 ? changed : nil
            }),
        Mutant(
            "eng-queue-alone-is-cut", "A commit that writes only the queue writes a hundred rows at most.",
            killedBy: "ENG-101",
            requesting: { request in
                guard request.operations.allSatisfy({ $0.entity == "__outbox" }) else { return nil }
                return request.changing { operation in operation.changingRows { Array($0.prefix(100)) } }
            }),
    ]

    /// A mutant that writes the rows of an entity after the rest of their commit.
    private static func inItsOwnCommit(_ entity: String, killedBy clause: String) -> Mutant {
        Mutant(
            "eng\(entity.replacing("_", with: "-").dropFirst())-in-its-own-commit",
            "The rows of \(entity) are written after the rest of their commit.", killedBy: clause
        ) { request, base, trigger throws(StorageError) in
            var (first, second) = (request, CommitRequest(durability: request.durability))
            first.operations.removeAll { $0.entity == entity }
            second.operations = request.operations.filter { $0.entity == entity }
            guard !first.operations.isEmpty && !second.operations.isEmpty else { return try await base.commit(request) }
            trigger.fire()
            _ = try await base.commit(first)
            return try await base.commit(second)
        }
    }
}
