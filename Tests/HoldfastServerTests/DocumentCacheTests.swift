import HoldfastWire
import Testing

@testable import HoldfastServer

@Suite struct DocumentCacheTests {
    /// Each operation may use all fragments, so that a short document can select very much.
    @Test func fewSelectionsOfADocumentAreKept() async throws {
        let test = try await TestServer.open("type Post @model @auth(rules: [{ allow: public }]) { title: String }")
        let names = (0..<200).map { "a\($0): id" }.joined(separator: " ")
        let operations = (0..<40).map { "mutation M\($0) { createPost(input: { id: \($0) }) { ...F } }" }
        let document = operations.joined(separator: " ") + " fragment F on Post { \(names) }"
        for index in 0..<40 {
            let body: WireValue = ["query": .string(document), "operationName": .string("M\(index)")]
            let response = await test.server.respond(to: ServerRequest(headers: ["x-api-key": "key"], body: body.bytes))
            #expect(try WireValue(parsing: response.body).at("data.createPost.a199") == .string("\(index)"))
        }
        let checked = try test.server.gate.service.documents.document(document)
        let kept = (0..<40).filter { checked.selection(for: .init(operation: "M\($0)", field: "createPost")) != nil }
        #expect(!kept.isEmpty && kept.count * 200 < document.utf8.count)
    }
}
