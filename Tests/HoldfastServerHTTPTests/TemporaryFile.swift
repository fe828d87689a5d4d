#if Server
import Foundation

/// A file for the duration of a test.
enum TemporaryFile {
    static func use(_ text: String, _ test: (String) async throws -> Void) async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-\(UUID().uuidString)")
        try Data(text.utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        try await test(url.path)
    }
}
#endif
