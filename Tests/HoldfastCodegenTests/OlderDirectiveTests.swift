import HoldfastGraphQL
import Testing

@testable import HoldfastCodegen
@testable import HoldfastSchema

/// The directives of the first generation of the service.
@Suite struct OlderDirectiveTests {
    static func graph(_ schema: String) throws -> [String: ModelType] {
        let graph = try GraphBuilder.graph(of: [Source(schema)])
        return Dictionary(uniqueKeysWithValues: graph.models.map { ($0.name, $0) })
    }

    @Test func keyDirectivesBecomeKeysAndIndexes() throws {
        let models = try Self.graph(
            """
            type Order @model @versioned
              @key(fields: ["shop", "number"]) @key(name: "byDay", fields: ["day", "number"], queryField: "ordersOfDay") {
              shop: ID!
              number: Int!
              day: AWSDate!
            }
            """)
        #expect(models["Order"]?.primaryKey == ["shop", "number"])
        #expect(models["Order"]?.indexes.map(\.name) == ["byDay"])
        #expect(models["Order"]?.field("id") == nil)
    }

    @Test func connectionsOfOneNameAreTwoSides() throws {
        let models = try Self.graph(
            """
            type Post @model { id: ID! comments: [Comment] @connection(name: "PostComments") }
            type Comment @model { id: ID! post: Post @connection(name: "PostComments") }
            """)
        #expect(models["Post"]?.field("comments")?.relation?.associated == ["post"])
        #expect(models["Comment"]?.field("post")?.relation?.targets == ["commentPostId"])
    }

    @Test func connectionsWithFieldsBecomeRelations() throws {
        let models = try Self.graph(
            """
            type Post @model { id: ID! comments: [Comment] @connection(keyName: "byPost", fields: ["id"]) }
            type Comment @model @key(name: "byPost", fields: ["postID", "text"]) {
              id: ID!
              postID: ID!
              text: String!
              post: Post @connection(fields: ["postID"])
              author: User @connection(fields: ["authorID"])
              authorID: ID
            }
            type User @model { id: ID! }
            """)
        #expect(models["Post"]?.field("comments")?.relation?.associated == ["post"])
        #expect(
            models["Comment"]?.field("post")?.relation == Relation(kind: .belongsTo, model: "Post", targets: ["postID"])
        )
        #expect(models["Comment"]?.field("postID") == nil)
        #expect(models["Comment"]?.field("author")?.relation?.kind == .hasOne)
        #expect(models["Comment"]?.field("authorID") != nil)
    }

    @Test func relationsWithReferencesUseTheNamedFields() throws {
        let models = try Self.graph(
            """
            type Cart @model { id: ID! items: [Item] @hasMany(references: ["cartId"]) owner: Owner @hasOne(references: ["cartId"]) }
            type Item @model { id: ID! cartId: ID cart: Cart @belongsTo(references: ["cartId"]) }
            type Owner @model { id: ID! cartId: ID cart: Cart @belongsTo(references: ["cartId"]) }
            """)
        #expect(models["Cart"]?.field("items")?.relation?.associated == ["cart"])
        #expect(
            models["Cart"]?.field("owner")?.relation == Relation(kind: .hasOne, model: "Owner", associated: ["cart"]))
        #expect(models["Item"]?.field("cart")?.relation?.targets == ["cartId"])
        #expect(models["Item"]?.field("cartId") == nil)
    }
}
