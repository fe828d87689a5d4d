import Foundation
import HoldfastStorage

/// What children do to a store that others have open too.
enum SharedWork {
    static let counter = EntitySchema("Counter", fields: [FieldSchema("id", .id), FieldSchema("number", .int)])
    static let widerCounter = EntitySchema("Counter", fields: counter.fields + [FieldSchema("note", .string)])
    static let key = RecordKey("counter")

    /// Adds one a number of times; each commit demands that no other process has counted since it was read.
    ///
    /// Before the first commit it waits for a line of input, so that several processes have read the same by then.
    static func count(at location: any StoreLocation, _ times: Int) async throws {
        let store = try await open(location, counter)
        var conflicts = 0
        var rows = try await read(store)
        WorkerJob.say("read")
        _ = readLine()
        for _ in 0..<times {
            while try await !addOne(to: rows, in: store) {
                conflicts += 1
                rows = try await read(store)
            }
            rows = try await read(store)
        }
        try await store.close()
        WorkerJob.say("conflicts \(conflicts)")
    }

    private static func read(_ store: Store) async throws -> RowBuffer {
        var rows = RowBuffer()
        try await store.get([key], of: "Counter", into: &rows)
        return rows
    }

    /// - Returns: `false` if another process counted since the counter was read.
    private static func addOne(to rows: RowBuffer, in store: Store) async throws -> Bool {
        guard case .integer(let number) = rows[0, 1] else { throw HarnessFailure("There is no counter.") }
        let put = WriteOperation.put(
            entity: "Counter", rows: RowBuffer(row: [.text("counter"), .integer(number + 1)]), mode: .update)
        let unchanged = Precondition.version(entity: "Counter", key: key, rows.versions[0])
        do {
            _ = try await store.commit(
                CommitRequest(preconditions: [unchanged], operations: [put], durability: Durability.none))
            return true
        } catch {
            if error.retry == .never { throw error }
            return false
        }
    }

    static func hold(_ location: any StoreLocation) async throws {
        let store = try await open(location, counter)
        WorkerJob.say("open")
        // A watchdog, in case it is not killed.
        try await Task.sleep(for: Watchdog.timeout)
        try await store.close()
    }

    /// Writes a number to the counter and prints the sequence of the commit.
    ///
    /// - Parameters:
    ///   - location: Where the store is.
    ///   - parameters: The number to write.
    /// - Throws: The error of opening, writing or closing the store.
    static func write(at location: any StoreLocation, _ parameters: [String]) async throws {
        let store = try await open(location, counter)
        let number = Int64(parameters.first ?? "") ?? 0
        let put = WriteOperation.put(
            entity: "Counter", rows: RowBuffer(row: [.text("counter"), .integer(number)]), mode: .upsert)
        let receipt = try await store.commit(CommitRequest(operations: [put]))
        try await store.close()
        WorkerJob.say("wrote \(receipt.sequence)")
    }

    /// The record that the process of a number writes.
    static func row(of number: Int) -> [Value] { [.text("process \(number)"), .integer(Int64(number))] }

    /// Opens and writes, each after a line of input, so that several processes do it at once.
    static func create(at location: any StoreLocation, _ number: Int) async throws {
        WorkerJob.say("ready")
        _ = readLine()
        let store = try await open(location, counter)
        WorkerJob.say("open")
        _ = readLine()
        let put = WriteOperation.put(entity: "Counter", rows: RowBuffer(row: row(of: number)), mode: .insert)
        let receipt = try await store.commit(CommitRequest(operations: [put]))
        try await store.close()
        WorkerJob.say("wrote \(receipt.sequence)")
    }

    static func read(at location: any StoreLocation) async throws {
        let store = try await open(location, counter)
        let rows = try await read(store)
        let number: Int64? = if case .integer(let value) = rows[0, 1] { value } else { nil }
        let sequence = try await store.withSnapshot { $0.sequence }
        try await store.close()
        WorkerJob.say("read \(number.map { "\($0)" } ?? "nothing") at \(sequence)")
    }

    static func widen(_ location: any StoreLocation) async throws {
        let store = try await open(location, widerCounter)
        let row: [Value] = [.text("wide"), .integer(1), .text("note")]
        _ = try await store.commit(
            CommitRequest(operations: [.put(entity: "Counter", rows: RowBuffer(row: row), mode: .upsert)]))
        try await store.close()
        WorkerJob.say("widened")
    }

    private static func open(_ location: any StoreLocation, _ entity: EntitySchema) async throws -> Store {
        do {
            return try await Store.open(try location.makeAdapter(), schema: StorageSchema(entities: [entity]))
        } catch let error as StorageError {
            WorkerJob.say("refused \(error.kind.rawValue)")
            throw error
        }
    }
}
