import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants that the clauses of `WRT` must find.
    static let writes: [Mutant] = kindsOfWrites + orderOfWrites + sizesOfWrites

    private static let kindsOfWrites: [Mutant] = [
        Mutant(
            "insert-acts-as-upsert", "An insert overwrites an existing record.", killedBy: "WRT-001",
            requesting: { $0.changingModes { mode, _ in mode == .insert ? .upsert : mode } }),
        Mutant(
            "insert-of-several-acts-as-upsert", "An insert of several rows overwrites existing records.",
            killedBy: "WRT-001",
            requesting: { $0.changingModes { mode, count in mode == .insert && count > 1 ? .upsert : mode } }),
        Mutant(
            "insert-skips-existing", "An insert skips the rows that exist.", killedBy: "WRT-001",
            committing: { request, base, trigger throws(StorageError) in
                do throws(StorageError) {
                    return try await base.commit(request)
                } catch {
                    guard request.operations.count == 1,
                        case .put(let entity, let rows, .insert) = request.operations[0]
                    else { throw error }
                    trigger.fire()
                    var stored = RowBuffer()
                    let last = RowBuffer(row: Array(rows[rows.rowCount - 1]))
                    try await base.get(GetRequest(entity, keys: [RecordKey([last[0, 0]])]), into: &stored)
                    if stored.versions == [0] {
                        return try await base.commit(
                            CommitRequest(operations: [.put(entity: entity, rows: last, mode: .upsert)]))
                    }
                    throw error
                }
            }),
        Mutant(
            "update-acts-as-upsert", "An update creates a missing record.", killedBy: "WRT-002",
            requesting: { $0.changingModes { mode, _ in mode == .update ? .upsert : mode } }),
        Mutant(
            "update-of-missing-is-nothing", "An update of one missing record succeeds and does nothing.",
            killedBy: "WRT-002",
            committing: { request, base, trigger throws(StorageError) in
                do throws(StorageError) {
                    return try await base.commit(request)
                } catch {
                    guard case .put(_, let rows, .update)? = request.operations.first, rows.rowCount == 1 else {
                        throw error
                    }
                    trigger.fire()
                    return try await base.commit(CommitRequest())
                }
            }),
        Mutant(
            "failed-update-applies-first-rows", "An update that fails at a later row has replaced the earlier ones.",
            killedBy: "WRT-002",
            committing: { request, base, trigger throws(StorageError) in
                do throws(StorageError) {
                    return try await base.commit(request)
                } catch {
                    guard case .put(let entity, let rows, .update)? = request.operations.first, rows.rowCount > 2 else {
                        throw error
                    }
                    trigger.fire()
                    let first = RowBuffer(row: Array(rows[0]))
                    _ = try await base.commit(
                        CommitRequest(operations: [.put(entity: entity, rows: first, mode: .upsert)]))
                    throw error
                }
            }),
        Mutant(
            "null-keeps-old-value", "A null in a put leaves the old value.", killedBy: "WRT-003",
            committing: { request, base, trigger throws(StorageError) in
                try await base.commit(request.keepingOldValues(base, trigger) { _ in true })
            }),
        Mutant(
            "null-keeps-old-value-in-update", "A null in an update leaves the old value.", killedBy: "WRT-003",
            committing: { request, base, trigger throws(StorageError) in
                try await base.commit(request.keepingOldValues(base, trigger) { $0 == .update })
            }),
        Mutant(
            "null-text-becomes-empty", "A null text is stored as empty text if the record existed.",
            killedBy: "WRT-003",
            requesting: { request in
                request.changing { operation in
                    operation.changingRows { rows in
                        rows.map { row in
                            var row = row
                            if row.count == 5, row[2].isNull, !row[1].isNull { row[2] = .text("") }
                            return row
                        }
                    }
                }
            }),
        Mutant(
            "upsert-counts-deletes", "An upsert of an existing record counts as a delete, too.", killedBy: "WRT-004",
            committing: { request, base, trigger throws(StorageError) in
                var existing = 0
                for case .put(let entity, let rows, .upsert) in request.operations where entity == "Item" {
                    var stored = RowBuffer()
                    let keys = (0..<rows.rowCount).map { RecordKey([rows[$0, 0]]) }
                    try await base.get(GetRequest(entity, keys: keys), into: &stored)
                    existing += stored.versions.count { $0 > 0 }
                }
                var receipt = try await base.commit(request)
                if existing > 0 { trigger.fire() }
                receipt.deletedCount += existing
                return receipt
            }),
        Mutant(
            "upsert-deletes-children", "An upsert of an existing record deletes records that hold its key.",
            killedBy: "WRT-004",
            committing: { request, base, trigger throws(StorageError) in
                var request = request
                for case .put("Item", let rows, .upsert) in request.operations where rows.rowCount > 1 {
                    trigger.fire()
                    let keys = (0..<rows.rowCount).map { RecordKey([rows[$0, 0], .integer(1)]) }
                    request.operations.append(.delete(entity: "Pair", keys: keys))
                }
                var receipt = try await base.commit(request)
                receipt.deletedCount = 0
                return receipt
            }),
        Mutant(
            "put-counts-new-records", "Only created records count as put.", killedBy: "WRT-004",
            acknowledging: { request, receipt in
                var receipt = receipt
                if receipt.sequence > 2, receipt.putCount > 2 { receipt.putCount -= 1 }
                return receipt
            }),
        Mutant(
            "missing-deletes-counted", "A delete counts the keys it was given.", killedBy: "WRT-005",
            acknowledging: { request, receipt in
                var receipt = receipt
                for case .delete(_, let keys) in request.operations { receipt.deletedCount = keys.count }
                return receipt
            }),
        Mutant(
            "repeated-deletes-counted", "A key given twice counts twice.", killedBy: "WRT-005",
            acknowledging: { request, receipt in
                var receipt = receipt
                for case .delete(_, let keys) in request.operations where receipt.deletedCount > 0 {
                    receipt.deletedCount += keys.count - Set(keys).count
                }
                return receipt
            }),
        Mutant(
            "delete-stops-at-missing", "A delete ends at the first missing record.", killedBy: "WRT-005",
            committing: { request, base, trigger throws(StorageError) in
                guard request.operations.count == 1, case .delete(let entity, let keys) = request.operations[0] else {
                    return try await base.commit(request)
                }
                var stored = RowBuffer()
                try await base.get(GetRequest(entity, keys: keys), into: &stored)
                let end = stored.versions.firstIndex(of: 0) ?? keys.count
                if end < keys.count { trigger.fire() }
                return try await base.commit(
                    CommitRequest(operations: [.delete(entity: entity, keys: Array(keys[..<end]))]))
            }),
        Mutant(
            "delete-of-missing-fails", "The delete of a missing record alone fails.", killedBy: "WRT-005",
            committing: { request, base, trigger throws(StorageError) in
                let receipt = try await base.commit(request)
                if case .delete(_, let keys)? = request.operations.first, keys.count == 1, receipt.deletedCount == 0 {
                    trigger.fire()
                    throw StorageError(.preconditionFailed, "There is no such record.", position: .operation(0))
                }
                return receipt
            }),
        Mutant(
            "clear-leaves-one", "Clear of more than 256 records leaves the last one.", killedBy: "WRT-006",
            committing: { request, base, trigger throws(StorageError) in
                guard request.operations.count == 1, case .clear(let entity) = request.operations[0] else {
                    return try await base.commit(request)
                }
                let snapshot = try await base.snapshot()
                let rows = try await snapshot.allRecords(of: entity)
                await snapshot.close()
                guard rows.count > 256 else { return try await base.commit(request) }
                trigger.fire()
                let keys = rows.dropLast().map { RecordKey([$0.cells[0]]) }
                return try await base.commit(CommitRequest(operations: [.delete(entity: entity, keys: keys)]))
            }),
        Mutant(
            "clear-takes-namesakes", "Clear takes along entities whose names begin alike.", killedBy: "WRT-006",
            committing: { request, base, trigger throws(StorageError) in
                var request = request
                if case .clear("Item")? = request.operations.first {
                    trigger.fire()
                    request.operations.append(.clear(entity: "ItemX"))
                }
                return try await base.commit(request)
            }),
        Mutant(
            "clear-uncounted", "Clear does not count what it deletes.", killedBy: "WRT-006",
            acknowledging: { request, receipt in
                var receipt = receipt
                for case .clear in request.operations { receipt.deletedCount = 0 }
                return receipt
            }),
        Mutant(
            "entity-names-run-into-keys", "Deleting 'Bx' from A deletes 'x' from AB.", killedBy: "WRT-007",
            requesting: { request in
                for case .delete("A", _) in request.operations {
                    var request = request
                    request.operations.append(.delete(entity: "AB", keys: [RecordKey("x")]))
                    return request
                }
                return nil
            }),
        Mutant(
            "entities-share-lower-case-names", "Writing to 'AB' changes 'A' under a key with 'B' in front.",
            killedBy: "WRT-007",
            requesting: { request in
                guard case .put("AB", let rows, _)? = request.operations.first, rows.rowCount == 1 else { return nil }
                var request = request
                request.operations.append(
                    .put(entity: "A", rows: RowBuffer(row: [.text("B1"), rows[0, 1]]), mode: .upsert))
                return request
            }),
        Mutant(
            "delete-by-first-key-part", "A delete takes along what shares the first part of the key.",
            killedBy: "WRT-008",
            committing: { request, base, trigger throws(StorageError) in
                var request = request
                if case .delete("Pair", let keys)? = request.operations.first, let key = keys.first {
                    trigger.fire()
                    request.operations.append(
                        .delete(entity: "Pair", keys: [RecordKey([key.components[0], .integer(1)])]))
                }
                var receipt = try await base.commit(request)
                receipt.deletedCount = min(receipt.deletedCount, 1)
                return receipt
            }),
        Mutant(
            "key-parts-joined", "Keys of two parts are joined: ('b', 4) replaces ('b', 3).", killedBy: "WRT-008",
            requesting: { request in
                guard case .put("Pair", let rows, .insert)? = request.operations.first, rows.rowCount == 1 else {
                    return nil
                }
                var request = request
                request.operations.append(.delete(entity: "Pair", keys: [RecordKey([.text("b"), .integer(3)])]))
                return request
            }),
    ]
}

extension CommitRequest {
    /// The same with other modes; `nil` if all stay.
    func changingModes(
        _ change: (WriteOperation.PutMode, Int) -> WriteOperation.PutMode
    ) -> CommitRequest? {
        changing { operation in
            guard case .put(let entity, let rows, let mode) = operation else { return nil }
            let changed = change(mode, rows.rowCount)
            return changed == mode ? nil : .put(entity: entity, rows: rows, mode: changed)
        }
    }

    /// Puts of single items whose nulls take the stored values.
    fileprivate func keepingOldValues(
        _ base: any StorageAdapter, _ trigger: MutantTrigger, _ applies: (WriteOperation.PutMode) -> Bool
    ) async throws(StorageError) -> CommitRequest {
        guard operations.count == 1, case .put(let entity, var rows, let mode) = operations[0], rows.rowCount == 1,
            applies(mode)
        else { return self }
        var stored = RowBuffer()
        try await base.get(GetRequest(entity, keys: [RecordKey([rows[0, 0]])]), into: &stored)
        for column in 0..<rows.columnCount where rows[0, column].isNull && !stored[0, column].isNull {
            trigger.fire()
            rows.set(stored[0, column], row: 0, column: column)
        }
        var request = self
        request.operations = [.put(entity: entity, rows: rows, mode: mode)]
        return request
    }
}
