#if LevelDB
internal import CLevelDB
internal import HoldfastStorage

/// What LevelDB's words mean: its C API has no codes.
enum LevelDBErrorMapping {
    /// The error for a message, which is freed; `nil` if there is none.
    static func take(_ message: UnsafeMutablePointer<CChar>?) -> StorageError? {
        guard let message else { return nil }
        defer { leveldb_free(message) }
        return error(String(cString: message))
    }

    /// Another process has the store open.
    static func locked(_ detail: String) -> StorageError {
        StorageError(
            .locked, "Another process has the store open; LevelDB allows one.", nativeCode: "IO error",
            nativeDetail: detail)
    }

    /// The error for a message such as `IO error: /a/LOCK: Resource temporarily unavailable`.
    static func error(_ message: String) -> StorageError {
        let code = message.prefix { $0 != ":" }
        let kind: StorageError.Kind
        let text: String
        switch code {
        // A place beyond the end of a file that LevelDB has mapped is an invalid argument.
        case "Corruption",
            "IO error" where message.hasSuffix(".ldb: Invalid argument"):
            kind = .corruption
            text = "Stored data is damaged; restore the store from a copy, or repair it."
        case "IO error" where message.hasPrefix("IO error: lock "):
            return locked(message)
        case "IO error" where message.hasSuffix("No space left on device") || message.hasSuffix("quota exceeded"):
            kind = .full
            text = "No space is left for the store; free some and open it again."
        case "IO error" where message.hasSuffix("Read-only file system"):
            kind = .readOnly
            text = "The file system can only be read; LevelDB needs to write to open a store."
        default:
            kind = .io
            text = "LevelDB could not read or write its files; check the disk and the permissions."
        }
        return StorageError(kind, text, nativeCode: String(code), nativeDetail: message)
    }
}
#endif
