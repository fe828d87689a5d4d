package import HoldfastStorage

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

extension StorageError {
    /// What a call of the operating system failed with.
    ///
    /// - Parameters:
    ///   - message: What cannot be done, without a period.
    ///   - code: The `errno` of the call.
    /// - Returns: An error `.full`, `.readOnly`, or else `.io`, with the system's words.
    package static func system(_ message: String, _ code: Int32) -> StorageError {
        let kind: Kind =
            switch code {
            case ENOSPC, EDQUOT: .full
            case EROFS: .readOnly
            default: .io
            }
        return StorageError(kind, "\(message): \(String(cString: strerror(code))).", nativeCode: "errno \(code)")
    }
}
