import Foundation

/// A directory of a test's own, deleted with this object.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() {
        path = FileManager.default.temporaryDirectory.path + "/holdfast-test-" + UUID().uuidString
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A path in the directory.
    package func file(_ name: String = "store") -> String { path + "/" + name }
}
