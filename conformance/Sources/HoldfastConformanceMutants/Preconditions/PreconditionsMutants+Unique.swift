import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of unique indexes.
    static let uniqueness: [Mutant] = [
        Mutant("unique-ignored", "Unique indexes refuse nothing.", killedBy: "PRE-008") { base, trigger in
            HookedAdapter(base) { $0.opening = Self.opening(trigger) { IndexSchema($0.name, on: $0.fields) } }
        },
        Mutant(
            "unique-position-missing", "The error of a unique index has no position.", killedBy: "PRE-008",
            failing: { _, error in
                var error = error
                if error.kind == .uniqueViolation { error.position = nil }
                return error
            }),
        Mutant(
            "unique-violation-keeps-earlier-rows", "What came before the refused row stays.", killedBy: "PRE-008",
            committing: { request, base, trigger throws(StorageError) in
                do throws(StorageError) {
                    return try await base.commit(request)
                } catch {
                    if error.kind == .uniqueViolation, case .operation(let index)? = error.position, index > 0 {
                        trigger.fire()
                        _ = try await base.commit(CommitRequest(operations: Array(request.operations[..<index])))
                    }
                    throw error
                }
            }),
        Mutant(
            "unique-upsert-replaces-other", "An upsert with a taken value deletes the record that has it.",
            killedBy: "PRE-008",
            committing: { request, base, trigger throws(StorageError) in
                do throws(StorageError) {
                    return try await base.commit(request)
                } catch {
                    guard error.kind == .uniqueViolation,
                        case .put("User", let rows, .upsert)? = request.operations.last,
                        rows.rowCount == 1
                    else { throw error }
                    let snapshot = try await base.snapshot()
                    let others = try await snapshot.allRecords(of: "User").filter { $0.cells[1] == rows[0, 1] }
                    await snapshot.close()
                    trigger.fire()
                    var request = request
                    request.operations.insert(
                        .delete(entity: "User", keys: others.map { RecordKey([$0.cells[0]]) }), at: 0)
                    return try await base.commit(request)
                }
            }),
        Mutant(
            "unique-collides-with-itself", "An update with its own unique value is refused.", killedBy: "PRE-009",
            committing: { request, base, trigger throws(StorageError) in
                if case .put("User", let rows, .update)? = request.operations.first, rows.rowCount == 1 {
                    trigger.fire()
                    throw StorageError.uniqueViolation(index: "byMail", of: "User", operation: 0)
                }
                return try await base.commit(request)
            }),
        Mutant("unique-keeps-deleted", "A value stays taken after its record was deleted.", killedBy: "PRE-009") {
            base, trigger in
            let old = FormerRows()
            return HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    if case .delete("User", let keys)? = request.operations.first {
                        let snapshot = try await base.snapshot()
                        let records = try await snapshot.allRecords(of: "User")
                        await snapshot.close()
                        old.keep(
                            records.filter { keys.contains(RecordKey([$0.cells[0]])) }.map {
                                StoredRow([$0.cells[1], .null], version: 0)
                            })
                    }
                    if case .put("User", let rows, _)? = request.operations.first, old.value(of: rows[0, 1]) != nil {
                        trigger.fire()
                        throw StorageError.uniqueViolation(index: "byMail", of: "User", operation: 0)
                    }
                    return try await base.commit(request)
                }
            }
        },
        Mutant(
            "unique-judged-at-the-end", "Uniqueness is judged after the last operation only.", killedBy: "PRE-009",
            committing: { request, base, trigger throws(StorageError) in
                do throws(StorageError) {
                    return try await base.commit(request)
                } catch {
                    guard error.kind == .uniqueViolation,
                        case .put("User", let rows, .upsert)? = request.operations.first
                    else { throw error }
                    let mails = (0..<rows.rowCount).map { rows[$0, 1] }
                    guard Set(mails).count == mails.count, rows.rowCount == 2 else { throw error }
                    trigger.fire()
                    var request = request
                    let keys = (0..<rows.rowCount).map { RecordKey([rows[$0, 0]]) }
                    request.operations.insert(.delete(entity: "User", keys: keys), at: 0)
                    var receipt = try await base.commit(request)
                    receipt.deletedCount = 0
                    return receipt
                }
            }),
        Mutant(
            "unique-nulls-collide", "Only one record may have null in a unique index.", killedBy: "PRE-010",
            committing: { request, base, trigger throws(StorageError) in
                for (index, operation) in request.operations.enumerated() {
                    guard case .put("User", let rows, _) = operation, rows.rowCount > 1 else { continue }
                    if (0..<rows.rowCount).count(where: { rows[$0, 1].isNull }) > 1 {
                        trigger.fire()
                        throw StorageError.uniqueViolation(index: "byMail", of: "User", operation: index)
                    }
                }
                return try await base.commit(request)
            }),
        Mutant(
            "unique-pair-with-null-collides", "Two records with null in the same field of a pair collide.",
            killedBy: "PRE-010",
            committing: { request, base, trigger throws(StorageError) in
                for (index, operation) in request.operations.enumerated() {
                    guard case .put("User", let rows, _) = operation else { continue }
                    let pairs = (0..<rows.rowCount).filter { rows[$0, 2].isNull != rows[$0, 3].isNull }.map {
                        [rows[$0, 2], rows[$0, 3]]
                    }
                    if Set(pairs).count < pairs.count {
                        trigger.fire()
                        throw StorageError.uniqueViolation(index: "bySeat", of: "User", operation: index)
                    }
                }
                return try await base.commit(request)
            }),
        Mutant(
            "unique-empty-text-is-null", "An empty text never collides.", killedBy: "PRE-010",
            requesting: { request in
                request.changing { operation in
                    operation.changingRows { rows in
                        rows.map { row in
                            var row = row
                            if row.count == 4, row[1] == .text(""), row[2].isNull { row[1] = .null }
                            return row
                        }
                    }
                }
            }),
        Mutant(
            "unique-pair-by-first-field", "Of a unique index of two fields only the first counts.", killedBy: "PRE-010"
        ) { base, trigger in
            HookedAdapter(base) {
                $0.opening = Self.opening(trigger) { IndexSchema($0.name, on: [$0.fields[0]], isUnique: $0.isUnique) }
            }
        },
        Mutant(
            "unique-ignores-case", "A unique index compares text without regard to case.", killedBy: "PRE-011",
            committing: { request, base, trigger throws(StorageError) in
                try Self.refuseEqual(request, trigger) { $0.lowercased() }
                return try await base.commit(request)
            }),
        Mutant(
            "unique-trims-text", "A unique index does not count spaces at the end.", killedBy: "PRE-011",
            committing: { request, base, trigger throws(StorageError) in
                try Self.refuseEqual(request, trigger) { $0.hasSuffix(" ") ? String($0.dropLast()) : $0 }
                return try await base.commit(request)
            }),
        Mutant(
            "unique-instants-as-text", "A unique index compares date-times as they are written.", killedBy: "PRE-011",
            requesting: { request in
                request.changing { operation in
                    operation.changingRows { rows in
                        rows.map { row in
                            guard row.count == 4, case .timestamp(var instant) = row[2], instant.tail.offset != 0 else {
                                return row
                            }
                            instant.nanoseconds += 7
                            var row = row
                            row[2] = .timestamp(instant)
                            return row
                        }
                    }
                }
            }),
        Mutant(
            "unique-check-then-write", "The unique index is looked at before the commit, in a step of its own.",
            killedBy: "PRE-012"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.opening = Self.opening(trigger) { IndexSchema($0.name, on: $0.fields) }
                hooks.committing = { request, base throws(StorageError) in
                    guard case .put("User", let rows, _)? = request.operations.first else {
                        return try await base.commit(request)
                    }
                    let snapshot = try await base.snapshot()
                    let taken = try await snapshot.allRecords(of: "User").contains { $0.cells[1] == rows[0, 1] }
                    await snapshot.close()
                    if taken { throw StorageError.uniqueViolation(index: "byMail", of: "User", operation: 0) }
                    try? await Task.sleep(for: .milliseconds(2))
                    return try await base.commit(request)
                }
            }
        },
    ]

    /// Opening with other indexes than asked for.
    private static func opening(
        _ trigger: MutantTrigger, _ change: @escaping @Sendable (IndexSchema) -> IndexSchema
    ) -> @Sendable (OpenRequest, any StorageAdapter) async throws(StorageError) -> Void {
        { request, base throws(StorageError) in
            let entities = request.schema.entities.map { entity in
                let indexes = entity.indexes.map(change)
                if indexes != entity.indexes { trigger.fire() }
                return EntitySchema(entity.name, fields: entity.fields, primaryKey: entity.primaryKey, indexes: indexes)
            }
            try await base.open(OpenRequest(schema: StorageSchema(entities: entities), migration: request.migration))
        }
    }

    /// Refuses a put of several rows whose second cells become equal texts.
    private static func refuseEqual(
        _ request: CommitRequest, _ trigger: MutantTrigger, _ folded: (String) -> String
    ) throws(StorageError) {
        for (index, operation) in request.operations.enumerated() {
            guard case .put(_, let rows, _) = operation else { continue }
            let texts = (0..<rows.rowCount).compactMap { row -> [UInt8]? in
                if case .text(let text) = rows[row, 1] { Array(folded(text).utf8) } else { nil }
            }
            if Set(texts).count < texts.count {
                trigger.fire()
                throw StorageError.uniqueViolation(index: "by-name", of: operation.entity, operation: index)
            }
        }
    }
}
