import HoldfastGraphQL
import HoldfastSchema
import Testing

/// The relations of the older generation in the API.
@Suite struct ConnectionTests {
    @Test(
        arguments: [
            (#"@key(name: "byPost", fields: ["postID", "text"])"#, #"keyName: "byPost", "#, ["text"]),
            (#"@key(name: "byPost", fields: ["postID", "text", "rank"])"#, #"keyName: "byPost", "#, ["textRank"]),
            (#"@key(name: "byPost", fields: ["postID"])"#, #"keyName: "byPost", "#, []),
            (#"@key(fields: ["postID", "rank"])"#, "", ["rank"]),
        ] as [(String, String, [String])])
    func listsTakeConditionsOnTheRestOfTheirKey(key: String, keyName: String, expected: [String]) throws {
        let schema = """
            type Post @model { id: ID! comments: [Comment] @connection(\(keyName)fields: ["id"]) }
            type Comment @model \(key) { id: ID! postID: ID! text: String! rank: Int! }
            """
        var arguments: [String] = []
        for case .type(let type) in try apiSchema(of: [Source(schema)]).definitions where type.name.text == "Post" {
            arguments = type.fields.first { $0.name.text == "comments" }?.arguments.map(\.name.text) ?? []
        }
        #expect(arguments == expected + ["filter", "sortDirection", "limit", "nextToken"])
    }
}
