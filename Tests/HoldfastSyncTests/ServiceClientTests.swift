import HoldfastEngine
import HoldfastStorage
import HoldfastSyncTestSupport
import Testing

@testable import HoldfastSync

/// What answers of a service mean.
@Suite struct ServiceClientTests {
    private let model: SyncedModel

    init() throws {
        model = try SyncedModel(Note.schema, among: ["Note": Note.schema, "Remark": Remark.schema])
    }

    /// A client whose requests are answered with these bodies in turn; each of them is the one member of `data`.
    private func client(_ answers: String...) -> ServiceClient {
        ServiceClient(transport: ScriptedTransport(answers), authorization: Device.key)
    }

    static func note(_ members: String) -> String {
        #"{"id":"n","_version":2,"_lastChangedAt":7,\#(members)}"#
    }

    // MARK: - Pages

    @Test(arguments: [
        (note(#""title":null"#), false), (#"{"title":"t","_version":2,"_lastChangedAt":7}"#, true),
        (#"{"id":"n","title":null}"#, true),
    ])
    func onlyWhatHasNoKeyOrVersionMayBeMissing(item: String, isMissing: Bool) async throws {
        let client = client(#"{"data":{"syncNotes":{"items":[\#(item)],"nextToken":null,"startedAt":9}}}"#)
        let request = FetchRequest(model: "Note", since: nil, token: nil, limit: 10, isFiltered: false, mode: 0)
        let page = try await client.page(request, of: model, in: SyncScope()).get()
        #expect(page.hasFaults && page.hasErrors == isMissing)
        #expect(page.parts.flatMap(\.faults).count == 1)
    }
}

/// Gives answers in turn.
private final class ScriptedTransport: SyncTransport {
    private let answers: Mutex<[String]>

    init(_ answers: [String]) { self.answers = Mutex(answers) }

    func send(_ request: WireRequest) async throws(TransportError) -> WireResponse {
        let answer = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let answer else { throw TransportError(.unsent, "nothing is left to be answered") }
        return WireResponse(status: 200, body: Array(answer.utf8))
    }

    func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket {
        throw TransportError(.unsent, "no sockets here")
    }
}
