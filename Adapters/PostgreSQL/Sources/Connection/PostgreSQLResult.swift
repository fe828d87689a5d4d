#if PostgreSQL
internal import CPostgreSQL

/// The rows of one command in binary form; owns the `PGresult`.
///
/// Unchecked because the result is immutable once it is received; libpq only frees it here.
final class PostgreSQLResult: @unchecked Sendable {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { PQclear(handle) }

    /// The number of rows.
    var rowCount: Int { Int(PQntuples(handle)) }

    /// How many bytes of memory the rows take, with all that belongs to them.
    var byteCount: Int { Int(PQresultMemorySize(handle)) }

    /// The server's number of the table from which the last column comes; 0 if it comes from none.
    var lastTable: UInt32 { PQftable(handle, PQnfields(handle) - 1) }

    /// The number of rows that the command changed.
    var changeCount: Int { Int(String(cString: PQcmdTuples(handle))) ?? 0 }

    @inline(__always)
    func isNull(_ row: Int, _ column: Int) -> Bool { PQgetisnull(handle, Int32(row), Int32(column)) != 0 }

    /// The bytes of a cell, valid as long as the result.
    @inline(__always)
    func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(handle, Int32(row), Int32(column)),
            count: Int(PQgetlength(handle, Int32(row), Int32(column))))
    }

    /// An integer of eight bytes; 0 for null.
    @inline(__always)
    func integer(_ row: Int, _ column: Int) -> Int64 {
        let bytes = bytes(row, column)
        guard bytes.count == 8 else { return 0 }
        return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    }

    @inline(__always)
    func text(_ row: Int, _ column: Int) -> String { String(decoding: bytes(row, column), as: UTF8.self) }

    func boolean(_ row: Int, _ column: Int) -> Bool { bytes(row, column).first == 1 }
}
#endif
