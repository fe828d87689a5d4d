#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension LMDBEnvironment {
    /// Whether no file in the directory can grow; tried with a file that is gone afterwards.
    func isDiskFull() -> Bool {
        let name = path + "/room"
        let file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        if file < 0 { return Self.isShortage(errno) }
        defer {
            close(file)
            unlink(name)
        }
        let bytes = [UInt8](repeating: 1, count: 64 << 10)
        let count = write(file, bytes, bytes.count)
        return count < 0 ? Self.isShortage(errno) : count < bytes.count
    }

    private static func isShortage(_ code: Int32) -> Bool { code == ENOSPC || code == EDQUOT }
}
