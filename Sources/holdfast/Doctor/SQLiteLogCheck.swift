#if CLI
import Foundation

/// The write-ahead log of a SQLite store, from the bytes of its file.
struct SQLiteLogCheck {
    private let path: String
    private let usesLog: Bool

    /// Reads the header of a file; `nil` if there is no file or nothing in it.
    init?(path: String) {
        guard let file = FileHandle(forReadingAtPath: path), let header = try? file.read(upToCount: 20),
            !header.isEmpty
        else { return nil }
        self.path = path
        // *Source:* https://www.sqlite.org/fileformat2.html, 1.3.3: 2 for a write-ahead log, 1 for a rollback journal.
        usesLog = header.count == 20 && header[18] == 2 && header[19] == 2
    }

    /// A log of this size was not written back for long.
    private static let large = 256 << 20

    var finding: Finding {
        guard usesLog else {
            return .warning(
                "wal", "The file is not in WAL mode, so that readers and writers wait for each other.",
                fix: "Open it with Holdfast for writing, which turns the mode on, and leave the journal mode alone.")
        }
        let log = path + "-wal"
        let size = ((try? FileManager.default.attributesOfItem(atPath: log))?[.size] as? NSNumber)?.intValue ?? 0
        guard size >= Self.large else { return .ok("wal", "WAL mode, log of \(DiskCheck.size(size))") }
        return .warning(
            "wal", "The log has \(DiskCheck.size(size)): a reader keeps SQLite from writing it back.",
            fix: "Close snapshots and other programs that have the file open; the log shrinks after the next commits.")
    }
}
#endif
