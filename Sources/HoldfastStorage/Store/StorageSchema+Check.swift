extension StorageSchema {
    /// The keys in canonical form, if the entity can have them.
    func checked(
        _ keys: [RecordKey], of entityName: String, limits: Capabilities.Limits
    ) throws(StorageError) -> [RecordKey] {
        let entity = try entity(named: entityName)
        var result = keys
        for index in keys.indices {
            if let canonical = try entity.canonicalIfOther(keys[index], limits: limits) { result[index] = canonical }
        }
        return result
    }

    /// The requests with their keys in canonical form, if the entities can have them.
    func checked(_ requests: [GetRequest], limits: Capabilities.Limits) throws(StorageError) -> [GetRequest] {
        var result: [GetRequest] = []
        for request in requests {
            result.append(
                GetRequest(request.entity, keys: try checked(request.keys, of: request.entity, limits: limits)))
        }
        return result
    }

    /// The request in canonical form, if schema and adapter allow it.
    func checked(_ request: CommitRequest, capabilities: Capabilities) throws(StorageError) -> CommitRequest {
        if let durability = request.durability, durability > capabilities.durability {
            throw StorageError(
                .unsupported,
                "The adapter '\(capabilities.adapterName)' promises at most \(capabilities.durability) durability.")
        }
        var request = request
        request.durability = request.durability ?? capabilities.durability
        for index in request.preconditions.indices {
            do {
                try check(&request.preconditions[index], limits: capabilities.limits)
            } catch {
                throw error.at(.precondition(index))
            }
        }
        var rowCount = 0
        for index in request.operations.indices {
            do {
                try check(&request.operations[index], limits: capabilities.limits, rowCount: &rowCount)
            } catch {
                throw error.at(.operation(index))
            }
        }
        return request
    }

    private func check(_ precondition: inout Precondition, limits: Capabilities.Limits) throws(StorageError) {
        switch precondition {
        case .absent(let name, let key):
            precondition = .absent(entity: name, key: try entity(named: name).checked(key, limits: limits))
        case .present(let name, let key):
            precondition = .present(entity: name, key: try entity(named: name).checked(key, limits: limits))
        case .version(let name, let key, let version):
            precondition = .version(
                entity: name, key: try entity(named: name).checked(key, limits: limits), version)
        case .unchanged(var range, let since):
            let entity = try entity(named: range.entity)
            range.lower = try entity.checked(range.lower)
            range.upper = try entity.checked(range.upper)
            if let prefix = range.indexPrefix {
                guard range.lower == .unbounded, range.upper == .unbounded else {
                    throw StorageError(
                        .misuse, "A range of '\(range.entity)' with an index prefix has ends; leave them unbounded.")
                }
                range.indexPrefix = try entity.checked(prefix, limits: limits)
            }
            precondition = .unchanged(range, since: since)
        }
    }

    private func check(
        _ operation: inout WriteOperation, limits: Capabilities.Limits, rowCount: inout Int
    ) throws(StorageError) {
        let entity = try entity(named: operation.entity)
        switch operation {
        case .put(let name, var rows, let mode):
            operation = .clear(entity: name)  // Gives up its reference, so that rows are changed in place.
            try entity.check(&rows, limits: limits)
            rowCount += rows.rowCount
            operation = .put(entity: name, rows: rows, mode: mode)
        case .delete(let name, let keys):
            operation = .delete(entity: name, keys: try checked(keys, of: name, limits: limits))
            rowCount += keys.count
        case .clear: break
        }
        if rowCount > limits.commitRowCount {
            throw StorageError(
                .limitExceeded, "A commit may write \(limits.commitRowCount) rows; split it into several.")
        }
    }
}

extension EntitySchema {
    /// Rows in canonical form, if the entity can hold them; as a commit would check them.
    ///
    /// - Throws: ``StorageError`` `.schemaMismatch`, `.unrepresentable`, `.limitExceeded`.
    package func canonical(_ rows: RowBuffer, limits: Capabilities.Limits) throws(StorageError) -> RowBuffer {
        var rows = rows
        try check(&rows, limits: limits)
        return rows
    }

    /// A row in canonical form, if the entity can hold it; as a commit would check it.
    ///
    /// - Returns: The row, or `nil` if it is in canonical form already.
    /// - Throws: ``StorageError`` `.schemaMismatch`, `.unrepresentable`, `.limitExceeded`.
    package func canonicalIfOther(_ row: [Value], limits: Capabilities.Limits) throws(StorageError) -> [Value]? {
        try checkCellCount(row.count)
        var result: [Value]?
        try row.withUnsafeBufferPointer { cells throws(StorageError) in
            try check(cells, limits: limits) { column, canonical in
                var changed = result ?? row
                changed[column] = canonical
                result = changed
            }
        }
        return result
    }

    /// A key in canonical form, if the entity can have it.
    ///
    /// - Throws: ``StorageError`` `.schemaMismatch`, `.unrepresentable`, `.limitExceeded`.
    package func canonical(_ key: RecordKey, limits: Capabilities.Limits) throws(StorageError) -> RecordKey {
        try checked(key, limits: limits)
    }

    fileprivate func checked(_ key: RecordKey, limits: Capabilities.Limits) throws(StorageError) -> RecordKey {
        try canonicalIfOther(key, limits: limits) ?? key
    }

    /// The key in canonical form, or `nil` if it is in it already.
    fileprivate func canonicalIfOther(
        _ key: RecordKey, limits: Capabilities.Limits
    ) throws(StorageError) -> RecordKey? {
        guard key.components.count == primaryKey.count else {
            throw StorageError(
                .schemaMismatch,
                "A key of '\(name)' has \(primaryKey.count) components, not \(key.components.count).")
        }
        var result: RecordKey?
        var byteCount = 0
        for (index, position) in primaryKeyPositions.enumerated() {
            let value = key.components[index]
            if value.isNull { throw nullError(at: position) }
            let canonical = try replacement(for: value, at: position)
            if let canonical {
                var changed = result ?? key
                changed.components[index] = canonical
                result = changed
            }
            byteCount += (canonical ?? value).keyByteCount
        }
        try checkKeyByteCount(byteCount, limits: limits)
        return result
    }

    fileprivate func checked(_ bound: KeyRange.Bound) throws(StorageError) -> KeyRange.Bound {
        switch bound {
        case .unbounded: return bound
        case .included(let prefix): return .included(try checked(prefix: prefix))
        case .excluded(let prefix): return .excluded(try checked(prefix: prefix))
        }
    }

    private func checked(prefix: [Value]) throws(StorageError) -> [Value] {
        guard prefix.count <= primaryKey.count else {
            throw StorageError(.schemaMismatch, "A range of '\(name)' has more components than its key.")
        }
        var result: [Value] = []
        for (position, value) in zip(primaryKeyPositions, prefix) {
            result.append(try canonicalOperand(value, at: position))
        }
        return result
    }

    fileprivate func checked(
        _ prefix: IndexPrefix, limits: Capabilities.Limits
    ) throws(StorageError) -> IndexPrefix {
        guard let index = indexes.first(where: { $0.name == prefix.index }) else {
            throw StorageError(.schemaMismatch, "'\(name)' has no index '\(prefix.index)'.")
        }
        guard (1...index.fields.count).contains(prefix.values.count) else {
            throw StorageError(
                .schemaMismatch,
                "A prefix of index '\(index.name)' of '\(name)' has 1...\(index.fields.count) values, not "
                    + "\(prefix.values.count).")
        }
        var prefix = prefix
        for (position, field) in index.fields.prefix(prefix.values.count).enumerated()
        where !prefix.values[position].isNull {
            prefix.values[position] = try canonicalOperand(prefix.values[position], at: requirePosition(of: field))
        }
        for position in prefix.keys.indices {
            if let canonical = try canonicalIfOther(prefix.keys[position], limits: limits) {
                prefix.keys[position] = canonical
            }
        }
        return prefix
    }

    /// Brings rows to canonical form, if the entity can hold them.
    func check(_ rows: inout RowBuffer, limits: Capabilities.Limits) throws(StorageError) {
        if !rows.isEmpty { try checkCellCount(rows.columnCount) }
        // Cells that are in another form are rare, and replaced at the end: the rows are not copied for the others.
        var replacements: [(row: Int, column: Int, value: Value)] = []
        for row in 0..<rows.rowCount {
            try rows.withRow(row) { cells throws(StorageError) in
                try check(cells, limits: limits) { replacements.append((row, $0, $1)) }
            }
        }
        for (row, column, value) in replacements { rows.set(value, row: row, column: column) }
    }

    private func checkCellCount(_ count: Int) throws(StorageError) {
        guard count == fields.count else {
            throw StorageError(.schemaMismatch, "A row of '\(name)' has \(fields.count) cells, not \(count).")
        }
    }

    /// Checks a row, and hands over what stands for the cells that are not in canonical form.
    private func check(
        _ cells: UnsafeBufferPointer<Value>, limits: Capabilities.Limits, _ replace: (Int, Value) -> Void
    ) throws(StorageError) {
        var keyByteCount = 0
        let rules = content.cellRules
        for column in cells.indices {
            let rule = rules[column]
            switch (rule.plain, cells[column]) {
            case (_, .null):
                if rule.isRequired { throw nullError(at: column) }
                continue
            case (.integer, .integer), (.boolean, .boolean):
                if rule.isKey { keyByteCount += Value.plainKeyByteCount }
                continue
            case (.text, .text(let text)):
                let count = text.utf8.count
                if count > limits.cellByteCount || UTF8Scan.containsNUL(text) { break }
                if rule.isKey { keyByteCount += count }
                continue
            default: break
            }
            let canonical = try replacement(for: cells[column], at: column)
            if let canonical { replace(column, canonical) }
            let value = canonical ?? cells[column]
            if value.cellByteCount > limits.cellByteCount {
                throw StorageError(
                    .limitExceeded,
                    "'\(name).\(fields[column].name)' may hold \(limits.cellByteCount) bytes; store less.")
            }
            if rule.isKey { keyByteCount += value.keyByteCount }
        }
        try checkKeyByteCount(keyByteCount, limits: limits)
    }

    private func nullError(at position: Int) -> StorageError {
        StorageError(.unrepresentable, "'\(name).\(fields[position].name)' is required and has no value.")
    }

    private func checkKeyByteCount(_ count: Int, limits: Capabilities.Limits) throws(StorageError) {
        if count > limits.keyByteCount {
            throw StorageError(
                .limitExceeded, "A key of '\(name)' may have \(limits.keyByteCount) bytes; use a shorter one.")
        }
    }
}

extension Value {
    fileprivate var keyByteCount: Int {
        switch self {
        case .text, .bytes: cellByteCount
        default: Self.plainKeyByteCount
        }
    }

    fileprivate static let plainKeyByteCount = 16

    fileprivate var cellByteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        case .list(let elements): elements.reduce(0) { $0 + max(16, $1.cellByteCount) }
        default: 0
        }
    }
}

extension StorageError {
    fileprivate func at(_ position: Position) -> StorageError {
        var error = self
        error.position = position
        return error
    }
}
