import Foundation

/// A directory for the stores of one run; removed at its end.
struct ScratchDirectory: Sendable {
    private let root: URL

    /// Creates an empty directory where `TMPDIR` points.
    init() throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    /// Where it is.
    var path: String { root.path }

    /// A new, empty directory below.
    func make() throws -> String {
        let url = root.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url.path
    }

    /// Removes one directory made here.
    func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

    /// Removes everything.
    func removeAll() { try? FileManager.default.removeItem(at: root) }
}
