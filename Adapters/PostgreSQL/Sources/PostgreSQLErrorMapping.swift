#if PostgreSQL
internal import HoldfastStorage

/// What the server or libpq refused, with what a commit needs to know of it.
struct PostgreSQLFailure: Error {
    /// The five characters of SQLSTATE; empty if the connection failed.
    var state: String
    /// The constraint that was violated.
    var constraint: String?
    /// The failed command's place in its batch.
    var index: Int
    /// The server's words; may contain values.
    var detail: String
    /// Whether the connection can be used no longer.
    var isConnectionLost: Bool
    /// Whether a pool gave the connection no session, so that nothing was done.
    var hasNoSession = false

    /// The failure as others see it.
    var storageError: StorageError {
        let (kind, message) = PostgreSQLErrorMapping.meaning(of: self)
        return StorageError(
            kind, message, nativeCode: state.isEmpty ? nil : "SQLSTATE \(state)", nativeDetail: detail)
    }

    /// Whether the same transaction may succeed if it is retried.
    var isTransient: Bool { state == "40001" || state == "40P01" }
    /// Whether another session held a lock for too long.
    var isLockTimeout: Bool { state == "55P03" }
    /// Whether a check written as a division found that something does not hold.
    var isFailedCheck: Bool { state == "22012" }
    var isUniqueViolation: Bool { state == "23505" }
    /// Whether the user may not write, or the server takes no writes.
    var isRefusedWrite: Bool { state == "42501" || state == "25006" }
}

/// The server's error codes as ``StorageError``s.
///
/// *Source:* https://www.postgresql.org/docs/current/errcodes-appendix.html
enum PostgreSQLErrorMapping {
    static func meaning(of failure: PostgreSQLFailure) -> (StorageError.Kind, String) {
        if failure.hasNoSession { return (.busy, noSession) }
        if failure.isConnectionLost { return connectionLost }
        switch failure.state {
        case "57014":
            return (.busy, "A statement took longer than the server allows; split the query or raise the timeout.")
        case "55P03": return (.busy, "Another transaction held a lock for too long; try again later.")
        case "53100", "53200":
            return (.full, "The server has no disk space or memory left; free some and try again.")
        case "53300", "53400":
            return (.busy, "The server accepts no more connections; use fewer or raise max_connections.")
        case "25006": return (.readOnly, "The server accepts no writes; connect to its primary.")
        case "54000", "54001", "54011", "54023":
            return (
                .limitExceeded,
                "PostgreSQL refuses something this large; values of an index have together at most some 2,600 bytes."
            )
        case "22003": return (.unrepresentable, "A sum exceeds the range of its type; sum fewer records.")
        case "42P01", "42703", "3F000", "0A000": return (.schemaMismatch, StorageError.migratedStore().message)
        // A null that the schema of this handle allows; repeating the commit at once would fail again.
        case "23502": return (.busy, StorageError.schemaChanged().message)
        case "42501":
            return (.io, "The user lacks a privilege on the store's schema; the adapter's README lists them.")
        case PostgreSQLTimeline.failure: return (.closed, PostgreSQLTimeline.message)
        case "26000", "42P05": return (.misuse, undeclaredPool)
        case "XX001", "XX002": return (.corruption, "The server reports damaged data; restore a backup.")
        default: break
        }
        switch failure.state.prefix(2) {
        case "40": return (.conflict, "The commit conflicts with concurrent commits; try again.")
        case "53", "58": return (.io, "The server's operating system refused something; see the server's log.")
        case "28": return (.io, "The server refused the login; check user, password and the server's pg_hba.conf.")
        case "3D": return (.io, "There is no such database; create it, or name another.")
        case "23", "22": return (.corruption, "The stored tables refuse what the schema allows; verify the store.")
        default:
            return (.misuse, "PostgreSQL refused a statement of the adapter; report this as a bug of Holdfast.")
        }
    }

    static let undeclaredPool = """
        The connection goes through a pool, and the configuration does not say so. Declare `pooling=transaction`, or \
        `pooling=session` if each connection keeps its session of the server, or connect to the server itself.
        """

    static let noSession = """
        The pool has no sessions left. Close snapshots and transactions sooner, or allow the pool more sessions than \
        snapshots are open at once in all processes, such as pgbouncer's default_pool_size.
        """

    static let connectionLost: (StorageError.Kind, String) = (
        .connectionLost,
        "The connection to the server was lost or cannot be opened; check that the server runs and try again."
    )
}
#endif
