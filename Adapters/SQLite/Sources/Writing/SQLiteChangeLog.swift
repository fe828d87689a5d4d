#if SQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// The last commits of a store, in a table of the file: what change feeds read.
///
/// One row for each commit, appended in the commit itself; rows beyond the configured number are dropped with it.
final class SQLiteChangeLog: Sendable {
    /// Wakes the feeds of this process.
    let signal = ChangeSignal()
    private let schema: StorageSchema
    private let commitCount: Int

    private static let table = """
        CREATE TABLE IF NOT EXISTS holdfast_changes(
            sequence INTEGER PRIMARY KEY,
            changes BLOB NOT NULL
        ) STRICT
        """

    /// Creates the log if the configuration asks for it; `nil` if the file has none.
    ///
    /// Once a file has a log, every handle opened after that keeps it, regardless of its own configuration.
    init?(
        _ configuration: SQLiteConfiguration, _ connection: SQLiteConnection, schema: StorageSchema
    ) throws(StorageError) {
        self.schema = schema
        commitCount = max(configuration.changeLogCommitCount, 1_000)
        if try Self.exists(connection) { return }
        if configuration.changeLogCommitCount <= 0 || connection.isReadOnly { return nil }
        try connection.executeOnce(Self.table)
    }

    /// Forgets all commits, as they speak of entities that are no longer the same.
    static func clear(_ connection: SQLiteConnection) throws(StorageError) {
        if try exists(connection) { try connection.executeOnce("DELETE FROM holdfast_changes") }
    }

    private static func exists(_ connection: SQLiteConnection) throws(StorageError) -> Bool {
        try connection.integer("SELECT 1 FROM sqlite_schema WHERE name = 'holdfast_changes'") != nil
    }

    /// Adds a commit, in its transaction.
    func append(
        _ request: CommitRequest, _ sequence: UInt64, _ connection: SQLiteConnection
    ) throws(StorageError) {
        let change = try CommittedChange(of: request, sequence: sequence, in: schema)
        let number = Int64(bitPattern: sequence)
        try connection.execute(
            "INSERT INTO holdfast_changes(sequence, changes) VALUES (?, ?)",
            [.integer(number), .bytes(ChangeCodec.encode(change))])
        try connection.execute(
            "DELETE FROM holdfast_changes WHERE sequence <= ?", [.integer(number - Int64(commitCount))])
    }

    /// Wakes the feeds after a transaction.
    func announce(_ outcomes: [Result<CommitReceipt, StorageError>]) {
        let last = outcomes.compactMap { try? $0.get().sequence }.max()
        if let last { signal.advance(to: last) }
    }

    /// What a feed at a position delivers next.
    func element(
        after sequence: UInt64, withoutRecordsOf isKnown: (UInt64) -> Bool, _ connection: SQLiteConnection
    ) throws(StorageError) -> ChangeFeedElement? {
        try connection.execute("BEGIN")
        defer { connection.rollBack() }
        var rows: [CommittedChange] = []
        try connection.forEachRow(
            "SELECT sequence, changes FROM holdfast_changes WHERE sequence > ? ORDER BY sequence LIMIT 256",
            [.integer(Int64(clamping: sequence))]
        ) { row throws(StorageError) in
            let number = UInt64(bitPattern: row.integer(0))
            rows.append(
                isKnown(number)
                    ? CommittedChange(sequence: number, records: [])
                    : try ChangeCodec.decode(row.bytes(1), sequence: number))
        }
        return .fromLog(rows, after: sequence, last: try connection.lastSequence())
    }
}
#endif
