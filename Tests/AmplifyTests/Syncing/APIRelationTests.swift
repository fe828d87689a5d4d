import AWSAPIPlugin
import Amplify
import Foundation
import Testing

/// Creates an edition with chapters `c1`, `c2`, … at the service.
private func makeEdition(chapters count: Int) async throws {
    let edition = Edition(isbn: "i", number: 2, title: "T")
    _ = try await Amplify.API.mutate(request: .create(edition)).get()
    for number in 1...count {
        let chapter = Chapter(id: "c\(number)", heading: "\(number)", edition: edition)
        _ = try await Amplify.API.mutate(request: .create(chapter)).get()
    }
}

private func edition(_ includes: IncludedAssociations<Edition> = { _ in [] }) async throws -> Edition {
    try #require(
        await Amplify.API.query(
            request: .get(Edition.self, byIdentifier: .identifier(isbn: "i", number: 2), includes: includes)
        ).get())
}

private enum HolderKeys: String, ModelKey { case id, parcels }

/// A model that has a list of parcels.
private protocol Holder: Model {
    var parcels: List<Parcel>? { get }
}

extension Holder {
    static var schema: ModelSchema {
        defineSchema { model in
            model.fields(
                .id(),
                .hasMany(
                    HolderKeys.parcels, is: .optional, ofType: Parcel.self,
                    associatedFields: [Parcel.CodingKeys.holderId]))
        }
    }
}

private struct Crate: Holder {
    typealias CodingKeys = HolderKeys

    let id: String
    var parcels: List<Parcel>?
}

private struct Shelf: Holder {
    typealias CodingKeys = HolderKeys

    let id: String
    var parcels: List<Parcel>?
}

private struct Sledge: Model {
    enum CodingKeys: String, ModelKey { case id, items }

    let id: String
    var items: List<Parcel>?

    static let schema = defineSchema { model in
        model.fields(
            .id(),
            .hasMany(
                CodingKeys.items, is: .optional, ofType: Parcel.self, associatedFields: [Parcel.CodingKeys.holderId]))
    }
}

private struct Parcel: Model {
    enum CodingKeys: String, ModelKey { case id, holderId }

    let id: String
    let holderId: String

    static let schema = defineSchema { model in
        model.fields(.id(), .field(CodingKeys.holderId))
    }
}

private let parcelSchema = """
    type Crate @model @auth(rules: [{ allow: public }]) {
      id: ID! parcels: [Parcel] @hasMany(indexName: "byHolder", fields: ["id"])
    }
    type Shelf @model @auth(rules: [{ allow: public }]) {
      id: ID! parcels: [Parcel] @hasMany(indexName: "byHolder", fields: ["id"])
    }
    type Sledge @model @auth(rules: [{ allow: public }]) {
      id: ID! items: [Parcel] @hasMany(indexName: "byHolder", fields: ["id"])
    }
    type Parcel @model @auth(rules: [{ allow: public }]) { holderId: ID! @index(name: "byHolder") }
    """

extension AmplifySuite {
    @Suite struct APIRelationTests {
        private func parcels<Parent: Holder>(of type: Parent.Type, _ id: String) async throws -> List<Parcel> {
            let parent = try await Amplify.API.query(request: .get(Parent.self, byId: id)).get()
            return try #require(parent?.parcels)
        }

        private func registerHolders() {
            for model in [Crate.self, Shelf.self, Sledge.self, Parcel.self] as [any Model.Type] {
                ModelRegistry.register(modelType: model)
            }
        }

        @Test func listsLoadThroughTheirOwnParents() async throws {
            try await withAPI(schema: parcelSchema) { _ in
                registerHolders()
                _ = try await Amplify.API.mutate(request: .create(Crate(id: "crate"))).get()
                _ = try await Amplify.API.mutate(request: .create(Shelf(id: "shelf"))).get()
                for holder in ["crate", "shelf"] {
                    let parcel = Parcel(id: "of the \(holder)", holderId: holder)
                    _ = try await Amplify.API.mutate(request: .create(parcel)).get()
                }
                for list in [try await parcels(of: Crate.self, "crate"), try await parcels(of: Shelf.self, "shelf")] {
                    try await list.fetch()
                    #expect(list.count == 1)
                }
            }
        }

        @Test func modelsWithAFieldLikeThatOfAPageHaveTheirRelations() async throws {
            try await withAPI(schema: parcelSchema) { _ in
                registerHolders()
                _ = try await Amplify.API.mutate(request: .create(Sledge(id: "s"))).get()
                _ = try await Amplify.API.mutate(request: .create(Parcel(id: "p", holderId: "s"))).get()
                let sledges = try await Amplify.API.query(request: .list(Sledge.self)).get()
                let items = try #require(sledges.first?.items)
                try await items.fetch()
                #expect(items.map(\.id) == ["p"])
            }
        }

        @Test func aListOfARecordThatIsGoneIsNotEmpty() async throws {
            let session = ScriptedSession { request in
                let asksForList = String(decoding: request.httpBody ?? Data(), as: UTF8.self).contains("parcels")
                let shelf = asksForList ? "null" : #"{"id":"s","__typename":"Shelf"}"#
                return ScriptedSession.Answer(body: #"{"data":{"getShelf":\#(shelf)}}"#)
            }
            let configuration = TestService.outputs.replacingOccurrences(of: "http://localhost", with: "https://a.test")
            try Amplify.add(plugin: AWSAPIPlugin(sessionFactory: session))
            try Amplify.configure(outputs(configuration))
            try await resetting {
                registerHolders()
                let list = try await parcels(of: Shelf.self, "s")
                await #expect(throws: CoreError.self) { try await list.fetch() }
                #expect(!list.isLoaded)
            }
        }

        @Test func relationsOfAnswersLoadThroughTheAPI() async throws {
            try await withAPI(schema: TestService.lazySchema) { service in
                try await makeEdition(chapters: 3)
                let chapter = try #require(
                    await Amplify.API.query(request: .get(Chapter.self, byIdentifier: "c2")).get())
                let parent = try #require(try await chapter.edition)
                let chapters = try #require(parent.chapters)
                #expect(parent.title == "T" && !chapters.isLoaded)
                try await chapters.fetch()
                #expect(Set(chapters.map(\.id)) == ["c1", "c2", "c3"] && !chapters.hasNextPage())

                service.isDown.set(true)
                // What was loaded is kept, and only that.
                #expect(try await chapter.edition?.title == "T")
                try await chapters.fetch()
                await #expect {
                    _ = try await chapters.elements[0].edition
                } throws: { error in
                    guard case .listOperation(_, _, let cause)? = error as? CoreError else { return false }
                    return cause is APIError
                }
                service.isDown.set(false)
                #expect(try await chapters.elements[0].edition?.number == 2)
            }
        }

        @Test func aListThatLoadsThroughTheAPIHasPages() async throws {
            try await withAPI(schema: TestService.lazySchema) { _ in
                try await makeEdition(chapters: 5)
                var page = try #require(try await edition().chapters)
                try await page.fetch(limit: 2)
                var seen = [page.map(\.id)]
                while page.hasNextPage() {
                    page = try await page.getNextPage()
                    seen.append(page.map(\.id))
                }
                #expect(seen.map(\.count) == [2, 2, 1])
                #expect(Set(seen.joined()) == ["c1", "c2", "c3", "c4", "c5"])
                await #expect(throws: CoreError.self) { try await page.getNextPage() }
            }
        }

        @Test func includedRelationsComeWithTheAnswer() async throws {
            try await withAPI(schema: TestService.lazySchema) { service in
                // More than a service puts into one page of a list that does not say how many it wants.
                try await makeEdition(chapters: 101)
                let found = try await edition { edition in [edition.chapters, edition.chapters.edition] }
                let chapter = try #require(
                    await Amplify.API.query(
                        request: .get(Chapter.self, byIdentifier: "c2", includes: { [$0.edition] })
                    ).get())
                let changed = try await Amplify.API.mutate(
                    request: .update(chapter, includes: { [$0.edition] })
                ).get()
                service.isDown.set(true)
                let chapters = try #require(found.chapters)
                #expect(chapters.isLoaded && chapters.count == 100)
                #expect(try await chapters.elements[0].edition?.title == "T")
                #expect(try await chapter.edition?.title == "T")
                #expect(try await changed.edition?.title == "T")
                service.isDown.set(false)
                #expect(chapters.hasNextPage())
                #expect(try await chapters.getNextPage().count == 1)
                // What was not included of the included still loads.
                #expect(try await chapter.edition?.chapters?.isLoaded == false)
            }
        }

        @Test func includedRelationsAreInTheDocument() async throws {
            try await withAPI(schema: TestService.lazySchema) { _ in
                let get = GraphQLRequest<Edition?>.get(
                    Edition.self, byIdentifier: .identifier(isbn: "i", number: 2), includes: { [$0.chapters.edition] })
                #expect(
                    get.document == """
                        query GetEdition {
                          getEdition(isbn: "i", number: 2) {
                            isbn
                            number
                            title
                            __typename
                            chapters {
                              items {
                                id
                                createdAt
                                heading
                                updatedAt
                                edition {
                                  isbn
                                  number
                                  title
                                  __typename
                                }
                                __typename
                              }
                              nextToken
                            }
                          }
                        }
                        """)
                let list = GraphQLRequest<List<Chapter>>.list(Chapter.self)
                #expect(!list.document.contains("title"))
                let included = GraphQLRequest<List<Chapter>>.list(Chapter.self, includes: { [$0.edition] })
                #expect(included.document.contains("title") && !included.document.contains("_deleted"))
                let subscription = GraphQLRequest<Chapter>.subscription(
                    of: Chapter.self, type: .onCreate, includes: { [$0.edition] })
                #expect(subscription.document.contains("title"))
            }
        }

        @Test func listsHavePages() async throws {
            try await withAPI { _ in
                for number in 1...5 {
                    let post = Post(id: "p\(number)", title: "", rating: number, status: "")
                    _ = try await Amplify.API.mutate(request: .create(post)).get()
                }
                var page = try await Amplify.API.query(
                    request: .list(Post.self, where: Post.keys.rating > 1, limit: 2)
                ).get()
                var seen = page.map(\.rating)
                while page.hasNextPage() {
                    page = try await page.getNextPage()
                    seen += page.map(\.rating)
                }
                #expect(seen.sorted() == [2, 3, 4, 5])

                func own(_ variable: String, _ argument: String) -> GraphQLRequest<List<Post>> {
                    GraphQLRequest(
                        document: """
                            query List($limit: Int\(variable)) {
                              listPosts(limit: $limit\(argument)) { items { id title rating status } nextToken }
                            }
                            """,
                        variables: ["limit": 3], responseType: List<Post>.self, decodePath: "listPosts")
                }
                let request = own(", $nextToken: String", ", nextToken: $nextToken")
                let first = try await Amplify.API.query(request: request).get()
                let second = try await first.getNextPage()
                #expect(first.count == 3 && second.count == 2 && !second.hasNextPage())
                let closed = try await Amplify.API.query(request: own("", "")).get()
                #expect(closed.hasNextPage())
                await #expect(throws: CoreError.self) { try await closed.getNextPage() }
            }
        }

        @Test func listsOfModelsThatHoldTheirParentsLoad() async throws {
            try await withAPI { _ in
                let post = Post(id: "p", title: "one", rating: 1, status: "")
                _ = try await Amplify.API.mutate(request: .create(post)).get()
                _ = try await Amplify.API.mutate(request: .create(Comment(id: "c", content: "so", post: post))).get()
                let found = try #require(try await Amplify.API.query(request: .get(Post.self, byId: "p")).get())
                try await found.comments?.fetch()
                #expect(found.comments?.map(\.content) == ["so"])
                #expect(found.comments?.first?.post?.title == "one")
            }
        }
    }
}
