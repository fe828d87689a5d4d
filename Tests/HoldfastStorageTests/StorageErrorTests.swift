import Foundation
import HoldfastStorage
import Testing

struct StorageErrorTests {
    private func errorsPage() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "docs/errors.md"), encoding: .utf8)
    }

    @Test func everyKindIsExplainedInTheErrorsPageInOrder() throws {
        let headings = try errorsPage().split(separator: "\n").filter { $0.hasPrefix("## storage.") }.map {
            $0.dropFirst(3)
        }
        #expect(headings.map(String.init) == StorageError.Kind.allCases.map(\.rawValue))
    }

    @Test(arguments: StorageError.Kind.allCases)
    func adviceOfTheErrorsPageIsTheUsualRetry(_ kind: StorageError.Kind) throws {
        let row = try #require(try errorsPage().split(separator: "\n").first { $0.hasPrefix("| [`\(kind.rawValue)`]") })
        let words: [StorageError.Retry: String] = [
            .never: "never", .immediately: "immediately", .afterBackoff: "after a pause",
        ]
        #expect(row.hasSuffix("| \(words[StorageError(kind, "").retry] ?? "") |"))
    }

    @Test func kindsAreDistinctAndCarryTheirPrefix() {
        #expect(Set(StorageError.Kind.allCases).count == StorageError.Kind.allCases.count)
        #expect(StorageError.Kind.allCases.allSatisfy { $0.rawValue.hasPrefix("storage.") })
    }

    @Test func descriptionHidesTheDriversWords() {
        let error = StorageError(
            .io, "The disk refused.", position: .operation(3), nativeCode: "SQLITE_IOERR (10)",
            nativeDetail: "secret value")
        #expect(error.description == "storage.io: The disk refused. [SQLITE_IOERR (10)]")
        #expect("\(error)" == error.description)
        #expect(!error.description.contains("secret"))
        #expect(error.debugDescription.contains("secret value"))
        #expect(error.debugDescription.contains("operation(3)"))
    }

    @Test func equalityIsOfKindStateAndPosition() {
        let error = StorageError(.io, "a", retry: .immediately, nativeCode: "1")
        #expect(error == StorageError(.io, "b"))
        #expect(error != StorageError(.full, "a"))
        #expect(error != StorageError(.io, "a", transaction: .rolledBack))
        #expect(error != StorageError(.io, "a", position: .precondition(0)))
        #expect(StorageError(.io, "", position: .operation(0)) != StorageError(.io, "", position: .precondition(0)))
    }

    @Test func retryAdviceFollowsTheKindUnlessGiven() {
        #expect(StorageError(.conflict, "").retry == .immediately)
        #expect(StorageError(.full, "").retry == .afterBackoff)
        #expect(StorageError(.unrepresentable, "").retry == .never)
        #expect(StorageError(.full, "", retry: .never).retry == .never)
    }
}
