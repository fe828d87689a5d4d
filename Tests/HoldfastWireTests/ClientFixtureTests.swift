import HoldfastGraphQL
import HoldfastWire
import Testing

/// Requests that other clients send, as they were captured or as their own tests show them.
@Suite struct ClientFixtureTests {
    @Test(
        arguments: [
            // amplify-js
            (
                #"""
                {"query":"query operation($limit: Int, $nextToken: String, $lastSync: AWSTimestamp, $filter: ModelPostFilterInput) {\n  syncPosts(\n    limit: $limit\n    nextToken: $nextToken\n    lastSync: $lastSync\n    filter: $filter\n  ) {\n    items {\n      id\n      title\n      rating\n      createdAt\n      updatedAt\n      _version\n      _lastChangedAt\n      _deleted\n    }\n    nextToken\n    startedAt\n  }\n}\n","variables":{"limit":1000,"nextToken":null,"lastSync":0,"filter":null}}
                """#,
                ["limit": 1000, "nextToken": nil, "lastSync": 0, "filter": nil]
            ),
            (
                #"{"query":"mutation operation($input: UpdatePostInput!, $condition: ModelPostConditionInput) {\n  updatePost(input: $input, condition: $condition) {\n    id\n  }\n}\n","variables":{"input":{"id":"a","title":"bye","_version":1},"condition":null}}"#,
                ["input": ["id": "a", "title": "bye", "_version": 1], "condition": nil]
            ),
            (#"{"query":"subscription operation {\n  onCreatePost {\n    id\n  }\n}\n","variables":{}}"#, [:]),
            // amplify-android
            (
                #"{"query":"query SyncPosts($lastSync: AWSTimestamp) {\n  syncPosts(lastSync: $lastSync) {\n    items {\n      __typename\n      _deleted\n      comments {\n        items {\n          id\n        }\n        nextToken\n        startedAt\n      }\n    }\n  }\n}\n","variables":null}"#,
                nil
            ),
            (
                #"{"query":"mutation CreateComment($input: CreateCommentInput!) {\n  createComment(input: $input) {\n    id\n  }\n}\n","variables":{"input":{"postCommentsId":"p","content":"toast","createdAt":null,"id":"c"}}}"#,
                ["input": ["postCommentsId": "p", "content": "toast", "createdAt": nil, "id": "c"]]
            ),
            // amplify-swift
            (
                #"{"variables":{"input":{"id":"c","_version":3}},"query":"mutation DeletePost($input: DeletePostInput!) {\n  deletePost(input: $input) {\n    id\n  }\n}"}"#,
                ["input": ["id": "c", "_version": 3]]
            ),
        ] as [(String, JSONObject?)])
    func requestIsRead(body: String, variables: JSONObject?) throws {
        let operation = try WireOperation(parsing: bytes(body))
        #expect(operation.variables == variables)
        #expect(throws: Never.self) { try GraphQLDocument(parsing: operation.document) }
    }
}
