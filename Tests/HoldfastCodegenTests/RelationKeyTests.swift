import HoldfastCodegen
import HoldfastGraphQL
import Testing

@testable import HoldfastSchema

/// Which fields hold the keys of relations that do not say so, and which sides go together.
@Suite struct RelationKeyTests {
    private func models(_ schema: String) throws -> [String: ModelType] {
        let graph = try GraphBuilder.graph(of: [Source(schema)])
        return Dictionary(uniqueKeysWithValues: graph.models.map { ($0.name, $0) })
    }

    @Test func theFirstFieldIsTheOtherSide() throws {
        let team = "captain: Player @hasOne", players = "players: [Player] @hasMany"
        let player = "type Player @model { team: Team @belongsTo }"
        let one = try models("type Team @model { \(team) \(players) } \(player)")
        #expect(one["Player"]?.field("team")?.relation?.targets == ["playerTeamId"])
        #expect(one["Player"]?.field("teamPlayersId") != nil)
        #expect(one["Team"]?.field("players")?.relation?.associated == ["teamPlayersId"])
        let many = try models("type Team @model { \(players) \(team) } \(player)")
        #expect(many["Player"]?.field("team")?.relation?.targets == ["teamPlayersId"])
        #expect(many["Team"]?.field("players")?.relation?.associated == ["team"])
    }

    @Test func relationsBesideAHasOneHoldTheirOwnKeys() throws {
        let models = try models(
            """
            type Team @model { captain: Player @hasOne }
            type Player @model { team: Team @belongsTo earlier: Team @belongsTo }
            """)
        #expect(models["Player"]?.field("team")?.relation?.targets == ["playerTeamId"])
        #expect(models["Player"]?.field("earlier")?.relation?.targets == ["playerEarlierId"])
    }

    @Test func aRelationMayNameTheKeyOfAList() throws {
        let models = try models(
            """
            type User @model { written: [Doc] @hasMany reviewed: [Doc] @hasMany }
            type Doc @model {
              author: User @belongsTo
              userReviewedId: ID
              reviewer: User @belongsTo(fields: ["userReviewedId"])
            }
            """)
        let doc = try #require(models["Doc"])
        #expect(doc.field("author")?.relation?.targets == ["userWrittenId"])
        #expect(doc.field("reviewer")?.relation?.targets == ["userReviewedId"])
        #expect(doc.field("userReviewedId") == nil)
        #expect(models["User"]?.field("written")?.relation?.associated == ["author"])
        #expect(models["User"]?.field("reviewed")?.relation?.associated == ["reviewer"])
    }

    @Test func relationsHoldTheKeysThatAreDeclaredForThem() throws {
        let models = try models(
            """
            type Post @model { comments: [Comment] @hasMany cover: Cover @hasOne }
            type Comment @model { postCommentsId: ID post: Post @belongsTo }
            type Cover @model { post: Post @belongsTo coverPostId: ID! }
            """)
        #expect(models["Comment"]?.field("post")?.relation?.targets == ["postCommentsId"])
        #expect(models["Comment"]?.field("postCommentsId") == nil)
        #expect(models["Cover"]?.field("post")?.relation?.targets == ["coverPostId"])
        #expect(models["Cover"]?.field("coverPostId") == nil)
    }

    @Test func aKeyThatIsPartOfTheOwnKeyIsAFieldToo() throws {
        let models = try models(
            """
            type Post @model { comments: [Comment] @hasMany }
            type Comment @model { postCommentsId: ID! @primaryKey post: Post @belongsTo }
            """)
        #expect(models["Comment"]?.field("post")?.relation?.targets == ["postCommentsId"])
        #expect(models["Comment"]?.field("postCommentsId") != nil)
    }

    static let keysHeldByAnotherModelsRelation = [
        """
        type User @model { id: ID! orders: [Order] @hasMany(indexName: "byUser", fields: ["id"]) }
        type Profile @model { id: ID! orders: [Order] @hasMany(indexName: "byUser", fields: ["id"]) }
        type Order @model {
          id: ID!
          userID: ID! @index(name: "byUser")
          user: User @belongsTo(fields: ["userID"])
        }
        """,
        """
        type Profile @model { id: ID! orders: [Order] @hasMany(references: ["userID"]) }
        type Order @model { id: ID! userID: ID! user: User @belongsTo(references: ["userID"]) }
        type User @model { id: ID! orders: [Order] @hasMany(references: ["userID"]) }
        """,
        """
        type User @model { id: ID! order: Order @hasOne(references: ["userID"]) }
        type Profile @model { id: ID! orders: Order @hasOne(references: ["userID"]) }
        type Order @model { id: ID! userID: ID! user: User @belongsTo(references: ["userID"]) }
        """,
        """
        type User @model { id: ID! orders: [Order] @connection(keyName: "byUser", fields: ["id"]) }
        type Profile @model { id: ID! orders: [Order] @connection(keyName: "byUser", fields: ["id"]) }
        type Order @model @key(name: "byUser", fields: ["userID"]) {
          id: ID!
          userID: ID!
          user: User @connection(fields: ["userID"])
        }
        """,
    ]

    @Test(arguments: keysHeldByAnotherModelsRelation)
    func aKeyIsNamedByTheRelationThatHoldsIt(schema: String) throws {
        let models = try models(schema)
        #expect(models["Order"]?.field("user")?.relation?.targets == ["userID"])
        #expect(models["Order"]?.field("userID") == nil)
        #expect(models["Profile"]?.field("orders")?.relation?.associated == ["user"])
        let files = try SpellingTests.files(schema, style: .eager)
        let text = files["Profile+Schema.swift"]?.filter { !$0.isWhitespace } ?? ""
        #expect(text.contains("ofType:Order.self,associatedWith:Order.keys.user"))
    }
}
