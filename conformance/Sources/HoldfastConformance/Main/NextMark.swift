import Foundation

/// The clause that was broken when `next` ran last, kept in a file beside the executable.
struct NextMark {
    private let file: URL

    /// Finds the mark of an adapter.
    ///
    /// - Parameters:
    ///   - executable: The program of the run.
    ///   - adapter: The name of the adapter.
    init(executable: String, adapter: String) {
        file = URL(fileURLWithPath: "\(executable).\(adapter).next")
    }

    /// The clause's id; `nil` if nothing was broken.
    var clause: String? { try? String(contentsOf: file, encoding: .utf8) }

    /// Remembers a clause, or that none is broken.
    ///
    /// Where the file cannot be written, the next run begins at the first clause.
    func remember(_ clause: String?) {
        guard let clause else {
            try? FileManager.default.removeItem(at: file)
            return
        }
        try? Data(clause.utf8).write(to: file)
    }
}
