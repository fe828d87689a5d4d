import HoldfastStorage
import HoldfastWire
import Testing

/// Errors as the service and its emulators write them.
@Suite struct ResponseErrorTests {
    private func errors(_ json: String) throws -> [ServiceError] {
        try WireFixtures.postModel.record(bytes(#"{"data":{"getPost":null},"errors":"# + json + "}")).errors
    }

    @Test func conflictCarriesTheRecord() throws {
        let answer = try WireFixtures.commentModel.record(
            bytes(
                """
                {"data":{"updateNote":null},"errors":[{"path":["updateNote"],
                 "data":{"id":"n","content":"c","_version":7,"_deleted":true,"_lastChangedAt":1601499066604},
                 "errorType":"ConflictUnhandled","errorInfo":null,
                 "locations":[{"line":2,"column":3,"sourceName":null}],"message":"Conflict resolver rejects mutation."}]}
                """))
        #expect(answer.result == nil)
        let error = try #require(answer.errors.first)
        #expect(error.kind == .conflict)
        #expect(error.path == ["updateNote"])
        #expect(error.locations == [ServiceError.Location(line: 2, column: 3)])
        let items = try #require(WireFixtures.commentModel.record(of: error))
        #expect(items.items == [RemoteItem(version: 7, lastChangedAt: 1_601_499_066_604, isDeleted: true)])
        #expect(items.rows[0, 2] == .text("n"))
        #expect(error.description == "ConflictUnhandled at updateNote")
    }

    /// AppSync does not read relations for the record of a conflict.
    @Test(arguments: [
        (#""post":{"id":"p"}"#, true), (#""post":null"#, false), (#""updatedAt":null"#, false),
        (#""post":null,"_deleted":true"#, true),
    ])
    func aConflictWithoutRelationsHasNoRecord(_ members: String, _ hasRecord: Bool) throws {
        let data = #"{"id":"n","content":"c",\#(members),"_version":7,"_lastChangedAt":1}"#
        let error = try #require(
            try errors(#"[{"errorType":"ConflictUnhandled","message":"m","data":\#(data)}]"#).first)
        #expect((WireFixtures.commentModel.record(of: error) != nil) == hasRecord)
    }

    @Test func extensionsWinOverTheTop() throws {
        let json = #"[{"message":"m","errorType":"A","data":null,"extensions":{"errorType":"B","data":{"id":"x"}}}]"#
        let error = try #require(try errors(json).first)
        #expect(error.errorType == "B")
        #expect(error.data == ["id": "x"])
    }

    @Test func anObjectIsOneError() throws {
        #expect(
            try errors(#"{"errorType":"LimitExceededError","message":"Rate limit exceeded"}"#).map(\.kind) == [
                .throttled
            ])
        #expect(try errors("null").isEmpty)
        #expect(try errors("[null]").isEmpty)
    }

    @Test(
        arguments: [
            ("ConflictUnhandled", "", .conflict),
            ("ConditionalCheckFailedException", "The conditional request failed", .conditionFailed),
            ("DynamoDB:ConditionalCheckFailedException", "", .conditionFailed),
            ("Unauthorized", "Not Authorized to access createPost on type Mutation", .unauthorized),
            ("UnauthorizedException", "You are not authorized to make this call.", .unauthorized),
            ("UnauthorizedException", "Token has expired.", .tokenExpired),
            ("com.amazonaws.deepdish.graphql.auth#UnauthorizedException", "", .unauthorized),
            ("UnrecognizedClientException", "The security token is invalid.", .unauthenticated),
            ("com.amazonaws#InvalidSignatureException", "", .unauthenticated),
            ("ExpiredTokenException", "", .tokenExpired),
            ("OperationDisabled", "", .operationDisabled),
            ("MaxSubscriptionsReachedError", "Max number of 100 subscriptions reached", .tooManySubscriptions),
            ("MaxSubscriptionsReachedException", "", .tooManySubscriptions),
            ("LimitExceededError", "Rate limit exceeded", .throttled),
            ("DynamoDB:ProvisionedThroughputExceededException", "", .throttled),
            (
                "DynamoDB:DynamoDbException",
                "Throughput exceeds the current capacity of your table or index. (Service: DynamoDb, Status Code: 400)",
                .throttled
            ),
            ("DynamoDB:DynamoDbException", "Rate of requests exceeds the allowed throughput.", .throttled),
            (
                "DynamoDB:DynamoDbException", "Internal server error (Service: DynamoDb, Status Code: 500)",
                .serviceFailed
            ),
            ("DynamoDB:DynamoDbException", "Type mismatch (Service: DynamoDb, Status Code: 400)", .other),
            // The words of other errors may be those of a value.
            ("Custom", "Status Code: 500", .other),
            ("MaxConflicts", "", .serviceFailed),
            ("InternalFailure", "", .serviceFailed),
            ("InternalServerError", "", .serviceFailed),
            ("DynamoDB:InternalServerErrorException", "", .serviceFailed),
            ("ServiceUnavailable", "", .serviceFailed),
            ("ServiceUnavailableException", "", .serviceFailed),
            ("BadRequestException", "", .invalidRequest),
            ("MalformedHttpRequestException", "Request body is empty.", .invalidRequest),
            ("UnsupportedOperation", "unknown not supported through the realtime channel", .invalidRequest),
            (
                nil, "Validation error of type FieldUndefined: Field 'x' in type 'Query' is undefined @ 'x'",
                .schemaMismatch
            ),
            (
                "ValidationError", "Validation error of type UnknownType: Unknown type CreatePostInput",
                .schemaMismatch
            ),
            (
                nil, "Validation error of type UnknownArgument: Unknown field argument condition @ 'updatePost'",
                .schemaMismatch
            ),
            (
                nil,
                "The variables input contains a field name 'f' that is not defined for input object type 'UpdatePostInput'",
                .schemaMismatch
            ),
            // Not every field can be in a condition, and a value is not a part of the schema.
            (
                nil,
                "The variables input contains a field name 'id' that is not defined for input object type 'ModelAInput'",
                .invalidRequest
            ),
            (nil, "Validation error of type WrongType: argument 'limit' with value 'x'", .invalidRequest),
            ("ValidationError", "", .invalidRequest),
            ("Custom", "Validation error of type FieldUndefined: Field 'x' in type 'Query' is undefined", .other),
            (nil, "Variable 'input' has coerced Null value for NonNull type 'CreatePostInput!'", .invalidRequest),
            (
                nil,
                "Cannot return null for non-nullable type: 'Int' within parent 'Post' (/syncPosts/items[0]/_version)",
                .invalidData
            ),
            ("Custom", "m", .other),
            (nil, "m", .other),
        ] as [(String?, String, ServiceError.Kind)])
    func theTypeDecidesWhatToDo(type: String?, message: String, kind: ServiceError.Kind) {
        #expect(ServiceError(message, errorType: type).kind == kind)
    }

    /// A resolver may have passed on what another service said.
    @Test func onlyTheWholeRequestIsOfTheSchema() {
        let message = "Validation error of type FieldUndefined: Field 'x' in type 'Query' is undefined"
        #expect(ServiceError(message, path: ["createPost"]).kind == .invalidRequest)
        #expect(ServiceError(message, path: []).kind == .schemaMismatch)
    }

    @Test(
        arguments: [
            (200, nil), (401, .unauthorized), (403, .unauthorized), (429, .throttled), (500, .serviceFailed),
            (503, .serviceFailed), (408, .serviceFailed), (400, .invalidRequest), (404, .invalidRequest),
        ] as [(Int, ServiceError.Kind?)])
    func theStatusDecidesWhatToDo(status: Int, kind: ServiceError.Kind?) {
        #expect(ServiceError.Kind(status: status) == kind)
    }

    @Test func errorsAreReadFromAnyBody() throws {
        let body = #"{"errors":[{"errorType":"UnauthorizedException","message":"Token has expired."}],"x":[{}]}"#
        #expect(try ServiceError.all(in: bytes(body)).map(\.kind) == [.tokenExpired])
        #expect(try ServiceError.all(in: bytes("{}")).isEmpty)
        #expect(throws: WireError.self) { try ServiceError.all(in: bytes("<html>")) }
    }

    @Test func errorIsWrittenFlatWithSixMembers() throws {
        let error = ServiceError(
            "m", errorType: "Unauthorized", path: ["createPost", 0],
            locations: [ServiceError.Location(line: 2, column: 3)])
        #expect(
            error.json.text == #"{"path":["createPost",0],"data":null,"errorType":"Unauthorized","errorInfo":null,"#
                + #""locations":[{"line":2,"column":3,"sourceName":null}],"message":"m"}"#)
        #expect(try errors("[\(error.json.text)]") == [error])
    }
}
