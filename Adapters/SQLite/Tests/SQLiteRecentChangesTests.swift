#if SQLite
import HoldfastAdapterTestSupport
@testable import HoldfastSQLite
import HoldfastStorage
import Testing

@Suite struct SQLiteRecentChangesTests {
    func request(_ entities: String...) -> CommitRequest {
        CommitRequest(operations: entities.map { .clear(entity: $0) })
    }

    @Test func ownCommitsAreRecordedByEntity() {
        var changes = SQLiteRecentChanges()
        changes.begin(at: 5)
        changes.note(request("A"), 6)
        changes.note(request("B", "C"), 7)
        changes.begin(at: 7)
        #expect(!changes.isUntouched("A", since: 5) && changes.isUntouched("A", since: 6))
        #expect(!changes.isUntouched("C", since: 6) && changes.isUntouched("C", since: 7))
        #expect(changes.isUntouched("D", since: 5))
    }

    @Test func changesBeforeTheFirstCommitAreUnknown() {
        var changes = SQLiteRecentChanges()
        #expect(!changes.isUntouched("A", since: 100))
        changes.begin(at: 5)
        #expect(!changes.isUntouched("A", since: 4) && changes.isUntouched("A", since: 5))
    }

    @Test func changesOfAnotherHandleAreUnknown() {
        var changes = SQLiteRecentChanges()
        changes.begin(at: 5)
        changes.note(request("A"), 6)
        changes.begin(at: 8)
        #expect(!changes.isUntouched("B", since: 6) && !changes.isUntouched("B", since: 7))
        #expect(changes.isUntouched("B", since: 8))
    }

    /// Each handle makes what the other has read untrue.
    @Test func handlesNoticeEachOther() async throws {
        let directory = TemporaryDirectory()
        let one = try await Store.open(directory.file(), note)
        let two = try await Store.open(directory.file(), note)
        for round in 0..<4 {
            let since = try await one.put("Note", [noteRow("one \(round)")]).sequence
            let unchanged = Precondition.unchanged(KeyRange("Note"), since: since)
            let isForeign = round.isMultiple(of: 2)
            if isForeign { try await two.put("Note", [noteRow("two \(round)")]) }
            let error = await storageError { try await one.put("Note", [noteRow("x")], [unchanged]) }
            #expect((error?.kind == .preconditionFailed) == isForeign && (error == nil) != isForeign, "round \(round)")
        }
        try await one.close()
        try await two.close()
    }
}
#endif
