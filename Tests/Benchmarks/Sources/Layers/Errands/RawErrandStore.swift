import HoldfastStorage
import Synchronization

/// SQLite's C API, called as a careful program would: an older version than the stored one changes nothing.
///
/// Unchecked because the mutex serializes all calls.
final class RawErrandStore: ErrandStore, @unchecked Sendable {
    private let sequence = Mutex<Int64>(0)
    private let database: RawDatabase
    private let begin: RawStatement
    private let commit: RawStatement
    private let metadata: RawStatement
    private let record: RawStatement
    private let state: RawStatement

    private static let columns = [
        "id", "title", "content", "rating", "count", "isDone", "status", "listID", "createdAt", "createdAt_tail",
        "updatedAt", "updatedAt_tail", "holdfast_version",
    ]

    init(path: String, tables: [String]) throws {
        database = try RawDatabase(path: path)
        try database.execute(RawLayout.pragmas)
        // The engine does not sync the disk for what a service can send again either.
        try database.execute("pragma synchronous = normal")
        for table in tables { try database.execute(table) }
        begin = try database.prepare("begin immediate")
        commit = try database.prepare("commit")
        metadata = try database.prepare(
            """
            insert into "__record_metadata"
                ("model", "key", "version", "lastChangedAt", "isDeleted", "generation", "holdfast_version")
            values ('Errand', ?, ?, ?, 0, 1, ?)
            on conflict ("model", "key") do update set "version" = excluded."version",
                "lastChangedAt" = excluded."lastChangedAt", "isDeleted" = 0, "generation" = 1,
                "holdfast_version" = excluded."holdfast_version"
            where excluded."version" > "version"
            """)
        let names = Self.columns.map { "\"\($0)\"" }
        record = try database.prepare(
            """
            insert into "Errand" (\(names.joined(separator: ", ")))
            values (\(names.map { _ in "?" }.joined(separator: ", ")))
            on conflict ("id") do update set
                \(names.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
            """)
        state = try database.prepare(
            """
            insert into "__model_state" ("model", "generation", "tokenCount", "holdfast_version")
            values ('Errand', 1, ?, ?)
            on conflict ("model") do update set "tokenCount" = excluded."tokenCount",
                "holdfast_version" = excluded."holdfast_version"
            """)
    }

    func apply(_ page: ErrandPage) throws -> Int {
        try sequence.withLock { sequence in
            sequence += 1
            let (now, version) = (sequence, page.version)
            return try database.transaction(begin, commit) {
                var count = 0
                for row in page.rows {
                    guard case .text(let id) = row[0] else { continue }
                    metadata.bind(id, at: 0)
                    metadata.bind(version, at: 1)
                    metadata.bind(1_767_225_600_000, at: 2)
                    metadata.bind(now, at: 3)
                    try metadata.run()
                    if database.changeCount == 0 { continue }
                    bind(row, now)
                    try record.run()
                    count += 1
                }
                state.bind(version, at: 0)
                state.bind(now, at: 1)
                try state.run()
                return count
            }
        }
    }

    /// The connection closes when the store is dropped.
    func close() {}

    private func bind(_ row: [Value], _ now: Int64) {
        var position: Int32 = 0
        for cell in row {
            switch cell {
            case .text(let text): record.bind(text, at: position)
            case .integer(let number): record.bind(number, at: position)
            case .double(let number): record.bind(double: number, at: position)
            case .boolean(let isTrue): record.bind(isTrue ? 1 : 0, at: position)
            case .timestamp(let time):
                record.bind(time.utcText, at: position)
                position += 1
                record.bind(time.tail.text, at: position)
            default: record.bindNull(at: position)
            }
            position += 1
        }
        record.bind(now, at: position)
    }
}
