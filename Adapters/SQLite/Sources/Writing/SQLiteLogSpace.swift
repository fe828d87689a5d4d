#if SQLite
internal import HoldfastStorage

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Room at the end of the write-ahead log for the commits to come.
///
/// A commit that makes the log longer is durable only when the file system has written the new length, too, which takes
/// as long as the commit itself, and ten times as long on a busy disk. So the log is made longer beforehand, with zeros
/// that commits write over. SQLite takes no frame of zeros for one of its own, since each frame names its page and
/// has a checksum: <https://www.sqlite.org/fileformat2.html#the_write_ahead_log>.
///
/// Space that is only reserved would not do: to mark it as written is a change that has to be written as well.
struct SQLiteLogSpace {
    private let path: String
    private let frameByteCount: Int
    /// Up to where the log needs no more room, as far as is known.
    private var end = 0

    /// Frames that a log has before it gets room: one that stays shorter is left alone.
    private static let leastFrameCount = 32
    private static let frameHeaderByteCount = 24
    private static let stepByteCount = 1 << 20

    /// Creates the space of a log.
    ///
    /// - Parameters:
    ///   - path: The path of the database.
    ///   - pageByteCount: The size of its pages.
    init(path: String, pageByteCount: Int) {
        self.path = path + "-wal"
        frameByteCount = pageByteCount + Self.frameHeaderByteCount
    }

    /// Makes the log longer if the next commits might.
    ///
    /// The caller holds the lock of writers: without it another process could write a frame where the zeros go. Where
    /// the disk is full, the log stays as it is, and the next commit says so.
    ///
    /// - Parameter frameCount: The frames in the log.
    mutating func extend(frameCount: Int) {
        let used = frameCount * frameByteCount
        guard frameCount >= Self.leastFrameCount, used + Self.stepByteCount / 16 > end else { return }
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        if descriptor < 0 { return }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return }
        end = Int(status.st_size)
        if end >= used + Self.stepByteCount { return }
        let zeros = [UInt8](repeating: 0, count: Self.stepByteCount)
        _ = zeros.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(end)) }
        // After a failure it is tried again once the log is as much longer.
        end += Self.stepByteCount
    }
}
#endif
