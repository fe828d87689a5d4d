import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastEngineConformance
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

/// What an entry of the outbox keeps beside what happened.
@Suite struct UndoTests {
    func open(_ adapter: EngineAdapter) async throws -> (store: DataStore, fence: SyncFence) {
        let store = try await adapter.open()
        return (store, try #require(try await store.claim("here", until: 10, now: 0)))
    }

    func remote(_ post: Post, _ version: Int64) throws -> RemoteRecord {
        RemoteRecord(
            key: try post.recordKey(), row: Array(try post.row()[0]), version: version, lastChangedAt: version)
    }

    @Test(arguments: EngineAdapter.all)
    func aChangeRecordsItsBaseVersion(adapter: EngineAdapter) async throws {
        let (store, fence) = try await open(adapter)
        let posts = [Post(id: "a", title: "x"), Post(id: "b", title: "x")]
        _ = try await store.apply(
            RemoteBatch(model: "Post", records: try posts.map { try remote($0, 7) }), fence)
        try await store.save(Post(id: "a", title: "y"))
        try await store.delete(posts[1])
        #expect(try await store.outboxEntries().map(\.baseVersion) == [7, 7])
        try await store.save(Post(id: "a", title: "z"))
        #expect(try await store.outboxEntries().map(\.baseVersion) == [7, 7])
        try await store.save(Post(id: "new", title: "z"))
        #expect(try await store.outboxEntries().map(\.baseVersion) == [7, 7, nil])
    }

    @Test(arguments: EngineAdapter.all)
    func aChangeKeepsWhatItReplaced(adapter: EngineAdapter) async throws {
        let (store, fence) = try await open(adapter)
        let post = Post(id: "a", title: "x", rating: 1)
        _ = try await store.apply(RemoteBatch(model: "Post", records: [try remote(post, 1)]), fence)
        try await store.save(Post(id: "a", title: "y", rating: 1))
        #expect(try await store.outboxEntries().map(\.before) == [#"{"title":"x"}"#])
        try await store.save(Post(id: "a", title: "z", rating: nil))
        #expect(try await store.outboxEntries().map(\.before) == [#"{"title":"x","rating":1}"#])
        try await store.delete(post)
        let whole =
            #"{"id":"a","title":"x","rating":1,"status":null,"tags":null,"createdAt":null,"blogID":null}"#
        #expect(try await store.outboxEntries().map(\.before) == [whole])
        try await store.save(Post(id: "a", title: "again"))
        #expect(try await store.outboxEntries().map(\.before) == [whole])
        #expect(try await store.outboxEntries().map(\.operation) == [.update])
        try await store.save(Post(id: "new", title: "z"))
        #expect(try await store.outboxEntries().last?.before == nil)
    }

    @Test(arguments: EngineAdapter.all)
    func aConditionalChangeIsNotFolded(adapter: EngineAdapter) async throws {
        let (store, fence) = try await open(adapter)
        _ = try await store.apply(
            RemoteBatch(model: "Post", records: [try remote(Post(id: "a", title: "x"), 1)]), fence)
        try await store.save(Post(id: "a", title: "y"))
        try await store.save(Post(id: "a", title: "z"), where: Post.keys.title == "y")
        try await store.save(Post(id: "a", title: "z", rating: 2))
        try await store.save(Post(id: "a", title: "z", rating: 3))
        try await store.transaction { transaction in
            try await transaction.save(Post(id: "a", title: "w", rating: 3), where: Post.keys.rating > 2)
        }
        try await store.delete(Post.self, withId: "a", where: Post.keys.title.beginsWith("w"))
        let entries = try await store.outboxEntries()
        #expect(entries.map(\.operation) == [.update, .update, .update, .update, .delete])
        #expect(entries.map(\.changedFields) == [["title"], ["title"], ["rating"], ["title"], []])
        #expect(
            entries.map(\.condition) == [
                nil, #"{"title":{"eq":"y"}}"#, nil, #"{"rating":{"gt":2}}"#, #"{"title":{"beginsWith":"w"}}"#,
            ])
        #expect(Set(entries.map(\.position)).count == 5)
        // One at a time, in order, each on the version of the one before.
        var service = FakeService(try store.catalog.entity(of: Post.self))
        service.write(RecordKey("a"), Array(try Post(id: "a", title: "x").row()[0]))
        for _ in 0..<5 {
            let taken = try await store.take(8, fence)
            #expect(taken.count == 1)
            _ = try await store.settle(taken.map { service.receive($0) }, fence)
        }
        #expect(try await store.outboxCount() == 0)
        #expect(service.newest.map(\.version) == [6] && service.newest.allSatisfy(\.isDeleted))
    }

    @Test func theEntriesOfARecordAreReadOnceForSeveralOfThem() async throws {
        let reads = Reads()
        let store = try await WatchedAdapter(EngineAdapter.memory.make(), reads).dataStore()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        try await store.save(Post(id: "a", title: "0"))
        for number in 1...12 {
            try await store.save(Post(id: "a", title: "\(number)"), where: Post.keys.title == "\(number - 1)")
        }
        reads.reset()
        #expect(try await store.take(8, fence).map(\.operation) == [.create])
        #expect(reads[OutboxEntry.entity.name] < 10)
    }

    /// What the service said of many records waits for their changes, which are sent little by little.
    @Test func aTakeDoesNotReadAllRecordsThatWait() async throws {
        func readCount(of count: Int) async throws -> Int {
            let reads = Reads()
            let store = try await WatchedAdapter(EngineAdapter.memory.make(), reads).dataStore()
            let fence = try #require(try await store.claim("here", until: 10, now: 0))
            try await store.save((0..<count).map { Post(id: "\($0)", title: "mine") })
            let theirs = try (0..<count).map { try remote(Post(id: "\($0)", title: "theirs"), 1) }
            let report = try await store.apply(RemoteBatch(model: "Post", records: theirs), fence)
            #expect(report.shelvedCount == count)
            try await store.delete(Post.self, withId: "0")
            reads.reset()
            #expect(try await store.take(8, fence).count == 8)
            // While there is more to be taken, only what is taken is looked for.
            #expect(reads[ShelfItem.entity.name] == 8)
            #expect(try await store.query(Post.self, byId: "0") == nil)
            reads.reset()
            #expect(try await store.take(8, fence, models: ["Blog"]).isEmpty)
            let total = [OutboxEntry.entity.name, ShelfItem.entity.name, "Post"].reduce(0) { $0 + reads[$1] }
            #expect(try await store.query(Post.self, byId: "0")?.title == "theirs")
            #expect(try await store.query(Post.self, byId: "1")?.title == "mine")
            try await store.close()
            return total
        }
        #expect(try await readCount(of: 300) == readCount(of: 10))
    }

    @Test(arguments: EngineAdapter.all)
    func savingAgainWhileTheDeletionIsInFlightIsNotACreation(adapter: EngineAdapter) async throws {
        let (store, fence) = try await open(adapter)
        _ = try await store.apply(
            RemoteBatch(model: "Post", records: [try remote(Post(id: "a", title: "x"), 1)]), fence)
        try await store.delete(Post.self, withId: "a")
        let deletion = try await store.take(8, fence)
        #expect(deletion.map(\.operation) == [.delete] && deletion.map(\.version) == [1])
        try await store.save(Post(id: "a", title: "again"))
        let entries = try await store.outboxEntries()
        #expect(entries.map(\.operation) == [.delete, .update] && entries.map(\.stage) == [.inFlight, .pending])
        #expect(try await store.take(8, fence).isEmpty)
        let tombstone = RemoteRecord(key: RecordKey("a"), row: nil, version: 2, lastChangedAt: 2)
        _ = try await store.settle([.accepted(deletion[0].id, tombstone)], fence)
        let update = try await store.take(8, fence)
        #expect(update.map(\.operation) == [.update] && update.map(\.version) == [2])
        #expect(update.first?.values.first { $0.field == "title" }?.value == .text("again"))
        #expect(try await store.query(Post.self).map(\.title) == ["again"])
    }

    @Test(arguments: EngineAdapter.all)
    func whatIsInFlightIsSentAgainAsItWas(adapter: EngineAdapter) async throws {
        let (store, fence) = try await open(adapter)
        try await store.save(Post(id: "a", title: "x", tags: ["\u{1F600}", "\"\\"]))
        let taken = try await store.take(8, fence)
        try await store.save(Post(id: "a", title: "later"))
        _ = try await store.settle([.unanswered(taken[0].id, notBefore: 5)], fence)
        let again = try await store.unsettled()
        #expect(again.map(\.isUncertain) == [true] && again.map(\.attempts) == [1])
        #expect(again.map(\.id) == taken.map(\.id) && again.map(\.notBefore) == [5])
        #expect(again.first?.values.map(\.value) == taken.first?.values.map(\.value))
        #expect(again.first?.values.map(\.field) == Post.schema.columns)
    }

    @Test(arguments: EngineAdapter.all)
    func recordsUnknownToTheServiceAreCreatedAndNeverDeleted(adapter: EngineAdapter) async throws {
        let (store, _) = try await open(adapter)
        try await store.save([Post(id: "a", title: "x"), Post(id: "b", title: "x")])
        try await store.forgetOutbox()
        try await store.save(Post(id: "a", title: "y"))
        try await store.delete(Post.self, withId: "b")
        let entries = try await store.outboxEntries()
        #expect(entries.map(\.operation) == [.create] && entries.map(\.changedFields) == [[]])
    }

    @Test(arguments: EngineAdapter.all)
    func whatWasSavedUnrecordedIsAdopted(adapter: EngineAdapter) async throws {
        let (store, fence) = try await open(adapter)
        try await store.save((0..<2_100).map { Post(id: "\($0)", title: "x") })
        try await store.forgetOutbox()
        _ = try await store.apply(
            RemoteBatch(model: "Post", records: [try remote(Post(id: "known", title: "x"), 1)]), fence)
        try await store.save(Post(id: "pending", title: "x"))
        #expect(try await store.adopt("Post") == 2_100)
        #expect(try await store.adopt("Post") == 0)
        let entries = try await store.outboxEntries()
        #expect(entries.count == 2_101 && entries.allSatisfy { $0.operation == .create })
        #expect(Set(entries.map(\.position)).count == 2_101 && entries.first?.key == "pending")
    }

    @Test(arguments: EngineAdapter.all)
    func changesOfAnotherUserAreNotTaken(adapter: EngineAdapter) async throws {
        let (store, fence) = try await open(adapter)
        store.setIdentity("ann")
        try await store.save(Post(id: "a", title: "x"))
        store.setIdentity("bob")
        try await store.save(Post(id: "a", title: "y"))
        try await store.save(Post(id: "b", title: "y"))
        #expect(try await store.outboxEntries().map(\.identity) == ["ann", "bob", "bob"])
        #expect(try await store.hasChanges(ofOthersThan: "bob"))
        #expect(try await store.hasChanges(ofOthersThan: nil))
        #expect(try await store.take(8, fence, identity: "bob").map(\.recordKey) == [RecordKey("b")])
        #expect(try await store.take(8, fence, identity: "ann").map(\.recordKey) == [RecordKey("a")])
    }

    @Test(arguments: EngineAdapter.all)
    func onesOwnChangesAndThoseOfNoOneAreNotThoseOfOthers(adapter: EngineAdapter) async throws {
        let (store, _) = try await open(adapter)
        #expect(try await !store.hasChanges(ofOthersThan: nil))
        try await store.save(Post(id: "a", title: "x"))
        #expect(try await !store.hasChanges(ofOthersThan: nil))
        store.setIdentity("bob")
        try await store.save(Post(id: "b", title: "y"))
        #expect(try await !store.hasChanges(ofOthersThan: "bob"))
    }

    /// What was sent for one user must not be sent again for another one.
    @Test(arguments: EngineAdapter.all)
    func changesOfNoOneBecomeThoseOfTheUserForWhomTheyAreTaken(adapter: EngineAdapter) async throws {
        let (store, fence) = try await open(adapter)
        for id in ["a", "b", "c"] { try await store.save(Post(id: id, title: "x")) }
        #expect(try await store.take(1, fence).map(\.recordKey) == [RecordKey("a")])
        #expect(try await store.take(1, fence, identity: "ann").map(\.recordKey) == [RecordKey("b")])
        #expect(try await store.outboxEntries().map(\.identity) == [nil, "ann", nil])
        #expect(try await store.hasChanges(ofOthersThan: "bob"))
    }

    @Test(arguments: EngineAdapter.all)
    func changesOfNoOneAreAssignedToAUser(adapter: EngineAdapter) async throws {
        let (store, fence) = try await open(adapter)
        store.setIdentity("bob")
        try await store.save(Post(id: "bob's", title: "x"))
        store.setIdentity(nil)
        try await store.save((0..<1_100).map { Post(id: "\($0)", title: "x") })
        #expect(try await store.take(1, fence).count == 1)
        try await store.assignChanges(to: "ann", fence)
        let entries = try await store.outboxEntries()
        #expect(entries.count { $0.identity == "ann" } == 1_100 && entries.count { $0.identity == "bob" } == 1)
        #expect(entries.count { $0.stage == .inFlight } == 1)
        #expect(try await store.take(8, fence, identity: "bob").map(\.recordKey) == [RecordKey("bob's")])
        // A session that has ended assigns nothing.
        try await store.save(Post(id: "later", title: "x"))
        _ = try #require(try await store.claim("there", until: .max, now: .max - 1))
        await #expect(throws: StorageError.self) { try await store.assignChanges(to: "ann", fence) }
        #expect(try await store.outboxEntries().last?.identity == nil)
    }

    @Test(arguments: EngineAdapter.all)
    func onlyChangesOfTheModelsThatAreSentCount(adapter: EngineAdapter) async throws {
        let (store, fence) = try await open(adapter)
        store.setIdentity("ann")
        try await store.save(Post(id: "a", title: "x"))
        store.setIdentity(nil)
        try await store.save(Post(id: "b", title: "x"))
        try await store.save(Blog(id: "c", name: "x"))
        #expect(try await store.hasChanges(ofOthersThan: "bob", of: ["Blog", "Post"]))
        #expect(try await !store.hasChanges(ofOthersThan: "bob", of: ["Blog"]))
        #expect(try await !store.isOutboxEmpty(of: ["Blog"]))
        #expect(try await store.isOutboxEmpty(of: ["Sample"]))
        try await store.assignChanges(to: "bob", fence, of: ["Blog"])
        #expect(try await store.outboxEntries().map(\.identity) == ["ann", nil, "bob"])
    }

    /// The next user's name is known when a session begins, and edits may come before.
    @Test(arguments: EngineAdapter.all)
    func afterAClearingChangesAreNotThoseOfTheUserBefore(adapter: EngineAdapter) async throws {
        let (store, _) = try await open(adapter)
        store.setIdentity("ann")
        try await store.save(Post(id: "a", title: "x"))
        try await store.clear()
        try await store.save(Post(id: "b", title: "y"))
        #expect(try await store.outboxEntries().map(\.identity) == [nil])
    }

    /// What is saved after the start of a session, and before its user is known, is not of the user before.
    @Test(arguments: EngineAdapter.all)
    func changesBeforeTheUserOfASessionIsKnownAreNoOnes(adapter: EngineAdapter) async throws {
        let (store, fence) = try await open(adapter)
        #expect(try await store.keepIdentity("ann", fence))
        try await store.release(fence)
        try await store.save(Post(id: "a", title: "x"))
        store.expectSession()
        try await store.save(Post(id: "b", title: "x"))
        _ = try #require(try await store.claim("there", until: .max, now: .max - 1))
        try await store.save(Post(id: "c", title: "x"))
        // Another handle has the session, and knows its user.
        #expect(try await store.claim("elsewhere", until: .max, now: .max - 1) == nil)
        try await store.save(Post(id: "d", title: "x"))
        #expect(try await store.outboxEntries().map(\.identity) == ["ann", nil, nil, "ann"])
    }

    /// A handle without a session does not know who is signed in.
    @Test(arguments: EngineAdapter.all)
    func changesWithoutASessionAreThoseOfTheUserOfTheLastOne(adapter: EngineAdapter) async throws {
        let (store, fence) = try await open(adapter)
        try await store.save(Post(id: "a", title: "x"))
        #expect(try await store.keepIdentity("ann", fence))
        try await store.save(Post(id: "b", title: "x"))
        try await store.save(Post(id: "b", title: "y"), where: Post.keys.title == "x")
        #expect(try await store.outboxEntries().map(\.identity) == [nil, "ann", "ann"])
        store.setIdentity("ben")
        try await store.save(Post(id: "c", title: "x"))
        // Ben's session is over, and its user was not kept.
        try await store.release(fence)
        try await store.save(Post(id: "d", title: "x"))
        #expect(try await store.outboxEntries().suffix(2).map(\.identity) == ["ben", "ann"])
        // No one is signed in.
        let next = try #require(try await store.claim("there", until: .max, now: .max - 1))
        #expect(try await store.keepIdentity(nil, next))
        #expect(try await !store.keepIdentity("ann", fence))
        try await store.save(Post(id: "e", title: "x"))
        #expect(try await store.outboxEntries().last?.identity == nil)
        #expect(try await store.keepIdentity("ann", next))
        try await store.clear()
        try await store.save(Post(id: "f", title: "x"))
        #expect(try await store.outboxEntries().map(\.identity) == [nil])
    }

    // MARK: - Texts

    @Test func valuesComeBackExactlyFromTheirText() throws {
        let entity = EntitySchema(
            "E",
            fields: [
                FieldSchema("id", .string), FieldSchema("float", .float), FieldSchema("int", .int),
                FieldSchema("json", .json), FieldSchema("at", .dateTime), FieldSchema("day", .date),
                FieldSchema("time", .time), FieldSchema("flag", .boolean),
                FieldSchema("list", .list(of: .json, elementsAreRequired: false)),
                FieldSchema("times", .list(of: .dateTime, elementsAreRequired: false)),
            ])
        let texts = ["", "\"", "\\", "\u{1}\u{1F}\n\t", "\u{1F600}", "e\u{301}", "{\"id\":\"x\"}", "null", "\u{2028}/"]
        for text in texts {
            let row: [Value] = [
                .text(text), .double(.leastNonzeroMagnitude), .integer(.min), .text(" {\"a\" : [1.0, null]} "),
                try FieldType.dateTime.canonical(.text("2026-02-03T04:05:06.700+05:30")),
                try FieldType.date.canonical(.text("2026-02-03-01:00")),
                try FieldType.time.canonical(.text("04:05:06.000000001Z")), .boolean(true),
                .list([.text("7"), .null, .text("\"\\\"\"")]),
                .list([.null, try FieldType.dateTime.canonical(.text("2026-02-03T04:05:06Z"))]),
            ]
            #expect(FieldValues.row(FieldValues.text(row, of: entity), of: entity) == row)
            #expect(
                FieldValues.text(row, of: entity).utf8.elementsEqual(
                    FieldValues.text(FieldValues.row(FieldValues.text(row, of: entity), of: entity), of: entity).utf8))
        }
        for double in [0, 1.5, -1e300, 1e-7, .greatestFiniteMagnitude, 123_456_789.123] {
            var row = [Value](repeating: .null, count: entity.fields.count)
            row[1] = .double(double)
            #expect(FieldValues.row(FieldValues.text(row, of: entity), of: entity) == row)
        }
    }

    @Test func conditionsAreWrittenAsTheServiceReadsThem() throws {
        let keys = Post.keys.self
        let instant = try Temporal.DateTime(iso8601String: "2024-03-01T12:00:00.0001+01:00")
        let cases: [((any QueryPredicate)?, String?)] = [
            (nil, nil), (QueryPredicateConstant.all, nil),
            (keys.title == "a\"", #"{"title":{"eq":"a\""}}"#),
            (keys.rating.between(start: 1, end: 2), #"{"rating":{"between":[1,2]}}"#),
            (
                keys.title != "a" && keys.rating >= 3,
                #"{"and":[{"title":{"ne":"a"}},{"rating":{"ge":3}}]}"#
            ),
            (not(keys.title.contains("a")), #"{"not":{"title":{"contains":"a"}}}"#),
            (keys.blog == "b", #"{"blogID":{"eq":"b"}}"#),
            (keys.createdAt <= instant, #"{"createdAt":{"le":"2024-03-01T11:00:00.0001Z"}}"#),
            (keys.createdAt != instant, #"{"createdAt":{"ne":"2024-03-01T12:00:00.0001+01:00"}}"#),
            (
                QueryPredicateGroup(
                    type: .or,
                    predicates: [
                        keys.title == "a", QueryPredicateOperation(field: "blog.name", operator: .equals("b")),
                    ]), nil
            ),
        ]
        for (predicate, text) in cases { #expect(Post.schema.serviceCondition(predicate) == text) }
    }

    /// A part that the service's filters have no word for must not take the rest of the condition with it.
    @Test func constantsAreLeftOutOfConditions() {
        let (all, none) = (QueryPredicateConstant.all, not(QueryPredicateConstant.all))
        let rated: QueryPredicateOperation = Post.keys.rating == 4
        func group(_ type: QueryPredicateGroupType, _ parts: any QueryPredicate...) -> any QueryPredicate {
            QueryPredicateGroup(type: type, predicates: parts)
        }
        let rating = #"{"rating":{"eq":4}}"#
        let cases: [(any QueryPredicate, String?)] = [
            (rated && all, #"{"and":[\#(rating)]}"#), (rated || none, #"{"or":[\#(rating)]}"#),
            (group(.not, rated, none), #"{"not":\#(rating)}"#),
            (group(.not, rated, none, rated), #"{"not":{"or":[\#(rating),\#(rating)]}}"#),
            (group(.and, rated, group(.or, none, rated)), #"{"and":[\#(rating),{"or":[\#(rating)]}]}"#),
            (group(.and, rated, group(.or, rated, all), group(.and)), #"{"and":[\#(rating)]}"#),
            // Every record satisfies these.
            (rated || all, nil), (group(.not, none), nil), (group(.and), nil), (group(.not), nil),
            (group(.and, all, group(.or, rated, all)), nil),
            // No record satisfies these, so that nothing is changed here.
            (none, nil), (group(.and, rated, none), nil), (group(.or), nil), (group(.not, rated, all), nil),
        ]
        for (predicate, text) in cases { #expect(Post.schema.serviceCondition(predicate) == text) }
    }

    @Test(arguments: EngineAdapter.all)
    func aConditionWithAConstantGoesToTheService(adapter: EngineAdapter) async throws {
        let (store, _) = try await open(adapter)
        try await store.save(Post(id: "a", title: "x", rating: 4))
        try await store.save(Post(id: "a", title: "y"), where: Post.keys.rating == 4 && QueryPredicateConstant.all)
        #expect(try await store.outboxEntries().map(\.condition) == [nil, #"{"and":[{"rating":{"eq":4}}]}"#])
    }

    /// The service has `contains` for texts, lists of texts, and lists of enums alone.
    @Test func elementsOfNumbersAreNotSentAsConditions() throws {
        let keys = Sample.keys
        let entity = try Sample.schema.entity(among: [:])
        func condition(_ predicate: any QueryPredicate) -> String? {
            Sample.schema.serviceCondition(predicate, of: entity)
        }
        #expect(condition(keys.numbers.contains("5")) == nil)
        #expect(condition(keys.text == "a" && keys.numbers.notContains("5")) == nil)
        #expect(condition(keys.statuses.contains("DRAFT")) == #"{"statuses":{"contains":"DRAFT"}}"#)
    }

    /// A condition that held here must not fail at the service because of how its operand is written.
    @Test func operandsAreOfTheKindsOfTheirFieldsAsInTheStore() async throws {
        let keys = Post.keys.self
        let (store, _) = try await open(EngineAdapter.all[0])
        let entity = try store.catalog.entity(of: Post.self)
        func condition(_ predicate: any QueryPredicate) -> String? {
            Post.schema.serviceCondition(predicate, of: entity)
        }
        #expect(condition(keys.createdAt == "2024-03-01T12:00") == #"{"createdAt":{"eq":"2024-03-01T12:00:00Z"}}"#)
        #expect(
            condition(keys.createdAt > "2024-03-01T14:00:00+02:00")
                == #"{"createdAt":{"gt":"2024-03-01T12:00:00.000Z"}}"#)
        // A day comes before all its instants, as a text.
        #expect(condition(keys.createdAt > "2024-03-01") == #"{"createdAt":{"gt":"2024-03-01"}}"#)
        #expect(condition(keys.rating >= 3) == #"{"rating":{"ge":3}}"#)
        #expect(condition(keys.title == "a") == #"{"title":{"eq":"a"}}"#)
    }

    @Test func membersAreRenamedAndValuesAreNot() {
        let text = #"{"old":"old","x":["old","a\"old\":"],"and":[{"old":{"eq":"\\"}}]}"#
        #expect(
            JSONNames.renamed(["old": "new"], in: text)
                == #"{"new":"old","x":["old","a\"old\":"],"and":[{"new":{"eq":"\\"}}]}"#)
    }
}
