import AWSAPIPlugin
import Amplify
import Foundation
import Testing

/// Fields of the types that the service's filters compare in ways of their own.
private struct Visit: Model {
    enum Kind: String, EnumPersistable { case open, closed }

    let id: String
    var when: Temporal.DateTime?
    var time: Temporal.Time?
    var kind: Kind?
    var kinds: [Kind]?

    enum CodingKeys: String, ModelKey { case id, when, time, kind, kinds }

    static let keys = CodingKeys.self
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [keys.id]), .index(fields: ["kind", "when"], name: "byKind"))
        model.fields(
            .field(keys.id, is: .required, ofType: .string), .field(keys.when, is: .optional, ofType: .dateTime),
            .field(keys.time, is: .optional, ofType: .time),
            .field(keys.kind, is: .optional, ofType: .enum(type: Kind.self)),
            .field(keys.kinds, is: .optional, ofType: .embeddedCollection(of: Kind.self)))
    }
}

extension AmplifySuite {
    /// What requests send of predicates.
    @Suite struct APIFilterTests {
        private func text(_ variables: [String: Any]?, _ name: String) throws -> String {
            let filter = try #require(variables?[name])
            let data = try JSONSerialization.data(withJSONObject: filter, options: .sortedKeys)
            return String(decoding: data, as: UTF8.self)
        }

        @Test func eachOperatorIsSentAsItWasWritten() throws {
            let keys = Visit.keys
            let when = try Temporal.DateTime(iso8601String: "2024-03-01T12:00:00+01:00")
            let time = try Temporal.Time(iso8601String: "07:46:00")
            let cases: [(any QueryPredicate, String)] = [
                (keys.when > when, #"{"when":{"gt":"2024-03-01T11:00:00.000Z"}}"#),
                (keys.when == when, #"{"when":{"eq":"2024-03-01T12:00:00+01:00"}}"#),
                (keys.when > "2024-03-01", #"{"when":{"gt":"2024-03-01"}}"#),
                (
                    keys.when.between(start: when, end: when),
                    #"{"when":{"between":["2024-03-01T11:00:00.000Z","2024-03-01T11:00:00.000Z"]}}"#
                ),
                (keys.time <= time, #"{"time":{"le":"07:46:00"}}"#),
                (keys.kind == nil, #"{"kind":{"eq":null}}"#),
                (keys.kinds.contains("open"), #"{"kinds":{"contains":"open"}}"#),
                (keys.kind.attributeExists(true), #"{"kind":{"attributeExists":true}}"#),
                (
                    not(keys.kind == Visit.Kind.open || keys.id.notContains("a")),
                    #"{"not":{"or":[{"kind":{"eq":"open"}},{"id":{"notContains":"a"}}]}}"#
                ),
            ]
            for (predicate, json) in cases {
                let list = GraphQLRequest<List<Visit>>.list(Visit.self, where: predicate)
                #expect(try text(list.variables, "filter") == json)
                let update = GraphQLRequest<Visit>.update(Visit(id: "v"), where: predicate)
                #expect(try text(update.variables, "condition") == json)
            }
            let sync = GraphQLRequest<SyncQueryResult>.syncQuery(
                modelType: Visit.self, where: keys.when > when && keys.kind == Visit.Kind.open)
            #expect(
                try text(sync.variables, "filter")
                    == #"{"and":[{"kind":{"eq":"open"}},{"when":{"gt":"2024-03-01T11:00:00.000Z"}}]}"#)
            let all = GraphQLRequest<List<Visit>>.list(Visit.self, where: QueryPredicateConstant.all)
            #expect(all.variables?["filter"] == nil)
        }

        @Test func keysOfSeveralFieldsAreSeveralComparisons() throws {
            ModelRegistry.register(modelType: Edition.self)
            defer { ModelRegistry.reset() }
            let edition = Edition(isbn: "i", number: 2, title: "")
            let request = GraphQLRequest<List<Chapter>>.list(Chapter.self, where: Chapter.keys.edition == edition)
            let filter = try text(request.variables, "filter")
            #expect(filter.contains(#"{"eq":"i"}"#) && filter.contains(#"{"eq":2}"#))
        }

        @Test func datesAreComparedByTheService() async throws {
            try await withAPI(schema: TestService.schema + TestService.userSchema) { _ in
                let user = User(
                    id: "u", firstName: "Jane", lastName: "Doe",
                    createdAt: try Temporal.DateTime(iso8601String: "2024-03-01T12:00:00.000Z"))
                _ = try await Amplify.API.mutate(request: .create(user)).get()
                let earlier = try Temporal.DateTime(iso8601String: "2024-03-01T12:59:00+01:00")
                let isLater = User.keys.createdAt > earlier
                #expect(
                    try await Amplify.API.query(request: .list(User.self, where: isLater)).get().map(\.id) == ["u"])
                let none = try await Amplify.API.query(
                    request: .list(User.self, where: User.keys.createdAt > Temporal.DateTime.now())
                ).get()
                #expect(none.isEmpty)
                let page = try await Amplify.API.query(request: .syncQuery(modelType: User.self, where: isLater)).get()
                #expect(page.items.map(\.model.id) == ["u"])
            }
        }

        @Test func aConditionAlongARelationFailsWhenItIsSent() async throws {
            try await withAPI { _ in
                await #expect(throws: APIError.self) {
                    try await Amplify.API.query(request: .list(Comment.self, where: field("post.title") == "one"))
                }
            }
        }
    }
}
