import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Creates a mutant of predicates.
    ///
    /// `truth` returns whether a part of a predicate is true for a row, or `nil` where the mutant does not apply.
    init(_ id: String, _ summary: String, killedBy clause: String, matching truth: @escaping DamagedQuery.Truth) {
        self.init(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    try await DamagedQuery(query, truth: truth, trigger: trigger).run(snapshot)
                }
            }
        }
    }

    /// Creates a mutant of the order of query results.
    ///
    /// `order` returns the order of two cells, or `nil` where the mutant does not apply.
    init(
        _ id: String, _ summary: String, killedBy clause: String, sorting order: @escaping DamagedQuery.CellOrder
    ) {
        self.init(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    try await DamagedQuery(query, cellOrder: order, trigger: trigger).run(snapshot)
                }
            }
        }
    }

    /// Creates a mutant that changes the result of a query as a whole.
    ///
    /// `change` gets the projected rows and the query, and returns the changed rows, also projected.
    init(
        _ id: String, _ summary: String, killedBy clause: String,
        results change: @escaping @Sendable ([StoredRow], BoundQuery) -> [StoredRow]
    ) {
        self.init(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    var scan = try await snapshot.query(query)
                    let rows = try await scan.drain()
                    let changed = change(rows, query)
                    if changed != rows { trigger.fire() }
                    return RowsScan(rows: changed, columnCount: query.projection.count)
                }
            }
        }
    }

    /// Creates a mutant that asks another question than it was asked.
    ///
    /// `change` gets the predicate of the query, and returns the one to use instead.
    init(
        _ id: String, _ summary: String, killedBy clause: String,
        rewriting change: @escaping @Sendable (BoundPredicate) -> BoundPredicate
    ) {
        self.init(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    let changed = change(query.predicate)
                    if changed != query.predicate { trigger.fire() }
                    // The root is the only part replaced: what lies below it is that of the changed predicate.
                    return try await DamagedQuery(
                        query, truth: { _, row, _ in changed.matches(row) }, trigger: trigger
                    ).run(snapshot)
                }
            }
        }
    }

    /// Creates a mutant that changes what a scan in key order delivers.
    init(
        _ id: String, _ summary: String, killedBy clause: String,
        scanned change: @escaping @Sendable ([StoredRow], KeyRange) -> [StoredRow]
    ) {
        self.init(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.scanning = { range, snapshot throws(StorageError) in
                    let rows = try await snapshot.allRows(range)
                    let changed = change(rows, range)
                    if changed != rows { trigger.fire() }
                    return RowsScan(rows: changed, columnCount: rows.first?.cells.count ?? 0)
                }
            }
        }
    }

    /// Creates a mutant that changes what a read by key delivers.
    init(
        _ id: String, _ summary: String, killedBy clause: String,
        got change: @escaping @Sendable ([StoredRow], GetRequest) -> [StoredRow]
    ) {
        self.init(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.getting = { request, snapshot throws(StorageError) in
                    var rows = RowBuffer()
                    try await snapshot.get(request, into: &rows)
                    let changed = change(rows.storedRows, request)
                    if changed != rows.storedRows { trigger.fire() }
                    var result = RowBuffer(columnCount: rows.columnCount)
                    for row in changed { result.append(row.cells, version: row.version) }
                    return result
                }
            }
        }
    }

    /// Creates a mutant that changes the operations of a commit, knowing the schema.
    ///
    /// `change` gets an operation and the schema, and returns the changed operation. If it throws a ``StorageError``,
    /// the commit throws that error.
    init(
        _ id: String, _ summary: String, killedBy clause: String,
        operation change: @escaping @Sendable (WriteOperation, StorageSchema) throws -> WriteOperation
    ) {
        self.init(id, summary, killedBy: clause) { base, trigger in
            let schema = SchemaNote()
            return HookedAdapter(base) { hooks in
                hooks.opening = { request, base throws(StorageError) in
                    schema.keep(request.schema)
                    try await base.open(request)
                }
                hooks.committing = { request, base throws(StorageError) in
                    var request = request
                    do {
                        request.operations = try request.operations.map { operation in
                            let changed = try change(operation, schema.kept())
                            if !changed.isSame(as: operation) { trigger.fire() }
                            return changed
                        }
                    } catch let error as StorageError {
                        trigger.fire()
                        throw error
                    } catch {
                        throw StorageError(.misuse, "The mutant fails by itself.")
                    }
                    return try await base.commit(request)
                }
            }
        }
    }

    /// Creates a mutant that changes the rows of puts, knowing their entity.
    init(
        _ id: String, _ summary: String, killedBy clause: String,
        rows change: @escaping @Sendable ([[Value]], EntitySchema) -> [[Value]]
    ) {
        self.init(
            id, summary, killedBy: clause,
            operation: { operation, schema in
                guard case .put(let name, let buffer, let mode) = operation, !buffer.isEmpty else { return operation }
                let rows = change(buffer.storedRows.map(\.cells), try schema.entity(named: name))
                var changed = RowBuffer(columnCount: buffer.columnCount)
                for row in rows { changed.append(row) }
                return .put(entity: name, rows: changed, mode: mode)
            })
    }

    /// Creates a mutant of the schema that the adapter opens.
    init(
        _ id: String, _ summary: String, killedBy clause: String,
        schema change: @escaping @Sendable (EntitySchema) -> EntitySchema
    ) {
        self.init(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.opening = { request, base throws(StorageError) in
                    let entities = request.schema.entities.map(change)
                    if entities != request.schema.entities { trigger.fire() }
                    try await base.open(
                        OpenRequest(schema: StorageSchema(entities: entities), migration: request.migration))
                }
            }
        }
    }
}

/// The schema a store was opened with.
private final class SchemaNote: Sendable {
    private let schema = Mutex<StorageSchema?>(nil)

    func keep(_ schema: StorageSchema) { self.schema.withLock { $0 = schema } }

    func kept() throws(StorageError) -> StorageSchema {
        guard let schema = schema.withLock({ $0 }) else { throw StorageError(.closed, "The store is not open.") }
        return schema
    }
}

extension WriteOperation {
    fileprivate func isSame(as other: WriteOperation) -> Bool {
        switch (self, other) {
        case (.put(let entity, let rows, let mode), .put(let otherEntity, let otherRows, let otherMode)):
            entity == otherEntity && rows.cells == otherRows.cells && mode == otherMode
        case (.delete(let entity, let keys), .delete(let otherEntity, let otherKeys)):
            entity == otherEntity && keys.map(\.components) == otherKeys.map(\.components)
        case (.clear(let entity), .clear(let otherEntity)): entity == otherEntity
        default: false
        }
    }
}

extension Value {
    /// The value, and the elements of lists, changed one by one.
    func changingText(_ change: (String) -> String) -> Value {
        changingScalars { if case .text(let text) = $0 { .text(change(text)) } else { $0 } }
    }

    /// The value changed if it is not a list, else the list of its changed elements.
    func changingScalars(_ change: (Value) -> Value) -> Value {
        if case .list(let elements) = self { .list(elements.map { $0.changingScalars(change) }) } else { change(self) }
    }
}

extension String {
    /// The text without or with other scalars.
    func mapScalars(_ change: (Unicode.Scalar) -> Unicode.Scalar?) -> String {
        var scalars = UnicodeScalarView()
        for scalar in unicodeScalars { if let changed = change(scalar) { scalars.append(changed) } }
        return String(scalars)
    }

    /// The UTF-8 bytes of the beginning, cut at a whole scalar.
    func prefixOfBytes(_ count: Int) -> String {
        guard utf8.count > count else { return self }
        var end = utf8.index(startIndex, offsetBy: count)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }

    /// ASCII letters in lower case, all else as it is.
    var foldingASCII: String {
        mapScalars { ("A"..."Z").contains($0) ? Unicode.Scalar($0.value + 32) : $0 }
    }
}
