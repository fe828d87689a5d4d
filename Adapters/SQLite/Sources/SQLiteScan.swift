#if SQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// The rows of a statement, read in batches on the adapter's own threads.
struct SQLiteScan: StorageScan {
    private let state: SQLiteScanState

    init(_ state: SQLiteScanState) { self.state = state }

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        try await state.next(maximumRowCount: maximumRowCount, into: &rows)
    }

    mutating func close() async { state.close() }
}

/// What a scan shares with the thread that reads for it.
///
/// Unchecked because one task pulls a scan: `isOver` is touched between its batches, never during one.
final class SQLiteScanState: @unchecked Sendable {
    let query: SQLiteQuery
    let cancellation = SQLiteCancellation()
    private let snapshot: SQLiteSnapshot
    private var isOver: Bool

    init(_ snapshot: SQLiteSnapshot, _ query: SQLiteQuery, remaining: Int?) {
        self.snapshot = snapshot
        self.query = query
        isOver = remaining == 0
    }

    deinit { snapshot.drop(ObjectIdentifier(self)) }

    func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        rows.reset(columnCount: query.layout.cellCount)
        if isOver { return }
        let box = SQLiteRowBox(&rows)
        defer { box.giveBack(to: &rows) }
        do {
            isOver = try await snapshot.store.readQueue.run(stopping: cancellation) { () throws(StorageError) in
                try self.snapshot.fill(&box.rows, maximumRowCount: maximumRowCount, of: self)
            }
        } catch {
            isOver = true
            box.rows.reset(columnCount: query.layout.cellCount)
            throw error
        }
    }

    func close() {
        isOver = true
        snapshot.drop(ObjectIdentifier(self))
    }
}

/// A row buffer on its way to another thread and back.
///
/// Unchecked because its maker waits for that thread.
final class SQLiteRowBox: @unchecked Sendable {
    var rows = RowBuffer()

    /// Takes over the content of a buffer without copying it.
    init(_ source: inout RowBuffer) { swap(&rows, &source) }

    /// Moves the content back.
    func giveBack(to target: inout RowBuffer) { swap(&rows, &target) }
}

extension WorkQueue {
    /// Runs work that stops soon after the task is cancelled.
    func run<Success: Sendable>(
        stopping cancellation: SQLiteCancellation, _ body: @escaping @Sendable () throws(StorageError) -> Success
    ) async throws(StorageError) -> Success {
        let outcome: Result<Success, StorageError> = await withTaskCancellationHandler {
            do throws(StorageError) {
                return .success(try await run(body))
            } catch {
                return .failure(error)
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try outcome.get()
    }
}

extension SQLiteConnection {
    /// Runs one statement of an aggregate and puts its figures in their places.
    func run(
        _ step: SQLiteAggregateStep, of aggregate: BoundAggregate, table: SQLiteTable, into values: inout [Value]
    ) throws(StorageError) {
        let statement = try take(step.sql)
        defer { giveBack(statement) }
        statement.bind(step.parameters)
        let hasRow: Bool
        do {
            hasRow = try statement.step()
        } catch {
            throw error.nativeDetail == "integer overflow" ? Self.overflow(aggregate) ?? error : error
        }
        guard hasRow else { return }
        for (column, index) in step.functions.enumerated() {
            let column = Int32(column)
            switch aggregate.functions[index] {
            case .count, .integerSum: values[index] = .integer(statement.integer(column))
            case .doubleSum: values[index] = .double(statement.double(column))
            case .average: values[index] = statement.isNull(column) ? .null : .double(statement.double(column))
            case .minimum(let position), .maximum(let position):
                values[index] = try SQLiteRowLayout.value(table.columns[position].type, statement, column)
            }
        }
    }

    private static func overflow(_ aggregate: BoundAggregate) -> StorageError? {
        for function in aggregate.functions {
            if case .integerSum(let position) = function {
                return AggregateAccumulator.overflow(aggregate.query.entity, position)
            }
        }
        return nil
    }
}
#endif
