#if SQLite
package import HoldfastEngine
import HoldfastSyncTestSupport

/// Edits of a device that a process makes and another counts, and that are numbered from 0.
package enum SyncScenario {
    /// How many records there are.
    package static let recordCount = 4

    /// Makes an edit: the record is created, and changed from then on.
    ///
    /// Making it a second time changes nothing.
    package static func make(_ number: Int, in store: DataStore) async throws {
        try await store.save(Note(id: id(of: number), title: title(of: number)))
    }

    /// What the records are after a number of edits, by their identifiers: the title and the number of edits.
    package static func records(after count: Int) -> [String: (title: String, editCount: Int)] {
        var records: [String: (title: String, editCount: Int)] = [:]
        for number in 0..<count {
            records[id(of: number)] = (title(of: number), (records[id(of: number)]?.editCount ?? 0) + 1)
        }
        return records
    }

    private static func id(of number: Int) -> String { "n\(number % recordCount)" }
    private static func title(of number: Int) -> String { "edit \(number)" }
}
#endif
