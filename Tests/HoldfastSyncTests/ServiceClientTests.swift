import HoldfastEngine
import HoldfastInMemory
import HoldfastModel
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

    /// A client whose requests are answered with these bodies in turn.
    private func client(_ answers: String...) -> ServiceClient {
        ServiceClient(transport: ScriptedTransport(answers), authorization: Device.key)
    }

    static func note(_ members: String, version: Int = 2) -> String {
        #"{"id":"n","_version":\#(version),"_lastChangedAt":7,\#(members)}"#
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
        #expect(page.lacksOnlyRequiredValues)
        #expect(page.parts.flatMap(\.faults).count == 1)
    }

    /// Only what is missing because of the user's rights is not asked for again.
    @Test(
        arguments: [
            (#""path":["syncNotes","items",1,"body"],"errorType":"Unauthorized""#, false, false),
            (#""path":["syncNotes","items",1,"body"],"errorType":"InternalFailure""#, false, true),
            (#""path":["syncNotes","items",1],"errorType":"Unauthorized""#, true, false),
            (#""path":["syncNotes","items",2,"body"],"errorType":"Unauthorized""#, true, false),
            (#""path":["syncNotes","items"],"errorType":"Unauthorized""#, true, false),
            (#""path":["syncNotes","nextToken"],"errorType":"Unauthorized""#, true, false),
            (#""path":["syncNotes"],"errorType":"InternalFailure""#, true, true),
            (#""path":null,"errorType":"InternalFailure""#, true, true),
        ] as [(String, Bool, Bool)])
    func anErrorInsideARecordHidesNoRecord(error: String, mayLackRecords: Bool, hasFaults: Bool) async throws {
        let page = try await page(
            items: [Self.note(#""title":"t""#), Self.note(#""title":"t","body":null"#)],
            errors: #"{"message":"no",\#(error)}"#)
        #expect(page.hasErrors == mayLackRecords && page.hasFaults == hasFaults)
        #expect(page.count == 2 && page.parts.flatMap(\.records).count == 2)
    }

    /// A record that was written to the table itself, or before a field was required; another one may be missing
    /// beside it.
    @Test(arguments: [
        (#""path":["syncNotes","items",1,"_version"]"#, true), (#""path":["syncNotes","items",0,"_version"]"#, false),
        (#""path":["syncNotes","items",1,"title"]"#, true), (#""path":["syncNotes","items",2,"_version"]"#, false),
        (#""path":["syncNotes","items",1,"parent","id"]"#, true), (#""path":["syncNotes","items",1]"#, false),
        (#""path":["syncNotes","items",1,"_version"],"errorType":"InternalFailure""#, false),
    ])
    func aRecordThatBreaksTheSchemaIsMissingForEveryQuery(error: String, isOnlyOne: Bool) async throws {
        let null = #"{"message":"\#(Self.nullMessage)",\#(error)}"#
        let items = [Self.note(#""title":"t""#), "null"]
        let page = try await page(items: items, errors: null)
        #expect(page.hasErrors && page.hasFaults && page.lacksOnlyInvalid == isOnlyOne)
        #expect(!page.lacksOnlyRequiredValues)
        // What a part of it lacks may be there the next time, or never be for this user.
        for (errorType, isPermanent) in [("DynamoDB:ThrottlingException", false), ("Unauthorized", true)] {
            let other = #"{"message":"no","path":["syncNotes","items",1,"parent"],"errorType":"\#(errorType)"}"#
            let page = try await self.page(items: items, errors: null + "," + other)
            #expect(page.lacksOnlyInvalid == (isOnlyOne && isPermanent))
        }
    }

    private static let nullMessage = "Cannot return null for non-nullable type: 'Int' within parent 'Note'"

    /// The list of errors need not name them all.
    @Test func aRecordThatIsNullIsMissingAlsoIfNoErrorSaysSo() async throws {
        let page = try await page(
            items: [Self.note(#""title":"t""#), "null"],
            errors: #"{"message":"no","path":["syncNotes","items",0,"body"],"errorType":"Unauthorized"}"#)
        #expect(page.hasErrors && page.parts.flatMap(\.records).count == 1)
    }

    /// A page that comes with errors.
    private func page(items: [String], errors: String) async throws -> FetchedPage<SyncContent> {
        let list = items.joined(separator: ",")
        let data = #"{"syncNotes":{"items":[\#(list)],"nextToken":null,"startedAt":9}}"#
        let request = FetchRequest(model: "Note", since: nil, token: nil, limit: 10, isFiltered: false, mode: 0)
        return try await client(#"{"data":\#(data),"errors":[\#(errors)]}"#).page(request, of: model, in: SyncScope())
            .get()
    }

    // MARK: - Mutations

    /// What the store sends after a change.
    private func outgoing(_ change: (DataStore) async throws -> Void) async throws -> OutgoingMutation {
        let store = try await DataStore.open(InMemoryAdapter(), models: [Note.self, Remark.self])
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let known = RemoteRecord(
            key: RecordKey("n"), row: [.text("n"), .text("old"), .null, .null], version: 1, lastChangedAt: 1)
        _ = try await store.apply(RemoteBatch(model: "Note", records: [known]), fence)
        try await change(store)
        let taken = try await store.take(1, fence)
        try await store.close()
        return try #require(taken.first)
    }

    /// The service stores the sort fields of an index as one, and wants all of them with each.
    @Test func theOtherSortFieldsOfAnIndexAreSentAsTheyAre() async throws {
        let store = try await DataStore.open(InMemoryAdapter(), models: [Score.self])
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let known = RemoteRecord(
            key: RecordKey("s"), row: [.text("s"), .text("t"), .integer(2024), .integer(1)], version: 1,
            lastChangedAt: 1)
        _ = try await store.apply(RemoteBatch(model: "Score", records: [known]), fence)
        try await store.save(Score(id: "s", team: "t", year: 2024, rank: 3))
        let change = try #require(try await store.take(1, fence).first)
        let transport = ScriptedTransport([])
        _ = await ServiceClient(transport: transport, authorization: Device.key).mutate(
            change, of: try SyncedModel(Score.schema, among: ["Score": Score.schema]), in: SyncScope(), mode: 0)
        let body = try #require(transport.bodies.withLock { $0.first })
        #expect(body.contains(#"{"id":"s","year":2024,"rank":3,"_version":1}"#), "\(body)")
        try await store.close()
    }

    /// Another version of the application has set a field to null that this one requires.
    @Test func aChangeThatWasCarriedOutIsConfirmedAlsoIfItsRecordCannotBeRead() async throws {
        let change = try await outgoing { try await $0.save(Note(id: "n", title: "old", rating: 3)) }
        let unreadable = Self.note(#""title":null,"rating":3"#)
        let result = await client(#"{"data":{"updateNote":\#(unreadable)}}"#).mutate(
            change, of: model, in: SyncScope(), mode: 0)
        guard case .confirmed(let content) = result else {
            Issue.record("It was carried out: \(result)")
            return
        }
        #expect(content.records.isEmpty && content.faults.map(\.version) == [2])
        // A deletion that is answered by a record was not.
        let deletion = try await outgoing { try await $0.delete(Note.self, withId: "n") }
        let refused = await client(#"{"data":{"deleteNote":\#(unreadable)}}"#).mutate(
            deletion, of: model, in: SyncScope(), mode: 0)
        guard case .failed(.rejected) = refused else {
            Issue.record("It was not carried out: \(refused)")
            return
        }
    }

    /// What another device has made of the record since is not what this mutation has.
    @Test(arguments: [2, 3]) func aPartialAnswerIsCompletedByItsOwnVersion(version: Int) async throws {
        let change = try await outgoing { try await $0.save(Note(id: "n", title: "old", rating: 3)) }
        let (gap, whole) = (Self.note(#""title":"old""#), Self.note(#""title":"old","rating":9"#, version: version))
        let errors = #"[{"message":"Not Authorized","path":["updateNote","rating"]}]"#
        let answer = await client(
            #"{"data":{"updateNote":\#(gap)},"errors":\#(errors)}"#, #"{"data":{"getNote":\#(whole)}}"#
        ).mutate(change, of: model, in: SyncScope(), mode: 0)
        switch answer {
        case .confirmed(let content): #expect(version == 2 && content.records.first?.version == 2)
        case .failed(let failure): #expect(version == 3 && failure == .unknown(retryAfter: nil))
        default: Issue.record("It was carried out: \(answer)")
        }
    }

    /// The service has merged a change of version 1 with what another device has made of the record.
    @Test(arguments: [1, 2, 3])
    func aPartialAnswerWithoutARecordIsCompletedByAnyLaterVersion(version: Int) async throws {
        let change = try await outgoing { try await $0.save(Note(id: "n", title: "old", rating: 3)) }
        let whole = Self.note(#""title":"old","rating":9"#, version: version)
        let errors = #"[{"message":"Not Authorized","path":["updateNote","remarks","items"]}]"#
        let answer = await client(
            #"{"data":{"updateNote":null},"errors":\#(errors)}"#, #"{"data":{"getNote":\#(whole)}}"#
        ).mutate(change, of: model, in: SyncScope(), mode: 0)
        switch answer {
        case .confirmed(let content): #expect(version > 1 && content.records.first?.version == Int64(version))
        case .failed(let failure): #expect(version == 1 && failure == .unknown(retryAfter: nil))
        default: Issue.record("It was carried out: \(answer)")
        }
    }

    /// A required parent of the record was purged.
    @Test func aDeletionThatWasCarriedOutIsDoneAlsoIfItsRecordCannotBeRead() async throws {
        let deletion = try await outgoing { try await $0.delete(Note.self, withId: "n") }
        func answer(_ path: String) async -> MutationAnswer<SyncContent> {
            let errors = #"[{"message":"Cannot return null for non-nullable field","path":[\#(path)]}]"#
            return await client(
                #"{"data":{"deleteNote":null},"errors":\#(errors)}"#,
                #"{"data":{"getNote":null},"errors":\#(errors)}"#
            ).mutate(deletion, of: model, in: SyncScope(), mode: 0)
        }
        guard case .deleted = await answer(#""deleteNote","parent""#) else {
            Issue.record("It was carried out.")
            return
        }
        guard case .failed(.rejected) = await answer(#""deleteNote""#) else {
            Issue.record("It was refused.")
            return
        }
    }

    /// The service has appended the list to the one that was there, and would do so again.
    @Test(arguments: [
        (#""title":"t","tags":["a","a","b"]"#, 3, true), (#""title":"u","tags":["a","a","b"]"#, 3, true),
        // It was not carried out, or not as far as can be seen.
        (#""title":"t","tags":["a"]"#, 3, false), (#""title":"t","tags":["a","a","b"]"#, 2, false),
        // Others have changed one of the fields, too.
        (#""title":"t","tags":["a","c","a","b"]"#, 3, false), (#""title":"x","tags":["a","a","b"]"#, 3, false),
    ])
    func anUpdateThatWasMergedWithoutAnAnswerGoesOnTopOfTheMerge(
        members: String, version: Int, isMerged: Bool
    ) async throws {
        try await expectMerge(of: [.text("a")], members, version: version, isMerged)
    }

    /// Nothing and a list make that list, which would be appended again.
    @Test(arguments: [#""title":"t""#, #""title":"x""#])
    func anUpdateOfAnEmptyListThatWasMergedWithoutAnAnswerGoesOnTopOfTheMerge(title: String) async throws {
        try await expectMerge(of: [], "\(title),\"tags\":[\"a\",\"b\"]", version: 3, title.contains("\"t\""))
    }

    /// Models have an `AWSJSON` as text, of which the service joins the members.
    @Test(arguments: [
        (#"{\"n\":0,\"m\":9}"#, true), (#"{\"n\":0}"#, false), (#"{\"n\":0,\"m\":9,\"o\":5}"#, false),
    ])
    func anUpdateOfJSONThatWasMergedWithoutAnAnswerGoesOnTopOfTheMerge(title: String, isMerged: Bool) async throws {
        try await expectMerge(
            of: [.text("a"), .text("b")], from: #"{"n":0}"#, to: #"{"m":9}"#,
            #""title":"\#(title)","tags":["a","b"]"#, version: 3, isMerged)
    }

    private func expectMerge(
        of tags: [Value], from old: String = "t", to new: String = "u", _ members: String, version: Int,
        _ isMerged: Bool
    ) async throws {
        let store = try await DataStore.open(InMemoryAdapter(), models: [Topic.self])
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let known = RemoteRecord(
            key: RecordKey("n"), row: [.text("n"), .text(old), .list(tags)], version: 1, lastChangedAt: 1)
        _ = try await store.apply(RemoteBatch(model: "Topic", records: [known]), fence)
        try await store.save(Topic(id: "n", title: new, tags: ["a", "b"]))
        let change = try #require(try await store.take(1, fence).first)
        let found = Self.note(members, version: version)
        let answer = await client(#"{"data":{"getTopic":\#(found)}}"#).check(
            change, of: try SyncedModel(Topic.schema, among: ["Topic": Topic.schema]), in: SyncScope(), mode: 0)
        guard case .found(let record, let findings) = answer else {
            Issue.record("There is no record: \(answer)")
            return
        }
        #expect(findings == (isMerged ? [.isAboveBase, .isMerged] : .isAboveBase))
        if isMerged {
            let remote = try #require(record.content.records.first)
            _ = try await store.settle([.accepted(change.id, remote)], fence)
            let again = try #require(try await store.take(1, fence).first)
            #expect(again.version == 3 && again.row == [.text("n"), .text(new), .list([.text("a"), .text("b")])])
        }
        try await store.close()
    }

    /// A service that was restored, or has purged the record, gives out versions from 1 on again.
    @Test(arguments: [(1, 1, false), (1, 7, true), (2, 7, false)])
    func aRecordOfTheSameVersionFromAnotherTimeIsAnotherOne(
        version: Int, lastChangedAt: Int, isOther: Bool
    ) async throws {
        let change = try await outgoing { try await $0.save(Note(id: "n", title: "new", rating: 3)) }
        let note = #"{"id":"n","_version":\#(version),"_lastChangedAt":\#(lastChangedAt),"title":"other"}"#
        let answer = await client(#"{"data":{"getNote":\#(note)}}"#).check(
            change, of: model, in: SyncScope(), mode: 0)
        var expected: CheckFindings = version > 1 ? .isAboveBase : []
        if isOther { expected.insert(.isOtherLife) }
        guard case .found(_, expected) = answer else {
            Issue.record("It is judged in another way: \(answer)")
            return
        }
        let deletion = try await outgoing { try await $0.delete(Note.self, withId: "n") }
        let looked = await client(#"{"data":{"getNote":\#(note)}}"#).check(
            deletion, of: model, in: SyncScope(), mode: 0)
        guard case .found(_, let findings) = looked else {
            Issue.record("There is no record: \(looked)")
            return
        }
        // A deletion sends no values, which every record has.
        #expect(findings == expected.union(.equalsSent))
    }

    @Test(
        arguments: [
            (401, "UnauthorizedException", "Token has expired.", .unauthenticated),
            (401, "UnauthorizedException", "Permission denied", .unauthorized(isSignedOut: false)),
            (403, "UnrecognizedClientException", "The security token is invalid.", .unauthenticated),
            (403, "com.amazonaws#ExpiredTokenException", "", .unauthenticated),
            (403, "WAFForbiddenException", "403 Forbidden", .unknown(retryAfter: nil)),
            (200, "Unauthorized", "Not Authorized to access createNote", .unauthorized(isSignedOut: false)),
            // A service that is too busy is not asked for more in the meantime.
            (429, "TooManyRequestsException", "", .unknown(retryAfter: .zero)),
            (200, "DynamoDB:ProvisionedThroughputExceededException", "", .unknown(retryAfter: .zero)),
            (503, "ServiceUnavailableException", "", .unknown(retryAfter: nil)),
            (200, "InternalFailure", "", .unknown(retryAfter: nil)),
        ] as [(Int, String, String, ServiceFailure)])
    func whoAsksAndWhatIsAskedForAreRefusedApart(
        status: Int, type: String, message: String, failure: ServiceFailure
    ) async throws {
        let change = try await outgoing { try await $0.save(Note(id: "new", title: "t")) }
        let body = #"{"data":null,"errors":[{"errorType":"\#(type)","message":"\#(message)"}]}"#
        let client = ServiceClient(
            transport: ScriptedTransport([body], status: status), authorization: Device.key)
        let answer = await client.mutate(change, of: model, in: SyncScope(), mode: 0)
        guard case .failed(let answered) = answer else {
            Issue.record("It was not carried out: \(answer)")
            return
        }
        #expect(answered == failure)
    }

    /// A service that is older than the application.
    @Test(arguments: [200, 400]) func whatTheSchemaLacksIsNotRefused(status: Int) async throws {
        let undefined = "Validation error of type FieldUndefined: Field 'rating' in type 'Note' is undefined"
        let others = #"{"message":"Validation error of type SubSelectionRequired: s","path":null}"#
        let body = #"{"data":null,"errors":[\#(others),{"message":"\#(undefined)","path":null,"errorType":null}]}"#
        let change = try await outgoing { try await $0.save(Note(id: "new", title: "t")) }
        let client = ServiceClient(
            transport: ScriptedTransport([body, body, body], status: status), authorization: Device.key)
        let failure = ServiceFailure.schemaMismatch(message: undefined)
        let answer = await client.mutate(change, of: model, in: SyncScope(), mode: 0)
        guard case .failed(failure) = answer else {
            Issue.record("It waits for the service: \(answer)")
            return
        }
        let found = await client.check(change, of: model, in: SyncScope(), mode: 0)
        guard case .failed(failure) = found else {
            Issue.record("It waits for the service: \(found)")
            return
        }
        let request = FetchRequest(model: "Note", since: nil, token: nil, limit: 10, isFiltered: false, mode: 0)
        let page = await client.page(request, of: model, in: SyncScope())
        #expect(throws: failure) { try page.get() }
    }

    @Test(arguments: [
        "Variable 'title' has coerced Null value for NonNull type 'String!'",
        "Variable 'rating' has an invalid value: expected an Int of 32 bits.",
    ])
    func aValueThatTheSchemaDoesNotAllowIsRefused(message: String) async throws {
        let change = try await outgoing { try await $0.save(Note(id: "new", title: "t")) }
        let answer = await client(#"{"data":null,"errors":[{"message":"\#(message)","path":null}]}"#).mutate(
            change, of: model, in: SyncScope(), mode: 0)
        guard case .failed(.rejected) = answer else {
            Issue.record("It can never be carried out: \(answer)")
            return
        }
    }

    @Test func aConditionIsSentHoweverDeepItIs() async throws {
        var change = try await outgoing { try await $0.save(Note(id: "n", title: "old", rating: 3)) }
        let innermost = #"{"title":{"ne":"x"}}"#
        var condition = innermost
        for _ in 0..<100 { condition = #"{"and":[{"or":[\#(condition)]}]}"# }
        change.condition = condition
        let transport = ScriptedTransport([#"{"data":{"updateNote":null}}"#])
        let client = ServiceClient(transport: transport, authorization: Device.key)
        _ = await client.mutate(change, of: model, in: SyncScope(), mode: 0)
        #expect(transport.bodies.withLock { $0 }.first?.contains(innermost) == true)
        // Without its condition it would be made in any case.
        change.condition = "{"
        let refused = await client.mutate(change, of: model, in: SyncScope(), mode: 0)
        guard case .failed(.rejected) = refused else {
            Issue.record("It must not be sent: \(refused)")
            return
        }
        #expect(transport.bodies.withLock { $0.count } == 1)
    }
}

/// A model with an index of several sort fields.
private struct Score: Model {
    let id: String
    var team: String
    var year: Int
    var rank: Int

    enum CodingKeys: String, ModelKey { case id, team, year, rank }
    static let keys = CodingKeys.self

    static let schema = defineSchema { model in
        model.pluralName = "Scores"
        model.attributes(
            .primaryKey(fields: [keys.id]), .index(fields: ["team", "year", "rank"], name: "byTeam"))
        model.fields(
            .field(keys.id), .field(keys.team), .field(keys.year, ofType: .int), .field(keys.rank, ofType: .int))
    }
}

/// A model with a list.
private struct Topic: Model {
    let id: String
    var title: String
    var tags: [String]?

    enum CodingKeys: String, ModelKey { case id, title, tags }
    static let keys = CodingKeys.self

    static let schema = defineSchema { model in
        model.pluralName = "Topics"
        model.attributes(.primaryKey(fields: [keys.id]))
        model.fields(
            .field(keys.id), .field(keys.title),
            .field(keys.tags, is: .optional, ofType: .embeddedCollection(of: String.self)))
    }
}

/// Gives answers in turn.
private final class ScriptedTransport: SyncTransport {
    private let answers: Mutex<[String]>
    /// What was sent.
    let bodies = Mutex<[String]>([])

    private let status: Int

    init(_ answers: [String], status: Int = 200) {
        self.answers = Mutex(answers)
        self.status = status
    }

    func send(_ request: WireRequest) async throws(TransportError) -> WireResponse {
        let body = String(decoding: request.body, as: UTF8.self)
        bodies.withLock { $0.append(body) }
        let answer = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let answer else { throw TransportError(.unsent, "nothing is left to be answered") }
        return WireResponse(status: status, body: Array(answer.utf8))
    }

    func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket {
        throw TransportError(.unsent, "no sockets here")
    }
}
