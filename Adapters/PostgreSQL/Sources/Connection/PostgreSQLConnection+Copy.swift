#if PostgreSQL
internal import CPostgreSQL

extension PostgreSQLConnection {
    /// Loads rows in the binary form of `COPY`; blocks.
    ///
    /// - Parameters:
    ///   - sql: `COPY … FROM STDIN (FORMAT binary)`.
    ///   - content: All rows, without header and trailer.
    /// - Throws: ``PostgreSQLFailure`` if the server refuses the statement or the rows, or if the connection is lost.
    func copy(_ sql: String, _ content: [UInt8]) throws(PostgreSQLFailure) {
        // COPY has no place in a pipeline.
        guard PQexitPipelineMode(handle) == 1, PQsendQuery(handle, sql) == 1 else { throw lost() }
        try flush()
        guard let opened = try nextResult() else { throw lost() }
        if PQresultStatus(opened) == PGRES_COPY_IN {
            PQclear(opened)
            let header: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
            try put(header[...])
            for start in stride(from: 0, to: content.count, by: 1 << 20) {
                try put(content[start..<min(start + 1 << 20, content.count)])
            }
            try put([0xFF, 0xFF])
            while PQputCopyEnd(handle, nil) == 0 { try flush() }
            try flush()
            try finishCopy(try nextResult())
        } else {
            try finishCopy(opened)
        }
    }

    private func put(_ bytes: ArraySlice<UInt8>) throws(PostgreSQLFailure) {
        while true {
            let state = bytes.withUnsafeBytes { bytes in
                PQputCopyData(handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
            }
            if state == 1 { return }
            guard state == 0 else { throw lost() }
            try flush()
        }
    }

    private func finishCopy(_ result: OpaquePointer?) throws(PostgreSQLFailure) {
        guard let result else { throw lost() }
        defer { PQclear(result) }
        var failure: PostgreSQLFailure?
        if PQresultStatus(result) != PGRES_COMMAND_OK { failure = makeFailure(result, index: 0) }
        if failure?.isConnectionLost == true { isUnusable = true }
        while let more = try nextResult() { PQclear(more) }
        guard PQstatus(handle) == CONNECTION_OK, PQenterPipelineMode(handle) == 1 else { throw lost() }
        if let failure { throw failure }
    }
}
#endif
