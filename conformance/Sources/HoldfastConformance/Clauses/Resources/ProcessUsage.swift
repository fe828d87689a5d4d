import Foundation

/// What this process holds of the system's resources.
enum ProcessUsage {
    /// Open file descriptors; `nil` where the system does not report them.
    static var descriptorCount: Int? {
        #if canImport(Darwin)
        let folder = "/dev/fd"
        #else
        let folder = "/proc/self/fd"
        #endif
        return try? FileManager.default.contentsOfDirectory(atPath: folder).count
    }

    /// Bytes of memory that were allocated and are in use; `nil` where the system does not report them.
    ///
    /// Without what was freed, and without pages of files that are mapped, which the system drops when it needs them.
    static var allocatedByteCount: Int? {
        _ = giveBack?(0)
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("RssAnon:") }),
            let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        return kilobytes << 10
    }

    /// Threads; `nil` where the system does not report them.
    static var threadCount: Int? {
        try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    }

    /// The C library's `malloc_trim`, which gives what was freed back to the system; `nil` where there is none.
    ///
    /// Without it memory that an earlier check has freed would hide what a later one takes.
    private static let giveBack: (@convention(c) (Int) -> Int32)? = {
        guard let address = dlsym(nil, "malloc_trim") else { return nil }
        return unsafeBitCast(address, to: (@convention(c) (Int) -> Int32).self)
    }()
}
