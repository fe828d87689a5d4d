import HoldfastCodegen
import HoldfastGraphQL
import HoldfastSchema
import Testing

@Suite struct BadSchemaTests {
    struct Bad: Sendable, CustomTestStringConvertible {
        let name: String
        let location: String
        let says: String
        let schema: String
        var testDescription: String { name }
    }

    static let schemas = [
        Bad(name: "syntax", location: "2:9", says: "expected", schema: "type A @model {\n  name: !\n}"),
        Bad(
            name: "unknown type", location: "2:9", says: "\"Strng\" does not exist",
            schema: "type A @model {\n  name: Strng\n}"),
        Bad(
            name: "duplicate field", location: "3:3", says: "second field \"name\"",
            schema: "type A @model {\n  name: String\n  name: String\n}"),
        Bad(
            name: "duplicate type", location: "2:6", says: "second type \"A\"",
            schema: "type A @model { name: String }\ntype A @model { name: String }"),
        Bad(
            name: "unknown directive", location: "1:8", says: "@modle",
            schema: "type A @modle { name: String }\ntype B @model { name: String }"),
        Bad(
            name: "unknown directive argument", location: "2:21", says: "nam",
            schema: "type A @model {\n  x: String! @index(nam: \"byX\")\n}"),
        Bad(
            name: "relation without the other side", location: "2:3", says: "has no relation to \"A\"",
            schema: "type A @model {\n  b: B @belongsTo\n}\ntype B @model { name: String }"),
        Bad(
            name: "two relations through one list", location: "7:3", says: "\"B.y\" and \"B.x\" hold one key",
            schema: "type A @model {\n  d: [B] @hasMany\n  e: [B] @hasMany\n}\n"
                + "type B @model {\n  x: A @belongsTo\n  y: A @belongsTo\n}"),
        Bad(
            name: "relation to no model", location: "2:3", says: "which is not a model",
            schema: "type A @model {\n  b: B @hasOne\n}\ntype B { name: String }"),
        Bad(
            name: "model without directive", location: "2:3", says: "without saying how",
            schema: "type A @model {\n  b: B\n}\ntype B @model { name: String }"),
        Bad(
            name: "list without directive", location: "2:3", says: "without saying how",
            schema: "type A @model {\n  b: [B]\n}\ntype B @model { name: String }"),
        Bad(
            name: "many that are not a list", location: "2:3", says: "is not a list",
            schema: "type A @model {\n  b: B @hasMany\n}\ntype B @model { name: String }"),
        Bad(
            name: "one that is a list", location: "2:3", says: "is a list",
            schema: "type A @model {\n  b: [B] @hasOne\n}\ntype B @model { name: String }"),
        Bad(
            name: "unknown index", location: "2:30", says: "no index \"byA\"",
            schema: "type A @model {\n  b: [B] @hasMany(indexName: \"byA\", fields: [\"id\"])\n}\n"
                + "type B @model { aId: ID }"),
        Bad(
            name: "list by another field", location: "3:3", says: "are not the key of \"A\"",
            schema: "type A @model {\n  code: ID!\n  b: [B] @hasMany(indexName: \"byA\", fields: [\"code\"])\n}\n"
                + "type B @model { aCode: ID @index(name: \"byA\") }"),
        Bad(
            name: "list by a part of the key", location: "4:3", says: "are not the key of \"A\"",
            schema: "type A @model {\n  k: ID! @primaryKey(sortKeyFields: [\"n\"])\n  n: Int!\n"
                + "  b: [B] @hasMany(indexName: \"byA\", fields: [\"k\"])\n}\n"
                + "type B @model { aK: ID @index(name: \"byA\") }"),
        Bad(
            name: "list by a part of a relation's key", location: "2:3", says: "\"a\", which a relation of \"C\"",
            schema: "type A @model {\n  c: [C] @hasMany(indexName: \"byA\", fields: [\"id\"])\n  id: ID!\n}\n"
                + "type B @model {\n  a: ID! @primaryKey(sortKeyFields: [\"b\"])\n  b: ID!\n"
                + "  c: [C] @hasMany(indexName: \"byA\", fields: [\"a\", \"b\"])\n}\n"
                + "type C @model {\n  a: ID! @index(name: \"byA\", sortKeyFields: [\"b\"])\n  b: ID!\n"
                + "  parent: B @belongsTo(fields: [\"a\", \"b\"])\n}"),
        Bad(
            name: "connected list by another field", location: "3:3", says: "are not the key of \"A\"",
            schema: "type A @model {\n  code: ID!\n  b: [B] @connection(keyName: \"byA\", fields: [\"code\"])\n}\n"
                + "type B @model @key(name: \"byA\", fields: [\"aCode\"]) { aCode: ID }"),
        Bad(
            name: "missing key", location: "2:42", says: "which is not a field of \"A\"",
            schema: "type A @model {\n  x: String! @primaryKey(sortKeyFields: [\"y\"])\n}"),
        Bad(
            name: "identifier in a key without being declared", location: "2:42", says: "not a field of \"A\"",
            schema: "type A @model {\n  x: String! @primaryKey(sortKeyFields: [\"id\"])\n}"),
        Bad(
            name: "identifier in an older key without being declared", location: "1:34",
            says: "not a field of \"A\"", schema: "type A @model @key(fields: [\"x\", \"id\"]) {\n  x: String!\n}"),
        Bad(
            name: "identifier in an index beside another key", location: "2:46", says: "not a field of \"A\"",
            schema: "type A @model {\n  y: Int @index(name: \"byY\", sortKeyFields: [\"id\"])\n"
                + "  x: String! @primaryKey\n}"),
        Bad(
            name: "missing foreign key", location: "5:28", says: "which is not a field of \"B\"",
            schema: "type A @model {\n  b: [B] @hasMany\n}\ntype B @model {\n  a: A @belongsTo(fields: [\"aId\"])\n}"),
        Bad(
            name: "foreign key of another type", location: "6:3", says: "do not fit the key of \"A\"",
            schema: "type A @model {\n  b: B @hasOne\n}\ntype B @model {\n  aId: Int\n"
                + "  a: A @belongsTo(fields: [\"aId\"])\n}"),
        Bad(
            name: "declared key of another type", location: "6:3", says: "does not fit the key of \"A\"",
            schema: "type A @model {\n  b: [B] @hasMany\n}\ntype B @model {\n  aBId: Int\n  a: A @belongsTo\n}"),
        Bad(
            name: "declared key of a list", location: "2:3", says: "in \"aBId\", which does not fit the key of \"A\"",
            schema: "type A @model {\n  b: [B] @hasMany\n}\ntype B @model { aBId: Int }"),
        Bad(
            name: "declared list of keys", location: "2:3", says: "does not fit the key of \"A\"",
            schema: "type A @model {\n  b: [B] @hasMany\n}\ntype B @model { aBId: [ID] }"),
        Bad(
            name: "declared key of a record", location: "2:3", says: "does not fit the key of \"B\"",
            schema: "type A @model {\n  b: B @hasOne aBId: Int\n}\ntype B @model { x: Int }"),
        Bad(
            name: "declared key of a connected list", location: "2:3", says: "does not fit the key of \"A\"",
            schema: "type A @model {\n  b: [B] @connection(keyField: \"key\")\n}\ntype B @model { key: Int }"),
        Bad(
            name: "key that can be null", location: "2:3", says: "can be null",
            schema: "type A @model {\n  x: String @primaryKey\n}"),
        Bad(
            name: "key of booleans", location: "2:17", says: "a Boolean",
            schema: "type A @model {\n  x: Boolean!   @primaryKey\n}"),
        Bad(
            name: "identifier that is a boolean", location: "2:3", says: "a Boolean",
            schema: "type A @model {\n  id: Boolean!\n}"),
        Bad(
            name: "identifier that is an object", location: "2:3", says: "is not a single value",
            schema: "type A @model {\n  id: P!\n}\ntype P { x: Int }"),
        Bad(
            name: "identifier that is a list", location: "2:3", says: "is not a single value",
            schema: "type A @model {\n  id: [ID!]!\n}"),
        Bad(
            name: "two keys", location: "3:14", says: "second primary key",
            schema: "type A @model {\n  x: String! @primaryKey\n  y: String! @primaryKey\n}"),
        Bad(
            name: "index on a list", location: "2:16", says: "is not a single value",
            schema: "type A @model {\n  x: [String!] @index(name: \"byX\")\n}"),
        Bad(
            name: "index that names a field twice", location: "2:14", says: "names a field twice",
            schema: "type A @model {\n  x: String! @index(name: \"byX\", sortKeyFields: [\"x\"])\n}"),
        Bad(
            name: "two indexes of a name", location: "3:14", says: "second index",
            schema: "type A @model {\n  x: String! @index(name: \"byX\")\n  y: String! @index(name: \"byX\")\n}"),
        Bad(
            name: "short index name", location: "2:14", says: "too short",
            schema: "type A @model {\n  x: String! @index(name: \"x\")\n}"),
        Bad(
            name: "cyclic required relation", location: "2:3", says: "\"A\" requires itself by way of \"B\"",
            schema: "type A @model {\n  b: B! @hasOne\n}\ntype B @model {\n  a: A! @belongsTo\n}"),
        Bad(
            name: "model named like a type in use", location: "1:6", says: "reserved word",
            schema: "type Temporal @model { x: String }"),
        Bad(
            name: "type named like a member of models", location: "2:6", says: "\"Identifier\" is a reserved word",
            schema: "type A @model { x: Identifier }\ntype Identifier { y: Int }"),
        Bad(
            name: "type named like a variable of schemas", location: "2:6", says: "\"model\" is a reserved word",
            schema: "type A @model { x: model }\ntype model { y: Int }"),
        Bad(
            name: "type named like the keys of a model", location: "2:6", says: "uses for its keys",
            schema: "type Place @model { x: place }\ntype place { y: Int }"),
        Bad(
            name: "model named like a parameter of paths", location: "1:6", says: "\"ModelType\" is a reserved word",
            schema: "type ModelType @model { x: String }"),
        Bad(
            name: "enum in a key", location: "2:3", says: "no type in a key",
            schema: "type A @model {\n  x: Field! @primaryKey\n}\nenum Field { X }"),
        Bad(
            name: "model named like a root", location: "1:6", says: "reserved word",
            schema: "type Subscription @model { x: String }"),
        Bad(
            name: "field of the service", location: "2:3", says: "reserved word",
            schema: "type A @model {\n  _version: Int\n}"),
        Bad(
            name: "field that cannot be named", location: "2:3", says: "reserved word",
            schema: "type A @model {\n  self: Int\n}"),
        Bad(
            name: "list of lists", location: "2:3", says: "list of lists",
            schema: "type A @model {\n  x: [[Int]]\n}"),
        Bad(
            name: "unknown scalar", location: "2:3", says: "no Swift type",
            schema: "type A @model {\n  x: Money\n}\nscalar Money"),
        Bad(
            name: "union", location: "2:3", says: "cannot be stored",
            schema: "type A @model {\n  x: U\n}\nunion U = P\ntype P { y: Int }"),
        Bad(
            name: "embedded in itself", location: "2:6", says: "contains itself",
            schema: "type A @model { p: P }\ntype P { p: P }"),
        Bad(
            name: "model in an embedded type", location: "2:10", says: "is not a model",
            schema: "type A @model { p: P }\ntype P { a: A }"),
        Bad(
            name: "model in a part of an embedded type", location: "3:10", says: "is not a model",
            schema: "type A @model { p: P }\ntype P { q: [Q] }\ntype Q { a: [A] }"),
        Bad(
            name: "union in an embedded type", location: "2:10", says: "cannot be stored",
            schema: "type A @model { p: P }\ntype P { u: U }\nunion U = Q\ntype Q { x: Int }"),
        Bad(
            name: "list of lists in a part of an embedded type", location: "3:10", says: "list of lists",
            schema: "type A @model { p: P }\ntype P { q: [Q] }\ntype Q { x: [[Int]] }"),
        Bad(
            name: "two enums with one name", location: "2:6", says: "one name in Swift: PostStatus",
            schema: "enum POST_STATUS { X }\nenum postStatus { Y }\ntype A @model { x: Int }"),
        Bad(
            name: "enum and type with one name", location: "2:6", says: "one name in Swift: PostStatus",
            schema: "type PostStatus { x: Int }\nenum POST_STATUS { X }\ntype A @model { x: Int }"),
        Bad(
            name: "enum and join model with one name", location: "3:11", says: "one name in Swift: PostTags",
            schema: "enum post_tags { X }\n"
                + "type A @model {\n  id: ID! bs: [B] @manyToMany(relationName: \"PostTags\")\n}\n"
                + "type B @model { ys: [A] @manyToMany(relationName: \"PostTags\") }"),
        Bad(
            name: "enum named like a type in use", location: "1:6", says: "\"String\" is a reserved word",
            schema: "enum string { X }\ntype A @model { x: Int }"),
        Bad(
            name: "enum value that cannot be named", location: "2:5", says: "\"_\" is a reserved word",
            schema: "enum E {\n  X _\n}\ntype A @model { e: E }"),
        Bad(
            name: "field named like its embedded type", location: "2:3", says: "has the name of a type",
            schema: "type A @model {\n  p: p\n}\ntype p { x: Int }"),
        Bad(
            name: "field named like an enum in Swift", location: "2:3", says: "has the name of a type",
            schema: "type A @model {\n  Mood: String moods: [mood]\n}\nenum mood { X }"),
        Bad(
            name: "field named like its own type", location: "2:3", says: "has the name of a type",
            schema: "type a @model {\n  a: Int\n}"),
        hidden("UUID"), hidden("Path"), hidden("String"), hidden("Temporal"), hidden("CodingKeys"),
        hidden("Bool", beside: "y: Boolean"), hidden("List", beside: "b: [B] @hasMany"),
        hidden("LazyReference", beside: "b: B @hasOne"),
        Bad(
            name: "field named like what holds a parent", location: "3:3", says: "the property that holds \"B.a\"",
            schema: "type A @model { b: [B] @hasMany }\ntype B @model {\n  _a: String a: A @belongsTo\n}"),
        Bad(
            name: "field named like what holds a record", location: "2:16", says: "the property that holds \"A.b\"",
            schema: "type A @model {\n  b: B @hasOne _b: Int\n}\ntype B @model { x: Int }"),
        Bad(
            name: "scalar hidden in an embedded type", location: "2:10", says: "has the name of a type",
            schema: "type A @model { p: P }\ntype P { Int: Int }"),
        Bad(
            name: "many to many with one side", location: "2:3", says: "in 1 places",
            schema: "type A @model {\n  b: [B] @manyToMany(relationName: \"AB\")\n}\ntype B @model { x: Int }"),
        Bad(
            name: "many to many with itself", location: "3:3", says: "do not lead to each other",
            schema: "type A @model {\n  a: [A] @manyToMany(relationName: \"AA\")\n"
                + "  b: [A] @manyToMany(relationName: \"AA\")\n}"),
        Bad(
            name: "unknown enum value of a directive", location: "1:38", says: "everybody",
            schema: "type A @model @auth(rules: [{ allow: everybody }]) { x: Int }"),
        rule("no rules", "1:15", "has no rules", rules: ""),
        Bad(
            name: "rules on a type without records", location: "2:8", says: "which is not a model",
            schema: "type A @model { p: P }\ntype P @auth(rules: [{ allow: owner }]) { x: Int }"),
        rule("groups without a name", "1:29", "without saying which", rules: "{ allow: groups }"),
        Bad(
            name: "single rule", location: "1:28", says: "without saying which",
            schema: "type A @model @auth(rules: { allow: groups }) { x: Int }"),
        rule("no group", "1:54", "names no group", rules: "{ allow: groups, groups: [] }"),
        rule(
            "groups twice", "1:54", "both \"groups\" and \"groupsField\"",
            rules: "{ allow: groups, groups: [\"G\"], groupsField: \"x\" }"),
        rule("owner with credentials", "1:55", "provider \"iam\"", rules: "{ allow: owner, provider: iam }"),
        rule(
            "groups with credentials", "1:56", "provider \"iam\"",
            rules: "{ allow: groups, provider: iam, groups: \"G\" }"),
        rule("public with a token", "1:56", "provider \"oidc\"", rules: "{ allow: public, provider: oidc }"),
        rule("private with a key", "1:57", "provider \"apiKey\"", rules: "{ allow: private, provider: apiKey }"),
        rule("custom with a pool", "1:56", "provider \"userPools\"", rules: "{ allow: custom, provider: userPools }"),
        rule(
            "claim of a user for groups", "1:76", "\"identityClaim\" goes with",
            rules: "{ allow: groups, groups: [\"G\"], identityClaim: \"sub\" }"),
        rule(
            "claim of groups for an owner", "1:57", "\"groupClaim\" goes with",
            rules: "{ allow: owner, groupClaim: \"sub\" }"),
        rule(
            "a part of reading with reading", "1:57", "part of \"read\"",
            rules: "{ allow: owner, operations: [read, get] }"),
        Bad(
            name: "a part of reading on a field", location: "2:53", says: "is not an operation on a field",
            schema: "type A @model {\n  x: Int @auth(rules: [{ allow: public, operations: [list] }])\n}"),
        Bad(
            name: "owner as a sort key", location: "1:57", says: "names the owner",
            schema: "type A @model @auth(rules: [{ allow: owner, ownerField: \"y\" }]) {\n"
                + "  x: ID! @primaryKey(sortKeyFields: [\"y\"])\n  y: String!\n}"),
        Bad(
            name: "relation as an owner", location: "1:57", says: "\"B\" cannot hold a name",
            schema: "type A @model @auth(rules: [{ allow: owner, ownerField: \"b\" }]) { b: B @hasOne }\n"
                + "type B @model { x: Int }"),
        Bad(
            name: "owner that is none", location: "1:29", says: "\"Boolean\" cannot hold a name",
            schema: "type A @model @auth(rules: [{ allow: owner }]) { owner: Boolean }"),
        Bad(
            name: "number as an owner", location: "2:52", says: "\"Int\" cannot hold a name",
            schema: "type A @model {\n  x: Int @auth(rules: [{ allow: owner, ownerField: \"n\" }]) n: Int\n}"),
        Bad(
            name: "enum as an owner", location: "1:57", says: "\"E\" cannot hold a name",
            schema: "type A @model @auth(rules: [{ allow: owner, ownerField: \"e\" }]) { e: E }\nenum E { X }"),
        Bad(
            name: "numbers as groups", location: "1:59", says: "\"Int\" cannot hold a name",
            schema: "type A @model @auth(rules: [{ allow: groups, groupsField: \"n\" }]) { n: [Int] }"),
        Bad(
            name: "default of a list", location: "2:13", says: "is not a single value",
            schema: "type A @model {\n  x: [Int!] @default(value: \"1\")\n}"),
        Bad(
            name: "default of an object", location: "2:8", says: "is not a single value",
            schema: "type A @model {\n  p: P @default(value: \"{}\")\n}\ntype P { x: Int }"),
        Bad(
            name: "default in an object", location: "2:17", says: "is not a model",
            schema: "type A @model { p: P }\ntype P { x: Int @default(value: \"1\") }"),
        Bad(
            name: "default without a value", location: "2:10", says: "has no value",
            schema: "type A @model {\n  x: Int @default\n}"),
        Bad(
            name: "default of another enum", location: "3:24", says: "not a value of \"E\"",
            schema: "enum E { P Q }\ntype A @model {\n  e: E @default(value: \"R\")\n}"),
        Bad(name: "no models", location: "1:6", says: "no models", schema: "type A { x: Int }"),
    ]

    /// A model with a field that has the name of a type in its code.
    private static func hidden(_ name: String, beside other: String = "") -> Bad {
        Bad(
            name: "field named \(name)", location: "2:3", says: "has the name of a type",
            schema: "type A @model {\n  \(name): String \(other)\n}\ntype B @model { x: Int }")
    }

    /// A model with rules, the first of which begins in column 29.
    private static func rule(_ name: String, _ location: String, _ says: String, rules: String) -> Bad {
        Bad(
            name: name, location: location, says: says,
            schema: "type A @model @auth(rules: [\(rules)]) {\n  x: String\n}")
    }

    @Test(
        arguments: [
            ("Int", "1.5"), ("Float", "x"), ("Boolean", "yes"), ("AWSTimestamp", "now"), ("AWSDate", "2024-2-9"),
            ("AWSTime", "noon"), ("AWSDateTime", "2024-02-29"), ("AWSEmail", "someone"), ("AWSJSON", "{x"),
            ("AWSPhone", "ring"), ("AWSURL", "example"), ("AWSIPAddress", "localhost"),
        ])
    func defaultsThatAreNoneOfTheirFields(type: String, value: String) throws {
        let source = Source("type A @model {\n  x: \(type) @default(value: \"\(value)\")\n}")
        let problem = try #require(schemaProblems(in: [source]).first)
        #expect(problem.location.description == "2:\(23 + type.utf8.count)")
        #expect(problem.message == "the default of \"A.x\" is not a value of \"\(type)\"")
        #expect(problem.hint != nil)
    }

    @Test(arguments: schemas)
    func aBadSchemaHasOneProblemWithALocationAndAHint(bad: Bad) throws {
        let source = Source(bad.schema, name: "bad.graphql")
        let error = #expect(throws: SchemaError.self) { try generateModels([source]) }
        let problems = try #require(error?.problems)
        #expect(problems.count == 1, "\(problems)")
        #expect(problems[0].location.description == bad.location, "\(problems[0])")
        #expect(problems[0].message.contains(bad.says), "\(problems[0])")
        #expect(problems[0].source == "bad.graphql")
        let knowsWayOut = problems[0].hint?.isEmpty == false || problems[0].message.contains("; expected ")
        #expect(knowsWayOut, "\(problems[0])")
        #expect(problems == schemaProblems(in: [source]))
    }

    @Test func ownersAndGroupsMayHaveNamesOfOtherTypes() {
        let schema = """
            type A @model @auth(rules: [
              { allow: owner, ownerField: "mail", identityClaim: "email" }, { allow: groups, groupsField: "teams" }
              { allow: owner, ownerField: "ids" }, { allow: groups, groupsField: "undeclared" }
            ]) { mail: AWSEmail teams: [Team] ids: [ID!] }
            enum Team { RED BLUE }
            """
        #expect(schemaProblems(in: [Source(schema)]) == [])
    }

    @Test func indexesMayNameTheIdentifierThatIsNotDeclared() {
        let schema = "type A @model { x: Int @index(name: \"byX\", sortKeyFields: [\"id\"]) }"
        #expect(schemaProblems(in: [Source(schema)]) == [])
    }

    @Test func fieldsMayHaveTheNamesOfTypesThatTheirCodeDoesNotUse() {
        let schema = """
            type A @model { UUID: ID! @primaryKey List: Float Bool: Int Model: Float p: P _p: Int }
            type B @model { x: Int _x: Int many: [A] @hasMany _many: Int }
            type P { Path: String UUID: ID }
            """
        #expect(schemaProblems(in: [Source(schema)]) == [])
    }

    @Test func allProblemsAreReportedAtOnce() throws {
        let schema = """
            type A @model {
              x: Strng
              y: String
              y: String
              b: B @belongsTo
              c: String @primaryKey
            }
            type B @model {
              self: Int
            }
            """
        let lines = schemaProblems(in: [Source(schema)]).map(\.location.line)
        #expect(lines == [2, 4, 5, 6, 9])
    }

    @Test func aProblemNamesItsSource() {
        let sources = [
            Source("type A @model { x: Int }", name: "a.graphql", index: 0),
            Source("type B @model { x: It }", name: "b.graphql", index: 1),
        ]
        #expect(schemaProblems(in: sources).map(\.source) == ["b.graphql"])
        #expect(schemaProblems(in: sources).first?.description.hasPrefix("b.graphql:1:20: error: ") == true)
    }

    /// Whatever is missing from a schema, it makes models or has problems with places; nothing crashes.
    @Test(arguments: Fixture.groups.values.flatMap(\.self).sorted())
    func everyProblemOfASchemaWithoutALineHasALocation(name: String) throws {
        let text = String(decoding: try Fixture.source(name).bytes, as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for index in lines.indices {
            var left = lines
            left.remove(at: index)
            do throws(SchemaError) {
                _ = try generateModels([Source(left.joined(separator: "\n"))])
            } catch {
                #expect(error.problems.allSatisfy { $0.location != .none })
            }
        }
    }

    @Test(
        arguments: [
            "type A @model @key(fields: [\"x\"]) { y: Int b: [B] @connection }\ntype B @model { z: Int }",
            "type A @model { a: [A] @connection(name: \"AA\") }",
            "type A @model { b: [B] @hasMany(fields: []) }\ntype B @model { a: A @belongsTo(fields: []) }",
            "type A @model { b: [B] @manyToMany(relationName: \"\") }\ntype B @model { a: [A] @hasMany }",
            "type A @model(timestamps: { createdAt: null }) { x: Int }\nextend type A { y: Int }",
            "extend type A { y: Int }", "", "{", "\u{0}", "query { a }", "type Query { a: Int }",
        ])
    func everyProblemOfAnOddSchemaHasAMessage(schema: String) {
        for problem in schemaProblems(in: [Source(schema)]) { #expect(!problem.message.isEmpty) }
    }
}
