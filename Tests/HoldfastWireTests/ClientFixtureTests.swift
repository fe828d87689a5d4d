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

    /// amplify-js puts its user agent among the headers; gql starts without variables and numbers its subscriptions.
    @Test(arguments: [
        (
            #"{"id":"8a1f","payload":{"data":"{\"query\":\"subscription operation { onCreatePost { id } }\",\"variables\":{}}","extensions":{"authorization":{"Authorization":"jwt","host":"h","x-amz-user-agent":"aws-amplify/6"}}},"type":"start"}"#,
            "8a1f", ["Authorization", "host", "x-amz-user-agent"]
        ),
        (
            #"{"id": "1", "type": "start", "payload": {"data": "{\"query\":\"subscription { onCreatePost { id } }\"}", "extensions": {"authorization": {"host": "h", "x-amz-date": "20240229T120000Z", "x-api-key": "k"}}}}"#,
            "1", ["host", "x-amz-date", "x-api-key"]
        ),
    ])
    func startOfOtherClientsIsRead(frame: String, id: String, headers: [String]) throws {
        guard case .start(let read, let operation, let authorization) = try ClientFrame(parsing: bytes(frame)) else {
            Issue.record("not a start frame")
            return
        }
        #expect(read == id)
        #expect(operation.document.hasPrefix("subscription"))
        #expect(authorization.headers.map(\.name) == headers)
    }
}
