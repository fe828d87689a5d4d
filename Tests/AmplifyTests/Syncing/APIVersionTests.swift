import AWSAPIPlugin
import Amplify
import Testing

extension AmplifySuite {
    @Suite struct APIVersionTests {
        @Test func recordsComeWithTheirVersions() async throws {
            try await withAPI { _ in
                let post = Post(id: "p", title: "one", rating: 1, status: "")
                let created = try await Amplify.API.mutate(request: .createMutation(of: post)).get()
                #expect(created.syncMetadata.version == 1 && !created.syncMetadata.deleted)
                #expect((created.model.instance as? Post)?.title == "one")

                var changed = post
                changed.title = "two"
                let refused = try await Amplify.API.mutate(
                    request: .updateMutation(of: changed, where: ["rating": ["gt": 1]], version: 1))
                guard case .failure(.error) = refused else {
                    Issue.record("the condition was to fail")
                    return
                }
                let updated = try await Amplify.API.mutate(
                    request: .updateMutation(of: changed.eraseToAnyModel(), where: ["rating": ["eq": 1]], version: 1)
                ).get()
                #expect(updated.syncMetadata.version == 2)
                let found = try await Amplify.API.query(request: .query(modelName: "Post", byId: "p")).get()
                #expect((found?.model.instance as? Post)?.title == "two" && found?.syncMetadata.version == 2)
                let none = try await Amplify.API.query(request: .query(modelName: "Post", byId: "q")).get()
                #expect(none == nil)

                let deleted = try await Amplify.API.mutate(request: .deleteMutation(of: post, version: 2)).get()
                #expect(deleted.syncMetadata.deleted && deleted.syncMetadata.version == 3)
            }
        }

        @Test func changesSinceAPointInTimeAreRead() async throws {
            try await withAPI { _ in
                for number in 1...3 {
                    let post = Post(id: "p\(number)", title: "", rating: number, status: "")
                    _ = try await Amplify.API.mutate(request: .create(post)).get()
                }
                let first = try await Amplify.API.query(request: .syncQuery(modelType: Post.self, limit: 2)).get()
                #expect(first.items.count == 2)
                let second = try await Amplify.API.query(
                    request: .syncQuery(modelType: Post.self, limit: 2, nextToken: first.nextToken)
                ).get()
                #expect(second.items.count == 1 && second.nextToken == nil)
                let startedAt = try #require(second.startedAt)
                let some = try await Amplify.API.query(
                    request: .syncQuery(modelType: Post.self, where: Post.keys.rating == 2)
                ).get()
                #expect(some.items.map(\.model.id) == ["p2"])

                let post = Post(id: "p1", title: "", rating: 1, status: "")
                _ = try await Amplify.API.mutate(request: .deleteMutation(of: post, version: 1)).get()
                let delta = try await Amplify.API.query(
                    request: .syncQuery(modelSchema: Post.schema, lastSync: startedAt)
                ).get()
                #expect(delta.items.contains { $0.model.id == "p1" && $0.syncMetadata.deleted })
            }
        }

        @Test func changesComeWithTheirVersions() async throws {
            try await withAPI { _ in
                let events = Amplify.API.subscribe(request: .subscription(to: Post.self, subscriptionType: .onCreate))
                var iterator = events.makeAsyncIterator()
                _ = try await iterator.next()
                _ = try await iterator.next()
                let post = Post(id: "p", title: "one", rating: 1, status: "")
                _ = try await Amplify.API.mutate(request: .createMutation(of: post)).get()
                guard case .data(.success(let received))? = try await iterator.next() else {
                    Issue.record("a change was expected")
                    return
                }
                #expect(received.model.id == "p" && received.syncMetadata.version == 1)
                events.cancel()
            }
        }

        @Test func requestsThatCannotBeMadeFailWhenTheyAreSent() async throws {
            try await withAPI { _ in
                await #expect(throws: APIError.self) {
                    try await Amplify.API.query(request: .query(modelName: "Nothing", byId: "p"))
                }
                let post = Post(title: "", rating: 1, status: "")
                await #expect(throws: APIError.self) {
                    try await Amplify.API.mutate(request: .updateMutation(of: post, where: ["rating": Flag()]))
                }
            }
        }

        @Test func rulesAboutOwnersAddArguments() {
            struct Diary: Model {
                let id: String
                static let schema = defineSchema { model in
                    model.authRules = [rule(allow: .owner, ownerField: "owner", identityClaim: "sub")]
                    model.fields(.id())
                }
            }
            let request = GraphQLRequest<MutationSyncResult>.subscription(
                to: Diary.self, subscriptionType: .onCreate, claims: ["sub": "ann"])
            #expect(request.document.contains("onCreateDiary(owner: $owner)"))
            #expect(request.variables?["owner"] as? String == "ann")
            let withoutClaims = GraphQLRequest<MutationSyncResult>.subscription(
                to: Diary.self, subscriptionType: .onCreate)
            #expect(withoutClaims.variables == nil)
        }
    }
}
