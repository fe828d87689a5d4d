import HoldfastGraphQL
import HoldfastModel
import HoldfastStorage
import HoldfastWire
import Testing

/// The documents of amplify-swift, byte for byte where its own tests show them.
@Suite struct DocumentTests {
    private let own = """
        id
              content
              createdAt
              draft
              rating
              status
              title
              updatedAt
              __typename
              _version
              _deleted
              _lastChangedAt
        """

    @Test func syncQueryIsThatOfAmplifySwift() {
        let operation = WireFixtures.postModel.sync(limit: 1000, nextToken: "t", lastSync: 1_601_499_066_604)
        #expect(
            operation.document == """
                query SyncPosts($lastSync: AWSTimestamp, $limit: Int, $nextToken: String) {
                  syncPosts(lastSync: $lastSync, limit: $limit, nextToken: $nextToken) {
                    items {
                      \(own)
                    }
                    nextToken
                    startedAt
                  }
                }
                """)
        #expect(
            operation.variables == ["lastSync": 1_601_499_066_604, "limit": 1000, "nextToken": "t"])
    }

    @Test func lazyRelationIsSelectedByItsKey() {
        #expect(
            WireFixtures.commentModel.sync(limit: 1000).document == """
                query SyncComment4V2s($limit: Int) {
                  syncComment4V2s(limit: $limit) {
                    items {
                      id
                      content
                      createdAt
                      updatedAt
                      post {
                        id
                        __typename
                        _deleted
                      }
                      __typename
                      _version
                      _deleted
                      _lastChangedAt
                    }
                    nextToken
                    startedAt
                  }
                }
                """)
    }

    @Test func updateIsThatOfAmplifySwift() {
        let operation = WireFixtures.bookModel.mutation(
            .update, input: ["isbn": "x"], condition: ["title": ["eq": "t"]])
        #expect(
            operation.document == """
                mutation UpdateBook($condition: ModelBookConditionInput, $input: UpdateBookInput!) {
                  updateBook(condition: $condition, input: $input) {
                    isbn
                    edition
                    createdAt
                    tags
                    title
                    updatedAt
                    author {
                      id
                      createdAt
                      mood
                      name
                      updatedAt
                      __typename
                      _version
                      _deleted
                      _lastChangedAt
                    }
                    __typename
                    _version
                    _deleted
                    _lastChangedAt
                  }
                }
                """)
        #expect(
            WireValue.object(operation.variables ?? [:]).text
                == #"{"condition":{"title":{"eq":"t"}},"input":{"isbn":"x"}}"#)
    }

    @Test func getNamesItsKey() {
        let get = WireFixtures.postModel.get(RecordKey("a"))
        #expect(get.document.hasPrefix("query GetPost($id: ID!) {\n  getPost(id: $id) {\n    id\n"))
        #expect(get.variables == ["id": "a"])
        let composite = WireFixtures.bookModel.get(RecordKey([.text("a\"\n\\"), .integer(2)]))
        #expect(composite.document.hasPrefix("query GetBook {\n  getBook(edition: 2, isbn: \"a\\\"\\n\\\\\") {\n"))
        #expect(composite.variables == nil)
    }

    @Test func listHasNoWatermark() {
        let list = WireFixtures.postModel.list(filter: ["title": ["eq": "t"]], limit: 5)
        #expect(
            list.document.hasPrefix(
                "query ListPosts($filter: ModelPostFilterInput, $limit: Int) {\n  listPosts(filter: $filter, limit: $limit) {"
            ))
        #expect(list.document.hasSuffix("    }\n    nextToken\n  }\n}"))
    }

    @Test func subscriptionHasOwnerArguments() {
        let model = WireFixtures.model("Secret")
        let owners = [OwnerArgument(name: "owner", value: "ann")]
        let document = model.subscription(to: .update, owners: owners).document
        #expect(document.hasPrefix("subscription OnUpdateSecret($owner: String!) {\n  onUpdateSecret(owner: $owner) {"))
        #expect(document.hasSuffix("    _lastChangedAt\n    owner\n  }\n}"))
        #expect(
            WireFixtures.postModel.subscription(to: .create).document.hasPrefix(
                "subscription OnCreatePost {\n  onCreatePost {"))
    }

    /// An argument would keep away the events of records that another rule lets the user read.
    @Test(
        arguments: [
            ([AuthRule(allow: .owner, identityClaim: "cognito:username")], ["owner ann"]),
            ([AuthRule(allow: .owner), AuthRule(allow: .owner, operations: [.read])], ["owner ann"]),
            ([AuthRule(allow: .owner, ownerField: "editor", identityClaim: "sub")], ["editor s"]),
            ([AuthRule(allow: .owner), AuthRule(allow: .groups, groups: ["Other"])], ["owner ann"]),
            ([AuthRule(allow: .owner), AuthRule(allow: .private, operations: [.create])], ["owner ann"]),
            ([AuthRule(allow: .owner), AuthRule(allow: .private, provider: .iam)], ["owner ann"]),
            ([AuthRule(allow: .owner), AuthRule(allow: .private, operations: [.read])], []),
            ([AuthRule(allow: .owner), AuthRule(allow: .public, provider: .userPools)], []),
            ([AuthRule(allow: .owner), AuthRule(allow: .custom, provider: .userPools)], []),
            ([AuthRule(allow: .owner), AuthRule(allow: .groups, groups: ["Admin"])], []),
            ([AuthRule(allow: .owner), AuthRule(allow: .groups, groupsField: "teams")], []),
            ([AuthRule(allow: .owner), AuthRule(allow: .groups, groupClaim: "roles", groups: ["Other"])], []),
            ([AuthRule(allow: .owner), AuthRule(allow: .owner, ownerField: "editor")], []),
            ([AuthRule(allow: .owner), AuthRule(allow: .owner, identityClaim: "sub")], []),
            ([AuthRule(allow: .owner, ownerField: "editors")], []),
            ([AuthRule(allow: .owner, identityClaim: "email")], []),
            ([AuthRule(allow: .owner, identityClaim: "nickname")], []),
            ([AuthRule(allow: .owner, identityClaim: "name")], []),
            ([AuthRule(allow: .owner, identityClaim: "sub::username")], []),
            ([AuthRule(allow: .private)], []), ([], []),
        ] as [(AuthRules, [String])])
    func ownerArgumentsFollowTheRules(rules: AuthRules, expected: [String]) throws {
        let claims = ["username": "ann", "sub": "s", "nickname": "", "name": "ann::ben"]
        let owners = try Self.owned(rules).ownerArguments(for: .userPools, groups: ["Admin"]) { claims[$0] }
        #expect(owners.map { "\($0.name) \($0.value)" } == expected)
    }

    /// Who may read one field of a record may listen to the record.
    @Test func ownerArgumentsFollowTheRulesOfFields() throws {
        let rules = [AuthRule(allow: .owner)]
        let same = try Self.owned(rules, title: rules).ownerArguments { _ in "ann" }
        #expect(same == [OwnerArgument(name: "owner", value: "ann")])
        let others = [AuthRule(allow: .private, operations: [.read])]
        #expect(try Self.owned(rules, title: others).ownerArguments { _ in "ann" }.isEmpty)
    }

    private static func owned(_ rules: AuthRules, title: AuthRules = []) throws -> WireModel {
        let fields = [
            ModelField(name: "id", type: .string, isRequired: true),
            ModelField(name: "title", type: .string, authRules: title),
            ModelField(name: "editors", type: .embeddedCollection(of: String.self)),
        ]
        let schema = ModelSchema(
            name: "Note", authRules: rules, attributes: [.primaryKey(fields: ["id"])],
            fields: Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0) }))
        return try WireModel(schema, among: [:])
    }

    @Test(
        arguments: [
            (.read, true, [.userPools, .oidc]), (.create, true, [.userPools, .oidc]),
            (.delete, true, [.userPools, .oidc]),
            (.read, false, []),
        ] as [(ModelOperation, Bool, [AuthRuleProvider])])
    func authModesFollowTheRules(operation: ModelOperation, isSignedIn: Bool, modes: [AuthRuleProvider]) {
        #expect(WireFixtures.model("Secret").authModes(for: operation, isSignedIn: isSignedIn) == modes)
    }

    @Test func authModesAreTriedInTheOrderOfAllClients() throws {
        let rules = [
            AuthRule(allow: .public, provider: .iam), AuthRule(allow: .public), AuthRule(allow: .private),
            AuthRule(allow: .private, provider: .iam), AuthRule(allow: .groups, provider: .oidc),
            AuthRule(allow: .custom, operations: [.read]),
        ]
        let schema = ModelSchema(
            name: "M", authRules: rules, attributes: [.primaryKey(fields: ["id"])],
            fields: ["id": ModelField(name: "id", type: .string, isRequired: true)])
        let model = try WireModel(schema, among: [:])
        #expect(model.authModes(for: .read, isSignedIn: true) == [.function, .oidc, .userPools, .iam, .apiKey])
        #expect(model.authModes(for: .update, isSignedIn: true) == [.oidc, .userPools, .iam, .apiKey])
        #expect(model.authModes(for: .read, isSignedIn: false) == [.function, .iam, .apiKey])
        #expect(WireFixtures.postModel.authModes(for: .read, isSignedIn: true).isEmpty)
    }

    @Test func embeddedValuesAreSelectedWhole() {
        #expect(
            WireFixtures.model("Secret").list().document.contains(
                """
                      place {
                        floors {
                          number
                          __typename
                        }
                        street
                        __typename
                      }
                      places {
                        floors {
                """))
    }

    @Test func firstLetterIsRaisedOnlyInNames() {
        let model = WireFixtures.model("project")
        #expect(
            model.mutation(.delete, input: [:]).document.hasPrefix(
                "mutation DeleteProject($input: DeleteProjectInput!) {\n  deleteProject(input: $input) {"))
        #expect(model.sync().document.hasPrefix("query SyncProjects {\n  syncProjects {"))
    }

    @Test(arguments: ["Post", "Comment4V2", "Book", "Author", "Secret", "project"])
    func documentsAreGraphQL(name: String) throws {
        let model = WireFixtures.model(name)
        let key = RecordKey(
            model.keyColumns.map { model.columns[$0].type == .int ? .integer(1) : .text("\u{1F600}\\") })
        for relations in [RelationSelection.keys, .fields] {
            let operations = [
                model.get(key, relations: relations),
                model.get(key, list: "children", of: model, limit: 1, nextToken: "a", relations: relations),
                model.list(filter: [:], limit: 1, relations: relations),
                model.sync(filter: [:], limit: 1, nextToken: "a", lastSync: 0, relations: relations),
                model.mutation(.create, input: [:], condition: [:], relations: relations),
                model.subscription(to: .delete, filter: [:], relations: relations),
            ]
            for operation in operations {
                #expect(throws: Never.self) { try GraphQLDocument(parsing: operation.document) }
            }
        }
    }

    @Test func aListOfOneRecordIsRequestedThroughItsField() {
        let operation = WireFixtures.postModel.unversioned.get(
            RecordKey("p"), list: "comments", of: WireFixtures.commentModel.unversioned, limit: 3, nextToken: "t")
        #expect(
            operation.document == """
                query GetPost($id: ID!, $limit: Int, $nextToken: String) {
                  getPost(id: $id) {
                    comments(limit: $limit, nextToken: $nextToken) {
                      items {
                        id
                        content
                        createdAt
                        updatedAt
                        post {
                          id
                          __typename
                        }
                        __typename
                      }
                      nextToken
                    }
                  }
                }
                """)
        #expect(operation.variables == ["id": "p", "limit": 3, "nextToken": "t"])
    }

    @Test func includedRecordsAreSelectedOnceWithWhatTheirOwnAre() throws {
        let schemas = WireFixtures.schemas
        let schema = try #require(schemas["Comment4V2"])
        let paths = [["post"], ["post"]]
        let included = try WireFixtures.commentModel.unversioned.including(paths, of: schema, among: schemas)
        let fields = WireFixtures.commentModel.unversioned.get(RecordKey("c"), relations: .fields)
        #expect(included.get(RecordKey("c"), relations: .keys).document == fields.document)
        #expect(throws: ModelError.self) {
            try WireFixtures.commentModel.including([["content"]], of: schema, among: schemas)
        }
        #expect(throws: ModelError.self) {
            try WireFixtures.commentModel.including([["post", "nothing"]], of: schema, among: schemas)
        }
    }

    @Test func bodyIsReadBack() throws {
        for operation in [
            WireOperation("query A { a }"),
            WireOperation("query A($b: Int) { a(b: $b) }", variables: ["b": [1, nil]], operationName: "A"),
        ] {
            #expect(try WireOperation(parsing: operation.body) == operation)
        }
        #expect(try WireOperation(parsing: bytes(#"{"variables":null,"query":"{a}","x":[1]}"#)).variables == nil)
    }

    @Test(arguments: [
        ("[]", "an array where an object is expected"), ("{}", "no 'query'"),
        (#"{"query":1}"#, "query: a number where a string is expected"),
        (#"{"query":"{a}","variables":[]}"#, "variables: a value other than an object or null"),
    ])
    func brokenBodyIsRefused(body: String, message: String) {
        let error = #expect(throws: WireError.self) { try WireOperation(parsing: bytes(body)) }
        #expect(error?.description == message)
    }

    @Test func descriptionHasNoValue() {
        let operation = WireFixtures.postModel.list(filter: ["title": ["eq": "secret"]])
        #expect(!operation.description.contains("secret"))
        #expect(operation.description == "query ListPosts($filter: ModelPostFilterInput)  [\"filter\"]")
    }
}
