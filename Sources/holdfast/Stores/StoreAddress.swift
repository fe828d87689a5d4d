#if CLI
import ArgumentParser
import Foundation
import HoldfastStorage

#if SQLite
import HoldfastSQLite
#endif
#if LevelDB
import HoldfastLevelDB
#endif
#if PostgreSQL
import HoldfastPostgreSQL
#endif

/// Where a store is, as the command line says it.
///
/// Printed without what a connection string says of the server, since that may be a password.
enum StoreAddress: Sendable, CustomStringConvertible {
    case sqlite(path: String)
    case levelDB(path: String)
    case postgreSQL(PostgreSQLAddress)

    /// How addresses are written, for the help of commands.
    static let forms = """
        Addresses of stores:
          sqlite:PATH          the file of a SQLite store
          leveldb:PATH         the directory of a LevelDB store, which no other process may have open
          postgresql://…       a connection string for a PostgreSQL server; `?schema=NAME` names the schema of the \
        database that is the store, by default `holdfast`. Behind a pool such as pgbouncer, add `pooling=transaction`, \
        and `direct=postgresql://…` with the server's own address (`&` as `%26`), to be notified of commits at once; or \
        `pooling=session`
        Put passwords into the password file or the environment (PGPASSFILE, PGPASSWORD): other users of the machine \
        can see arguments. Passwords are never printed.
        """

    /// Reads an address.
    ///
    /// - Throws: `ValidationError`, which does not repeat the text: it may hold a password.
    init(_ text: String, option: String) throws {
        if let path = Self.rest(of: text, after: "sqlite:"), !path.isEmpty {
            self = .sqlite(path: path)
        } else if let path = Self.rest(of: text, after: "leveldb:"), !path.isEmpty {
            self = .levelDB(path: path)
        } else if text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") {
            self = .postgreSQL(try PostgreSQLAddress(text, option: option))
        } else {
            throw ValidationError(
                "\(option) is not the address of a store: sqlite:PATH, leveldb:PATH or postgresql://…")
        }
    }

    private static func rest(of text: String, after prefix: String) -> String? {
        text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
    }

    var description: String {
        switch self {
        case .sqlite(let path): "sqlite:\(path)"
        case .levelDB(let path): "leveldb:\(path)"
        case .postgreSQL(let address): "postgresql (schema \(address.schema))"
        }
    }

    /// The trait that this build lacks for the address, or `nil`.
    var missingTrait: String? {
        switch self {
        case .sqlite:
            #if SQLite
            return nil
            #else
            return "SQLite"
            #endif
        case .levelDB:
            #if LevelDB
            return nil
            #else
            return "LevelDB"
            #endif
        case .postgreSQL:
            #if PostgreSQL
            return nil
            #else
            return "PostgreSQL"
            #endif
        }
    }

    /// Ends the command if this build lacks an adapter.
    static func requireAdapters(for addresses: [StoreAddress]) throws {
        var missing: [String] = []
        for trait in addresses.compactMap(\.missingTrait) where !missing.contains(trait) { missing.append(trait) }
        if missing.isEmpty { return }
        Output.error(
            """
            This build lacks the adapter of \(missing.joined(separator: " and ")), so that it needs no other library. Run
              swift run --traits \(BuildTraits.value(adding: missing)) holdfast …
            """)
        throw ExitCode(69)
    }

    /// A new handle on the store.
    ///
    /// - Parameters:
    ///   - isReadOnly: Whether it may not write, where the back end can promise that.
    ///   - changeLogCommitCount: The commits that a change feed can look back; 0 for no change feed. Used where several
    ///     processes can share a store.
    /// - Returns: The adapter of the store's back end.
    /// - Throws: `ExitCode` 69 if this build lacks the adapter.
    func makeAdapter(isReadOnly: Bool, changeLogCommitCount: Int = 0) throws -> any StorageAdapter {
        switch self {
        case .sqlite(let path):
            #if SQLite
            return SQLiteAdapter(
                SQLiteConfiguration(
                    .file(path), isReadOnly: isReadOnly, changeLogCommitCount: changeLogCommitCount))
            #else
            throw ExitCode(69)
            #endif
        case .levelDB(let path):
            #if LevelDB
            return LevelDBAdapter(path: path)
            #else
            throw ExitCode(69)
            #endif
        case .postgreSQL(let address):
            #if PostgreSQL
            var configuration = address.configuration
            configuration.changeLogCommitCount = changeLogCommitCount
            return PostgreSQLAdapter(configuration)
            #else
            throw ExitCode(69)
            #endif
        }
    }

    /// A new handle on the store, as a service has it.
    ///
    /// With a change feed: without one, a process would not send its clients what other processes write. All use the
    /// same number of commits, since SQLite cuts the log to that of the last one.
    func makeServiceAdapter(isReadOnly: Bool = false) throws -> any StorageAdapter {
        try makeAdapter(isReadOnly: isReadOnly, changeLogCommitCount: isReadOnly ? 0 : 1_000)
    }

    /// Bytes of the store's files; `nil` if a server has them.
    var byteCount: Int? {
        switch self {
        case .sqlite(let path): ["", "-wal"].reduce(0) { $0 + Self.byteCount(ofFile: path + $1) }
        case .levelDB(let path):
            (try? FileManager.default.contentsOfDirectory(atPath: path))?
                .reduce(0) { $0 + Self.byteCount(ofFile: path + "/" + $1) }
        case .postgreSQL: nil
        }
    }

    private static func byteCount(ofFile path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }
}
#endif
