import CPostgreSQLRaw
import Dispatch
import Foundation

/// A connection that blocks, on a thread of its own.
///
/// Unchecked because it is used on its queue only.
final class RawPostgreSQLConnection: @unchecked Sendable {
    private let handle: OpaquePointer?
    private let queue = DispatchQueue(label: "raw.postgresql")

    init(url: String) throws {
        handle = PQconnectdb(url)
        guard PQstatus(handle) == CONNECTION_OK else { throw error() }
    }

    deinit { PQfinish(handle) }

    /// Runs a body on the connection's thread.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable (RawPostgreSQLConnection) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try body(self) }) }
        }
    }

    /// Runs statements without parameters.
    func execute(_ sql: String) throws { try RawPostgreSQLResult(PQexec(handle, sql), self).check() }

    /// Prepares a statement to be used again and again.
    func prepare(_ name: String, _ sql: String) throws {
        try RawPostgreSQLResult(PQprepare(handle, name, sql, 0, nil), self).check()
    }

    /// The table of the commits that ``commit(_:)`` makes.
    static func logTable(_ schema: String) -> String {
        """
        create table if not exists \(schema).log ("sequence" bigint primary key, "token" uuid not null unique,
            "put_count" bigint not null, "committed_at" timestamptz not null default now())
        """
    }

    /// Prepares what ``commit(_:)`` needs.
    func prepareCommits(_ schema: String) throws {
        try prepare("begin", "begin isolation level repeatable read")
        try prepare(
            "log",
            "insert into \(schema).log (\"sequence\", \"token\", \"put_count\") "
                + "values (pg_current_xact_id()::text::bigint, $1, 1) returning \"sequence\"")
        try prepare("commit", "commit")
    }

    /// Runs prepared statements with those that a commit of a store needs: one that may be tried again needs a log.
    ///
    /// - Parameters:
    ///   - first: The name of a statement without parameters that comes before the log; none by default.
    ///   - statements: The statements, each with its parameters.
    /// - Throws: ``RawError`` if one of them fails; nothing is committed then.
    func commit(after first: String? = nil, _ statements: [(name: String, parameters: [String])]) throws {
        var all: [(name: String, parameters: [String])] = [("begin", [])]
        if let first { all.append((first, [])) }
        try pipeline(all + [("log", [UUID().uuidString])] + statements + [("commit", [])])
    }

    /// Runs a prepared statement and waits for its result.
    func run(_ name: String, _ parameters: [String]) throws -> RawPostgreSQLResult {
        let result = Self.withPointers(parameters) { values in
            PQexecPrepared(handle, name, Int32(values.count), values, nil, nil, 0)
        }
        return try RawPostgreSQLResult(result, self).check()
    }

    /// Runs prepared statements, each with its parameters, in one pipeline and one transaction.
    func pipeline(_ statements: [(name: String, parameters: [String])]) throws {
        PQenterPipelineMode(handle)
        for (name, parameters) in statements {
            _ = Self.withPointers(parameters) { values in
                PQsendQueryPrepared(handle, name, Int32(values.count), values, nil, nil, 0)
            }
        }
        PQpipelineSync(handle)
        for _ in statements {
            try RawPostgreSQLResult(PQgetResult(handle), self).check()
            PQclear(PQgetResult(handle))
        }
        PQclear(PQgetResult(handle))
        PQexitPipelineMode(handle)
    }

    /// Runs a prepared statement and calls a closure with each row as it comes.
    func forEachRow(_ name: String, _ body: (RawPostgreSQLResult) throws -> Void) throws {
        PQsendQueryPrepared(handle, name, 0, nil, nil, nil, 0)
        PQsetSingleRowMode(handle)
        while let pointer = PQgetResult(handle) {
            let result = try RawPostgreSQLResult(pointer, self).check()
            if result.rowCount > 0 { try body(result) }
        }
    }

    private static func withPointers<Result>(
        _ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> Result
    ) -> Result {
        var bytes: [UInt8] = []
        var offsets: [Int] = []
        for text in texts {
            offsets.append(bytes.count)
            bytes.append(contentsOf: text.utf8)
            bytes.append(0)
        }
        return bytes.withUnsafeBytes { bytes in
            body(offsets.map { bytes.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) })
        }
    }

    fileprivate func error() -> RawError { RawError(description: String(cString: PQerrorMessage(handle))) }
}

/// A result that frees itself.
final class RawPostgreSQLResult {
    private let handle: OpaquePointer?
    private let connection: RawPostgreSQLConnection

    init(_ handle: OpaquePointer?, _ connection: RawPostgreSQLConnection) {
        self.handle = handle
        self.connection = connection
    }

    deinit { PQclear(handle) }

    /// Itself, if it is not an error.
    @discardableResult
    func check() throws -> RawPostgreSQLResult {
        if PQresultStatus(handle) == PGRES_FATAL_ERROR { throw connection.error() }
        return self
    }

    var rowCount: Int { Int(PQntuples(handle)) }

    var columnCount: Int { Int(PQnfields(handle)) }

    @inline(__always)
    func utf8(_ row: Int, _ column: Int) -> UnsafeBufferPointer<UInt8> {
        let start = UnsafeRawPointer(PQgetvalue(handle, Int32(row), Int32(column)))?.assumingMemoryBound(to: UInt8.self)
        return UnsafeBufferPointer(start: start, count: Int(PQgetlength(handle, Int32(row), Int32(column))))
    }

    @inline(__always)
    func text(_ row: Int, _ column: Int) -> String { String(decoding: utf8(row, column), as: UTF8.self) }
}
