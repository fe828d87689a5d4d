import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants that the clauses of `ENG` must find.
    static let engine: [Mutant] =
        engineWriting + enginePreconditions + engineReading + engineAsking + engineDelivering + engineReopening
        + engineTransactionRelations + engineSync + engineSending

    /// Commits that write something else.
    private static let engineWriting: [Mutant] = [
        Mutant("eng-update-merges", "Nulls of an update leave the old value.", killedBy: "ENG-001") {
            request, base, trigger throws(StorageError) in
            let snapshot = try await base.snapshot()
            var request = request
            for (index, operation) in request.operations.enumerated() {
                guard case .put("Book", let rows, .update) = operation else { continue }
                var cells = rows.storedRows.map(\.cells)
                for row in cells.indices {
                    var old = RowBuffer()
                    guard case .text(let id) = cells[row][0] else { continue }
                    try await snapshot.get(GetRequest("Book", keys: [RecordKey(id)]), into: &old)
                    for column in cells[row].indices where cells[row][column].isNull && !old[0, column].isNull {
                        cells[row][column] = old[0, column]
                        trigger.fire()
                    }
                }
                request.operations[index] = .put(entity: "Book", rows: RowBuffer(rows: cells), mode: .update)
            }
            await snapshot.close()
            return try await base.commit(request)
        },
        Mutant("eng-batch-in-two-commits", "A put of more than fifty rows is two commits.", killedBy: "ENG-002") {
            request, base, trigger throws(StorageError) in
            var (first, second) = (request, CommitRequest(durability: request.durability))
            first.operations = request.operations.map { operation in
                guard case .put(let entity, let rows, let mode) = operation, rows.rowCount > 50 else {
                    return operation
                }
                let cells = rows.storedRows.map(\.cells)
                second.operations.append(.put(entity: entity, rows: RowBuffer(rows: Array(cells[50...])), mode: mode))
                return .put(entity: entity, rows: RowBuffer(rows: Array(cells[..<50])), mode: mode)
            }
            let receipt = try await base.commit(first)
            if second.operations.isEmpty { return receipt }
            trigger.fire()
            return try await base.commit(second)
        },
        Mutant(
            "eng-last-row-of-large-batch-lost", "The last of more than fifty rows is not written.", killedBy: "ENG-002",
            requesting: { request in
                request.changing { $0.changingRows { $0.count > 50 ? Array($0.dropLast()) : $0 } }
            }),
        Mutant(
            "eng-first-row-of-batch-lost", "The first of more than thirty rows is not written.", killedBy: "ENG-003",
            requesting: { request in
                request.changing { $0.changingRows { $0.count > 30 ? Array($0.dropFirst()) : $0 } }
            }),
        Mutant(
            "eng-insert-replaces", "An insert of a record that exists replaces it.", killedBy: "ENG-004",
            requesting: { request in
                request.changing { operation in
                    guard case .put(let entity, let rows, .insert) = operation else { return nil }
                    return .put(entity: entity, rows: rows, mode: .upsert)
                }
            }),
        Mutant(
            "eng-last-delete-only", "Of several deletes in a commit the last only is carried out.",
            killedBy: "ENG-006",
            requesting: { request in
                let deletes = request.operations.indices.filter { request.operations[$0].isDelete }
                guard deletes.count > 1 else { return nil }
                var request = request
                for index in deletes.dropLast().reversed() { request.operations.remove(at: index) }
                return request
            }),
        Mutant(
            "eng-back-end-checks-parents", "A record before the one that it refers to is refused.",
            killedBy: "ENG-012"
        ) { request, base, trigger throws(StorageError) in
            for case .put("Author", let rows, _) in request.operations {
                let cells = rows.storedRows.map(\.cells)
                for (index, row) in cells.enumerated() where cells[(index + 1)...].contains(where: { $0[0] == row[3] })
                {
                    trigger.fire()
                    throw StorageError(.io, "The parent is missing.")
                }
            }
            return try await base.commit(request)
        },
        Mutant("eng-back-end-refuses-cycles", "Records that refer to each other are refused.", killedBy: "ENG-013") {
            request, base, trigger throws(StorageError) in
            if request.puts("Lock") && request.puts("Key") {
                trigger.fire()
                throw StorageError(.io, "The parent is missing.")
            }
            return try await base.commit(request)
        },
        Mutant(
            "eng-puts-beside-deletes-lost", "What a commit puts into an entity of which it deletes is lost.",
            killedBy: "ENG-015",
            requesting: { request in
                guard request.deletes("Book") && request.puts("Book") else { return nil }
                var request = request
                request.operations.removeAll { !$0.isDelete && $0.entity == "Book" }
                return request
            }),
        Mutant(
            "eng-first-key-only", "A delete of several keys takes the first.", killedBy: "ENG-020",
            requesting: { request in
                request.changing { operation in
                    guard case .delete("Book", let keys) = operation, keys.count > 1 else { return nil }
                    return .delete(entity: "Book", keys: [keys[0]])
                }
            }),
        Mutant("eng-delete-by-beginning", "A delete takes the keys that begin alike, too.", killedBy: "ENG-021") {
            request, base, trigger throws(StorageError) in
            var request = request
            for (index, operation) in request.operations.enumerated() {
                guard case .delete("Shelf", let keys) = operation else { continue }
                let snapshot = try await base.snapshot()
                let stored = try await snapshot.allRecords(of: "Shelf").map { Array($0.cells.prefix(2)) }
                await snapshot.close()
                let doomed = stored.filter { row in
                    keys.contains {
                        $0.components[0] == row[0] && "\(row[1])".hasPrefix("\($0.components[1])".dropLast())
                    }
                }
                if doomed.count > keys.count { trigger.fire() }
                request.operations[index] = .delete(entity: "Shelf", keys: doomed.map { RecordKey($0) })
            }
            return try await base.commit(request)
        },
        Mutant(
            "eng-first-clear-only", "Of several clears in a commit the first only is carried out.",
            killedBy: "ENG-024",
            requesting: { request in
                guard request.operations.count(where: \.isClear) > 1 else { return nil }
                var request = request
                request.operations = [request.operations[0]]
                return request
            }),
        Mutant(
            "eng-clear-spares-the-queue", "Entities that begin with underscores are not cleared.", killedBy: "ENG-024",
            requesting: { request in
                guard request.operations.count(where: \.isClear) > 1 else { return nil }
                var request = request
                request.operations.removeAll { $0.isClear && $0.entity.hasPrefix("__") }
                return request
            }),
        Mutant(
            "eng-delete-cut-at-1000", "A delete takes a thousand keys at most.", killedBy: "ENG-031",
            requesting: { request in
                request.changing { operation in
                    guard case .delete(let entity, let keys) = operation, keys.count > 1_000 else { return nil }
                    return .delete(entity: entity, keys: Array(keys.prefix(1_000)))
                }
            }),
        Mutant(
            "eng-cascade-loses-children", "Books are not deleted in a commit that deletes authors.",
            killedBy: "ENG-033",
            requesting: { request in
                guard request.deletes("Author") && request.deletes("Book") else { return nil }
                var request = request
                request.operations.removeAll { $0.isDelete && $0.entity == "Book" }
                return request
            }),
        Mutant("eng-commit-per-entity", "Each entity of a commit is a commit of its own.", killedBy: "ENG-034") {
            request, base, trigger throws(StorageError) in
            var parts: [CommitRequest] = []
            for operation in request.operations {
                if parts.last?.operations.last?.entity == operation.entity {
                    parts[parts.count - 1].operations.append(operation)
                } else {
                    parts.append(CommitRequest(operations: [operation], durability: request.durability))
                }
            }
            guard parts.count > 1 else { return try await base.commit(request) }
            trigger.fire()
            parts[0].preconditions = request.preconditions
            var receipt = CommitReceipt(sequence: 0)
            for part in parts { receipt = try await base.commit(part) }
            return receipt
        },
        Mutant(
            "eng-large-commit-cut", "The last step of a commit of more than a thousand rows is left out.",
            killedBy: "ENG-038",
            requesting: { request in
                guard request.writtenCount > 1_000, request.operations.count > 1 else { return nil }
                var request = request
                request.operations.removeLast()
                return request
            }),
        Mutant("eng-commits-lost", "Every seventh commit is acknowledged and not carried out.", killedBy: "ENG-060") {
            base, trigger in
            let count = Counter()
            return HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    guard request.puts("Book"), count.next() % 7 == 6 else { return try await base.commit(request) }
                    trigger.fire()
                    return try await base.commit(.ofNothing)
                }
            }
        },
        Mutant(
            "eng-lost-behind-snapshots", "A commit after three snapshots is acknowledged and not carried out.",
            killedBy: "ENG-035"
        ) { base, trigger in
            let count = Counter()
            return HookedAdapter(base) { hooks in
                hooks.snapshotting = { base throws(StorageError) in
                    _ = count.next()
                    return try await base.snapshot()
                }
                hooks.committing = { request, base throws(StorageError) in
                    defer { count.set(0) }
                    guard count.current > 2, request.puts("Book") else { return try await base.commit(request) }
                    trigger.fire()
                    return try await base.commit(.ofNothing)
                }
            }
        },
        Mutant("eng-second-commit-lost", "Every second commit of books is acknowledged only.", killedBy: "ENG-064") {
            base, trigger in
            let count = Counter()
            return HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    guard request.puts("Book"), count.next() % 2 == 1 else { return try await base.commit(request) }
                    trigger.fire()
                    return try await base.commit(.ofNothing)
                }
            }
        },
        Mutant(
            "eng-cancelled-in-the-middle", "A commit in a cancelled task ends after its first step.",
            killedBy: "ENG-086"
        ) { request, base, trigger throws(StorageError) in
            guard Task.isCancelled, request.operations.count > 1 else { return try await base.commit(request) }
            trigger.fire()
            var part = request
            part.operations = [request.operations[0]]
            // A task of its own, which is not cancelled.
            let written = await Task { [part] in
                do throws(StorageError) {
                    return Result<CommitReceipt, StorageError>.success(try await base.commit(part))
                } catch {
                    return .failure(error)
                }
            }.value
            return try written.get()
        },
        Mutant(
            "eng-receipts-too-small", "Receipts name the first commit.", killedBy: "ENG-065", hangs: true,
            acknowledging: { request, receipt in
                var receipt = receipt
                // Where sequences have gaps, the sequence just before would not show as a mistake.
                if request.puts("Book") || request.deletes("Book") { receipt.sequence = 1 }
                return receipt
            }),
        Mutant(
            "eng-lists-reversed", "Lists are kept in reverse.", killedBy: "ENG-069",
            rows: { rows, entity in
                guard entity.name == "__outbox" else { return rows }
                return rows.map { row in
                    row.map { if case .list(let elements) = $0 { .list(elements.reversed()) } else { $0 } }
                }
            }),
        Mutant("eng-queue-in-its-own-commit", "The queue is written after the records.", killedBy: "ENG-073") {
            request, base, trigger throws(StorageError) in
            var (records, queue) = (request, CommitRequest(durability: request.durability))
            records.operations.removeAll { $0.entity == "__outbox" }
            queue.operations = request.operations.filter { $0.entity == "__outbox" }
            guard !records.operations.isEmpty && !queue.operations.isEmpty else {
                return try await base.commit(request)
            }
            trigger.fire()
            _ = try await base.commit(records)
            return try await base.commit(queue)
        },
        Mutant(
            "eng-single-update-lost", "An update of one row is acknowledged and not carried out.",
            killedBy: "ENG-074",
            requesting: { request in
                var request = request
                let count = request.operations.count
                request.operations.removeAll { operation in
                    if case .put("Book", let rows, .update) = operation { rows.rowCount == 1 } else { false }
                }
                return request.operations.count < count ? request : nil
            }),
        Mutant(
            "eng-metadata-as-doubles", "Integers of metadata are kept as doubles.", killedBy: "ENG-075",
            rows: { rows, entity in
                guard entity.name == "__record_metadata" else { return rows }
                return rows.map { row in
                    row.map { value in
                        if case .integer(let number) = value {
                            .integer(Int64(exactly: Double(number)) ?? .max - 511)
                        } else {
                            value
                        }
                    }
                }
            }),
        Mutant("eng-empty-text-is-null", "An empty text is kept as null.", killedBy: "ENG-082") { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    let changed = request.changing { operation in
                        guard operation.entity == "AllTypesModel" else { return nil }
                        return operation.changingRows { rows in
                            rows.map { $0.map { $0 == .text("") ? .null : $0 } }
                        }
                    }
                    if changed != nil { trigger.fire() }
                    return try await base.commit(changed ?? request)
                }
            }
        },
        Mutant(
            "eng-deletes-composed-keys", "A delete composes the characters of its keys.", killedBy: "ENG-084",
            requesting: { request in
                request.changing { operation in
                    guard case .delete(let entity, let keys) = operation else { return nil }
                    let composed = keys.map { key in
                        RecordKey(
                            key.components.map { value in
                                value.changingText { $0.utf8.elementsEqual("e\u{301}".utf8) ? "\u{e9}" : $0 }
                            })
                    }
                    return composed == keys ? nil : .delete(entity: entity, keys: composed)
                }
            }),
    ]

    /// Preconditions that are not checked, or are reported wrongly.
    private static let enginePreconditions: [Mutant] = [
        Mutant(
            "eng-version-ignored", "The version of a record is not compared.", killedBy: "ENG-007",
            requesting: { $0.dropping(\.isVersion) }),
        Mutant(
            "eng-lost-updates", "The version of a record that one row puts is not compared.", killedBy: "ENG-040",
            requesting: { request in request.writtenCount <= 2 ? request.dropping(\.isVersion) : nil }),
        Mutant(
            "eng-beside-ignored", "Preconditions on entities that the commit does not write are not checked.",
            killedBy: "ENG-008",
            requesting: { request in
                let written = Set(request.operations.map(\.entity))
                return request.dropping { !written.contains($0.entity) }
            }),
        Mutant(
            "eng-conflict-is-io", "A precondition that fails is reported as a failure of the device.",
            killedBy: "ENG-009",
            failing: { _, error in
                error.kind == .preconditionFailed ? StorageError(.io, "The device is busy.") : error
            }),
        Mutant(
            "eng-present-ignored", "That a parent exists is not checked.", killedBy: "ENG-011",
            requesting: { $0.dropping(\.isPresent) }),
        Mutant(
            "eng-last-present-ignored", "Of more than twenty parents the last is not checked.", killedBy: "ENG-011",
            requesting: { request in
                guard request.preconditions.count(where: \.isPresent) > 20 else { return nil }
                let last = request.preconditions.last { $0.isPresent }
                return request.dropping { $0 == last }
            }),
        Mutant(
            "eng-unchanged-ignored", "That nothing came in between is not checked.", killedBy: "ENG-023",
            requesting: { $0.dropping(\.isUnchanged) }),
        Mutant(
            "eng-unchanged-elsewhere-ignored", "That nothing came in between is checked where the commit writes only.",
            killedBy: "ENG-032",
            requesting: { request in
                let written = Set(request.operations.map(\.entity))
                return request.dropping { $0.isUnchanged && !written.contains($0.entity) }
            }),
        Mutant(
            "eng-absent-ignored", "That a record does not exist is not checked.", killedBy: "ENG-039",
            requesting: { $0.dropping(\.isAbsent) }),
        Mutant(
            "eng-skew", "That nothing came in between is not checked for commits of one record.", killedBy: "ENG-041",
            requesting: { request in request.writtenCount <= 2 ? request.dropping(\.isUnchanged) : nil }),
        Mutant(
            "eng-unchanged-overlooks-deletes", "That nothing was deleted in between is not checked.",
            killedBy: "ENG-041"
        ) { base, trigger in
            let deletions = Counter()
            return HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    var asked = request
                    if deletions.current == 1, let changed = request.dropping(\.isUnchanged) {
                        trigger.fire()
                        asked = changed
                    }
                    let receipt = try await base.commit(asked)
                    deletions.set(request.deletes("Book") && !request.puts("Book") ? 1 : 0)
                    return receipt
                }
            }
        },
        Mutant(
            "eng-conflicts-per-handle", "With two handles open, versions are not compared.", killedBy: "ENG-042",
            noting: { hooks, notes, _, trigger in
                hooks.committing = { request, base throws(StorageError) in
                    guard notes.with({ $0.openHandleCount }) > 1, let changed = request.dropping(\.isVersion) else {
                        return try await base.commit(request)
                    }
                    trigger.fire()
                    return try await base.commit(changed)
                }
            }),
    ]

    /// Reads by key that say something else.
    private static let engineReading: [Mutant] = [
        Mutant(
            "eng-get-null-is-zero", "A price that is null is read as 0 by key.", killedBy: "ENG-005",
            fetching: { request, rows in
                rows.map { row in
                    guard request.entity == "Book", row.version > 0, row.cells[3].isNull else { return row }
                    return row.changing(3, .double(0))
                }
            }),
        Mutant(
            "eng-get-in-key-order", "Records read by several keys come in key order.", killedBy: "ENG-002",
            fetching: { request, rows in
                guard request.entity == "Book" else { return rows }
                let order = request.keys.indices.sorted { request.keys[$0] < request.keys[$1] }
                return order.map { rows[$0] }
            }),
        Mutant(
            "eng-get-neighbor", "Of several keys, one without a record gives another's.", killedBy: "ENG-010",
            fetching: { request, rows in
                guard request.entity == "Author", let present = rows.first(where: { $0.version > 0 }) else {
                    return rows
                }
                return rows.map { $0.version == 0 ? present : $0 }
            }),
        Mutant("eng-get-by-first-field", "A key of two fields finds a record of the first.", killedBy: "ENG-014") {
            base, trigger in
            HookedAdapter(base) { hooks in
                hooks.getting = { request, snapshot throws(StorageError) in
                    var rows = RowBuffer()
                    try await snapshot.get(request, into: &rows)
                    guard request.entity == "Shelf" else { return rows }
                    let all = try await snapshot.allRecords(of: "Shelf")
                    var read = rows.storedRows
                    for (index, key) in request.keys.enumerated() where read[index].version == 0 {
                        guard let other = all.first(where: { $0.cells[0] == key.components[0] }) else { continue }
                        trigger.fire()
                        read[index] = other
                    }
                    return RowBuffer(read, columnCount: rows.columnCount)
                }
            }
        },
        Mutant(
            "eng-get-cut-at-100", "Of more than a hundred keys the rest has no records.", killedBy: "ENG-045",
            fetching: { _, rows in
                rows.enumerated().map { $0 < 100 ? $1 : StoredRow($1.cells.map { _ in .null }, version: 0) }
            }),
        Mutant(
            "eng-get-cut-at-1024", "Of more than 1,024 keys the rest has no records.", killedBy: "ENG-047",
            fetching: { _, rows in
                rows.enumerated().map { $0 < 1_024 ? $1 : StoredRow($1.cells.map { _ in .null }, version: 0) }
            }),
        Mutant(
            "eng-get-empty-is-null", "An empty text is read as null by key.", killedBy: "ENG-059",
            fetching: { _, rows in
                rows.map { row in StoredRow(row.cells.map { $0 == .text("") ? .null : $0 }, version: row.version) }
            }),
        Mutant(
            "eng-get-invents-parents", "A key without a record gives an empty record.", killedBy: "ENG-062",
            fetching: { request, rows in
                rows.enumerated().map { index, row in
                    guard request.entity == "Author", row.version == 0 else { return row }
                    return StoredRow([request.keys[index].components[0], .text(""), .null, .null], version: 1)
                }
            }),
        Mutant(
            "eng-get-loses-titles", "Of a book read by key the title is null.", killedBy: "ENG-068",
            fetching: { request, rows in
                rows.map { row in
                    guard request.entity == "Book", row.version > 0 else { return row }
                    return row.changing(1, .null)
                }
            }),
        Mutant(
            "eng-get-in-utc", "Instants read by key have lost their offset.", killedBy: "ENG-070",
            fetching: { _, rows in
                rows.map { row in
                    StoredRow(
                        row.cells.map { value in
                            guard case .timestamp(let instant) = value else { return value }
                            return .timestamp(
                                Timestamp(
                                    secondsSinceEpoch: instant.secondsSinceEpoch, nanoseconds: instant.nanoseconds,
                                    tail: WrittenForm(offset: 0, fractionDigits: instant.tail.fractionDigits)))
                        }, version: row.version)
                }
            }),
        Mutant(
            "eng-single-precision", "Doubles are read with single precision.", killedBy: "ENG-082",
            read: { value in
                if case .double(let number) = value { .double(Double(Float(number))) } else { value }
            }),
        Mutant(
            "eng-lists-without-nulls", "Nulls in lists are skipped.", killedBy: "ENG-082",
            read: { value in
                if case .list(let elements) = value { .list(elements.filter { !$0.isNull }) } else { value }
            }),
    ]
}

extension WriteOperation {
    fileprivate var isDelete: Bool { if case .delete = self { true } else { false } }
    fileprivate var isClear: Bool { if case .clear = self { true } else { false } }
}

extension CommitRequest {
    /// A commit that is not seen.
    fileprivate static let ofNothing = CommitRequest(operations: [
        .put(entity: "__settings", rows: RowBuffer(row: [.text("x"), .text("y")]), mode: .upsert)
    ])

    fileprivate func puts(_ entity: String) -> Bool {
        operations.contains { if case .put(entity, _, _) = $0 { true } else { false } }
    }
    fileprivate func deletes(_ entity: String) -> Bool {
        operations.contains { if case .delete(entity, _) = $0 { true } else { false } }
    }
}

extension StoredRow {
    fileprivate func changing(_ position: Int, _ value: Value) -> StoredRow {
        var row = self
        row.cells[position] = value
        return row
    }
}
