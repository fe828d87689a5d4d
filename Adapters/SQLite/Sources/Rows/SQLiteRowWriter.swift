#if SQLite
internal import CSQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// Puts rows, each with the same prepared statement.
///
/// A statement for several rows would have SQLite keep its own journal to undo half of it: measured, rows one by
/// one take a fifth fewer instructions.
///
/// Unchecked because it is touched on the writer's queue only.
final class SQLiteRowWriter: @unchecked Sendable {
    private let arena = SQLiteBindingArena()

    /// Puts rows in order.
    ///
    /// - Throws: ``StorageError`` `.preconditionFailed` or `.uniqueViolation` for the first row that is refused.
    func put(
        _ rows: RowBuffer, into table: SQLiteTable, mode: WriteOperation.PutMode, version: UInt64, operation: Int,
        on connection: SQLiteConnection
    ) throws(StorageError) {
        let statement = try connection.take(key: table.cacheKey(of: mode)) {
            switch mode {
            case .upsert: table.insert(onConflict: .replace)
            case .insert: table.insert(onConflict: .skip)
            case .update: table.update
            }
        }
        statement.bind(Int64(bitPattern: version), at: 1)
        for row in 0..<rows.rowCount {
            arena.reset()
            var index: Int32 = 2
            try bind(rows, row, table, to: statement, at: &index)
            do {
                _ = try statement.step()
            } catch  where error.isNative(SQLiteCode.uniqueConstraint) {
                throw Self.uniqueViolation(error, table, operation)
            }
            if mode != .upsert && connection.changeCount == 0 {
                throw StorageError.failedPut(exists: mode == .insert, operation: operation)
            }
        }
        connection.release(statement)
    }

    /// Puts new rows with a statement that skips existing ones, each with the version it has in the buffer.
    ///
    /// - Throws: ``StorageError`` `.uniqueViolation` for the first row whose key exists already.
    func copy(
        _ rows: RowBuffer, into table: SQLiteTable, with statement: SQLiteStatement,
        on connection: SQLiteConnection
    ) throws(StorageError) {
        for row in 0..<rows.rowCount {
            arena.reset()
            statement.bind(Int64(bitPattern: rows.versions[row]), at: 1)
            var index: Int32 = 2
            try bind(rows, row, table, to: statement, at: &index)
            _ = try statement.step()
            if connection.changeCount == 0 {
                throw StorageError.duplicateKey(in: table.entity.name)
            }
        }
    }

    private static func uniqueViolation(
        _ error: StorageError, _ table: SQLiteTable, _ operation: Int
    ) -> StorageError {
        let index = table.uniqueMessages.first { $0.message == error.nativeDetail }?.index
        return StorageError.uniqueViolation(
            index: index ?? "unknown", of: table.entity.name, operation: operation, nativeCode: error.nativeCode)
    }

    // MARK: Binding

    @inline(__always)
    private func bind(
        _ rows: RowBuffer, _ row: Int, _ table: SQLiteTable, to statement: SQLiteStatement, at index: inout Int32
    ) throws(StorageError) {
        // The greatest result code: an error if there is one.
        var code = SQLITE_OK
        rows.withRow(row) { cells in
            for column in table.columns.indices {
                code = max(code, bind(cells[column], to: statement, at: index))
                index += 1
                if table.columns[column].tailName != nil {
                    code = max(code, bindTail(of: cells[column], to: statement, at: index))
                    index += 1
                }
            }
        }
        try SQLiteStatement.check(code)
    }

    @inline(__always)
    private func bind(_ value: Value, to statement: SQLiteStatement, at index: Int32) -> Int32 {
        switch value {
        case .text(let text): bind(text, to: statement, at: index)
        case .integer(let integer): statement.bind(integer, at: index)
        case .double(let double): statement.bind(double, at: index)
        case .boolean(let truth): statement.bind(truth ? 1 : 0 as Int64, at: index)
        case .null: statement.bindNull(at: index)
        case .bytes(let bytes): statement.bind(bytes: bytes, at: index)
        case .date(let date): bind(date.dayText, to: statement, at: index)
        case .time(let time): bind(time.clockText, to: statement, at: index)
        case .timestamp(let timestamp): bind(timestamp.utcText, to: statement, at: index)
        case .list(let elements): statement.bind(SQLiteListCodec.json(elements), at: index)
        }
    }

    private func bindTail(of value: Value, to statement: SQLiteStatement, at index: Int32) -> Int32 {
        switch value {
        case .date(let date): bind(date.tail.text, to: statement, at: index)
        case .time(let time): bind(time.tail.text, to: statement, at: index)
        case .timestamp(let timestamp): bind(timestamp.tail.text, to: statement, at: index)
        case .list(let elements): statement.bind(SQLiteListCodec.encode(elements).tails, at: index)
        default: statement.bindNull(at: index)
        }
    }

    @inline(__always)
    private func bind(_ text: String, to statement: SQLiteStatement, at index: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { bytes -> Int32 in
            guard let copy = arena.copy(bytes) else { return statement.bind(text: bytes, at: index) }
            return holdfast_sqlite3_bind_text_static(statement.handle, index, copy, bytes.count)
        }
    }
}

/// Memory that holds bound texts while their statement runs, so that SQLite need not allocate for each.
///
/// Used by its row writer only.
final class SQLiteBindingArena {
    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 1)
    private var used = 0

    deinit { memory.deallocate() }

    /// Forgets everything; no statement that it was bound to may run afterwards before it is bound again.
    func reset() { used = 0 }

    /// Copies bytes, or returns `nil` if there is no room.
    @inline(__always)
    func copy(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeRawPointer? {
        guard bytes.count < memory.count - used, let target = memory.baseAddress?.advanced(by: used) else {
            return nil
        }
        if let base = bytes.baseAddress { target.copyMemory(from: base, byteCount: bytes.count) }
        used += bytes.count
        return UnsafeRawPointer(target)
    }
}
#endif
