import HoldfastEngine
import Testing

@testable import HoldfastSync

@Suite struct SyncProblemTests {
    /// They may quote values of records.
    @Test func theServicesWordsStayApart() {
        let (type, message) = ("ValidationError", "'secret' is not a date")
        let failure = ServiceFailure.rejected(type: type, message: message)
        let id = OutgoingMutation.ID(model: "Post", key: "p", position: 1)
        let reports: [SyncReport] = [
            .model("Post", failure, retry: nil), .subscription(model: "Post", .onCreate, failure),
            .socket(failure, retry: .zero), .mutation(id, failure, retry: .zero),
            .dead(id, .rejected(type: type, message: message)),
            .mutation(id, .schemaMismatch(message: message), retry: .zero),
        ]
        for report in reports {
            let problem = SyncProblem(report)
            #expect(problem.serviceMessage == message)
            #expect(problem.errorType == (problem.kind == .schemaMismatch ? nil : type))
            for text in [problem.reason, "\(problem)", String(reflecting: problem)] {
                #expect(!text.contains("secret"))
            }
        }
    }
}
