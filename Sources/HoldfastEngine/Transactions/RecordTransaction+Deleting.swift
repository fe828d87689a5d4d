import HoldfastModel
import HoldfastStorage

extension RecordTransaction {
    /// Deletes records and, before them, the records that belong to them.
    ///
    /// - Parameters:
    ///   - keys: The records' keys.
    ///   - entity: Their entity.
    ///   - condition: What the service's records must satisfy; not those that go with them.
    /// - Returns: The number of records of `entity` that existed.
    /// - Throws: What reading the records throws.
    @discardableResult
    func delete(
        _ keys: [RecordKey], of entity: EntitySchema, atService condition: String? = nil
    ) async throws -> Int {
        let stored = try await get(toDelete: keys, of: entity)
        let found = keys.indices.filter { stored.versions[$0] != 0 }.map { keys[$0] }
        return try await delete(found: found, of: entity, atService: condition) { _ in true }
    }

    /// Deletes the records that a query finds and, before them, the records that belong to them.
    ///
    /// Reads only keys where no observer needs the rows; so nothing else may be done with the records.
    ///
    /// - Returns: The number of records that the query found.
    func delete(_ query: ModelQuery, _ reader: QueryReader) async throws -> Int {
        let entity = query.model.entity
        var query = query
        let isKeyOnly = !query.exceedsPlan && !needsRows(entity)
        if isKeyOnly { query.plan.projection = entity.primaryKey }
        var scan = try await reader.scan(query)
        var found: [RecordKey] = []
        var rows = RowBuffer()
        repeat {
            try await scan.next(into: &rows)
            found += note(rows, of: entity, columns: isKeyOnly ? entity.primaryKeyPositions : nil)
        } while !rows.isEmpty
        return try await delete(found: found, of: entity, needsRows: needsRows)
    }

    /// Whether whole records are needed: to be observed, or to be given back if the service refuses the deletion.
    private func needsRows(_ entity: EntitySchema) -> Bool {
        engine.recordsMutations || engine.publisher.needsRows(of: entity.name)
    }

    /// Deletes records that are remembered as read.
    private func delete(
        found: [RecordKey], of entity: EntitySchema, atService condition: String? = nil,
        needsRows: (EntitySchema) -> Bool
    ) async throws -> Int {
        var order = DeletionOrder()
        let doomed = found.filter { order.add($0, of: entity) }
        var frontier = [(entity: entity, keys: doomed)]
        while let (entity, keys) = frontier.popLast() {
            for foreignKey in engine.catalog.foreignKeys(to: entity) {
                let isKeyOnly = !needsRows(foreignKey.child)
                let children = try await children(of: keys, by: foreignKey, isKeyOnly: isKeyOnly).filter { child in
                    order.add(child.key, of: foreignKey.child, belongingTo: child.parent, of: entity)
                }
                if !children.isEmpty { frontier.append((foreignKey.child, children.map(\.key))) }
            }
        }
        state.withLock { state in
            let conditions = condition.map { (keys: Set(doomed), text: $0) }
            for record in order.childrenFirst() {
                let isNamed = record.entity.name == entity.name && conditions?.keys.contains(record.key) ?? false
                state.write(
                    record.entity, record.key, row: nil, where: isNamed ? condition : nil, with: record.parent)
            }
        }
        return doomed.count
    }

    /// Finds the records that belong to others, and remembers them as read.
    private func children(
        of keys: [RecordKey], by foreignKey: ForeignKey, isKeyOnly: Bool
    ) async throws -> [(key: RecordKey, parent: RecordKey)] {
        let child = foreignKey.child
        let key = child.primaryKeyPositions
        // A field may be part of both keys, and is read once.
        let columns = isKeyOnly ? key + foreignKey.columns.filter { !key.contains($0) } : Array(child.fields.indices)
        let positions = foreignKey.columns.compactMap(columns.firstIndex(of:))
        var children: [(key: RecordKey, parent: RecordKey)] = []
        for chunk in keys.chunks(of: 1_000) {
            var plan = QueryPlan(child.name, where: foreignKey.isAny(of: chunk))
            if isKeyOnly { plan.projection = columns.map { child.fields[$0].name } }
            if foreignKey.index == nil { noteReading(try schema.bind(plan, limits: limits)) }
            var scan = try await scan(noted: plan)
            var rows = RowBuffer()
            repeat {
                try await scan.next(into: &rows)
                let found = note(rows, of: child, columns: isKeyOnly ? columns : nil)
                for (row, key) in found.enumerated() {
                    if let parent = rows.key(row, positions) { children.append((key, parent)) }
                }
            } while !rows.isEmpty
        }
        if let index = foreignKey.index { note(children, of: keys, by: index, of: child) }
        return children
    }

    /// Remembers that these are the children of some parents.
    ///
    /// - Parameters:
    ///   - children: As the transaction sees them; those that are stored are not known if it has written any.
    ///   - parents: The parents' keys.
    ///   - index: The index that has the children under the parents' keys.
    ///   - child: The children's entity.
    private func note(
        _ children: [(key: RecordKey, parent: RecordKey)], of parents: [RecordKey], by index: IndexSchema,
        of child: EntitySchema
    ) {
        let byParent = Dictionary(grouping: children, by: \.parent)
        state.withLock { state in
            let areStored = !state.hasWritten(child)
            for parent in parents {
                let keys = areStored ? byParent[parent, default: []].map(\.key) : nil
                state.read(IndexPrefix(index.name, parent.components), of: child, keys: keys)
            }
        }
    }

    /// Remembers records as stored.
    ///
    /// - Parameters:
    ///   - rows: The records.
    ///   - entity: Their entity.
    ///   - columns: The positions of the fields in the rows; `nil` for all of them.
    /// - Returns: Their keys.
    private func note(_ rows: RowBuffer, of entity: EntitySchema, columns: [Int]?) -> [RecordKey] {
        let keyPositions = columns.map { columns in entity.primaryKeyPositions.compactMap(columns.firstIndex(of:)) }
        return state.withLock { state in
            (0..<rows.rowCount).map { row in
                guard let keyPositions else {
                    let key = entity.key(of: rows[row])
                    state.read(entity, key, row: Array(rows[row]), version: rows.versions[row])
                    return key
                }
                let key = RecordKey(keyPositions.map { rows[row, $0] })
                state.read(entity, keyOnly: key, version: rows.versions[row])
                return key
            }
        }
    }
}
