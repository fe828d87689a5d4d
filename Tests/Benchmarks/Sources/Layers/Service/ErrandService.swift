import HoldfastEngine
import HoldfastGraphQL
import HoldfastServer
import HoldfastStorage
import HoldfastWire

/// A service in this process that keeps errands.
struct ErrandService: Sendable {
    /// The service.
    let server: SyncServer
    /// How many records it was given.
    let recordCount: Int

    /// The key that it accepts.
    static let key = "key"

    private static let fields =
        "id title content rating count isDone status listID createdAt updatedAt "
        + "__typename _version _deleted _lastChangedAt"
    private static let creation = "mutation C($input: CreateErrandInput!) { createErrand(input: $input) { \(fields) } }"
    private static let update = "mutation U($input: UpdateErrandInput!) { updateErrand(input: $input) { \(fields) } }"
    private static let sync = """
        query S($limit: Int, $nextToken: String, $lastSync: AWSTimestamp) {
          syncErrands(limit: $limit, nextToken: $nextToken, lastSync: $lastSync) {
            items { \(fields) } nextToken startedAt
          }
        }
        """
    /// A subscription to everything.
    static let subscription = "subscription U { onUpdateErrand { \(fields) } }"

    /// Opens a service on an empty store.
    static func open(_ makeAdapter: @escaping @Sendable () throws -> any StorageAdapter) async throws -> SyncServer {
        try await SyncServer.open(
            schema: [Source(Errand.serviceSchema)],
            options: ServerOptions(apiKeys: [key], strategy: .optimisticConcurrency), surroundings: .system,
            makeAdapter: makeAdapter)
    }

    /// Opens a service and creates records, each by a mutation.
    static func open(
        recordCount: Int, _ makeAdapter: @escaping @Sendable () throws -> any StorageAdapter
    ) async throws -> ErrandService {
        let service = ErrandService(server: try await open(makeAdapter), recordCount: recordCount)
        try await withThrowingTaskGroup(of: Void.self) { group in
            let taskCount = 64
            for task in 0..<taskCount {
                group.addTask {
                    for number in stride(from: task, to: recordCount, by: taskCount) {
                        _ = try await service.answer(creationBody(number))
                    }
                }
            }
            try await group.waitForAll()
        }
        return service
    }

    /// Sends a request and checks that it succeeds.
    func answer(_ body: [UInt8]) async throws -> [UInt8] {
        let response = await server.respond(to: ServerRequest(headers: ["x-api-key": Self.key], body: body))
        try Self.check(response.status, response.body)
        return response.body
    }

    /// Throws what a service complains about.
    static func check(_ status: Int, _ body: [UInt8]) throws {
        // A result begins with its data; errors come first.
        guard status == 200, body.starts(with: #"{"data":{"#.utf8) else {
            throw RawError(
                description: "the service refuses: \(status) \(String(decoding: body.prefix(500), as: UTF8.self))")
        }
    }

    /// The base query, page by page.
    ///
    /// - Parameters:
    ///   - answer: Sends a request and returns the body of its answer.
    ///   - each: Called with the body of each page, in order.
    /// - Returns: The `startedAt` of the last page.
    /// - Throws: ``RawError`` if a page does not end as expected, or what `answer` and `each` throw.
    static func pages(
        _ answer: (_ body: [UInt8]) async throws -> [UInt8], each: (_ page: [UInt8]) throws -> Void
    ) async throws -> WireValue {
        var (token, startedAt): (WireValue, WireValue) = (.null, .null)
        repeat {
            let body = try await answer(syncBody(["limit": 1_000, "nextToken": token]))
            // Only the end of the page is read, which has the members that follow the records.
            let end = String(decoding: body.suffix(4_096), as: UTF8.self)
            guard let range = end.firstRange(of: #"],"nextToken":"#),
                let rest = try? WireValue(
                    parsing: Array((#"{"nextToken":"# + end[range.upperBound...].dropLast(2)).utf8))
            else { throw RawError(description: "a page ends otherwise than expected") }
            token = rest["nextToken"] ?? .null
            startedAt = rest["startedAt"] ?? .null
            try each(body)
        } while !token.isNull
        return startedAt
    }

    static func creationBody(_ number: Int) -> [UInt8] {
        let input: WireValue = [
            "id": .string(Errands.id(number)), "title": .string("Title \(number)"),
            "content": .string("A few words of content for record \(number), with a \"quotation\" and an é in it"),
            "rating": .integer(Int64(number % 100)), "count": .integer(Int64(number)), "isDone": true, "status": "OPEN",
            "listID": .string(Errands.id(1_000_000 + number % 100)),
        ]
        return WireOperation(creation, variables: ["input": input]).body
    }

    /// A change of the title of a record that is in a version.
    static func updateBody(_ number: Int, version: Int) -> [UInt8] {
        let input: WireValue = [
            "id": .string(Errands.id(number)), "title": .string("Title \(number) after version \(version)"),
            "_version": .integer(Int64(version)),
        ]
        return WireOperation(update, variables: ["input": input]).body
    }

    static func syncBody(_ variables: JSONObject) -> [UInt8] { WireOperation(sync, variables: variables).body }
}
