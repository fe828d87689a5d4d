import HoldfastCodegen
import HoldfastGraphQL
import HoldfastSchema
import Testing

@Suite struct SchemaDiffTests {
    static func changes(_ old: String, _ new: String) throws -> [String] {
        try schemaChanges(from: [Source(old)], to: [Source(new)]).map { "\($0.kind.rawValue) \($0.path)" }
    }

    @Test(
        arguments: [
            ("x: Int", []), ("x: Int\n y: Int", ["additive A.y"]), ("x: Int\n y: Int!", ["breaking A.y"]),
            ("x: Int!", ["breaking A.x"]), ("x: Float", ["breaking A.x"]), ("x: [Int]", ["breaking A.x"]),
            ("z: Int", ["breaking A.x", "additive A.z"]),
            ("x: Int @index(name: \"byX\")", ["storage A", "additive A"]),
            ("x: Int @index(name: \"byX\", queryField: null)", ["storage A"]),
            ("x: Int\n id: ID!", ["storage A"]),
            ("k: ID! @primaryKey\n x: Int", ["breaking A", "breaking A.id", "breaking A.k"]),
        ] as [(String, [String])])
    func changesOfAModelAreSorted(fields: String, expected: [String]) throws {
        #expect(try Self.changes("type A @model { x: Int }", "type A @model { \(fields) }") == expected)
    }

    @Test func changesOfTypesAndEnumsAreSorted() throws {
        let old = "type A @model { x: Int } enum E { P Q } type T { y: Int }"
        let new = "type A @model { x: Int } type B @model { x: Int } enum E { P R } type T { y: String }"
        #expect(try Self.changes(old, new) == ["additive B", "breaking E.Q", "breaking E.R", "breaking T.y"])
    }

    @Test(
        arguments: [
            ("@auth(rules: [{ allow: public }])", []),
            ("@auth(rules: [{ allow: public, operations: [update, read, create, delete] }])", []),
            ("@auth(rules: [{ allow: public, operations: [read] }])", ["breaking A.x"]),
            ("@auth(rules: [{ allow: owner }])", ["breaking A.x"]), ("", ["breaking A.x"]),
        ] as [(String, [String])])
    func narrowerRulesOfAFieldAreBreaking(rules: String, expected: [String]) throws {
        let old = "type A @model { x: Int @auth(rules: [{ allow: public }]) }"
        #expect(try Self.changes(old, "type A @model { x: Int \(rules) }") == expected)
    }

    @Test func narrowerRulesOfAForeignKeyAreBreaking() throws {
        func schema(_ rules: String) -> String {
            """
            type P @model { cs: [C] @hasMany(indexName: "byP", fields: ["id"]) }
            type C @model { pId: ID @index(name: "byP") \(rules) p: P @belongsTo(fields: ["pId"]) }
            """
        }
        #expect(try Self.changes(schema(""), schema("@auth(rules: [{ allow: owner }])")) == ["breaking C.pId"])
    }

    @Test(
        arguments: [
            ("pId: ID", []), ("pId: ID!", ["breaking C.pId"]), ("pId: String", ["breaking C.pId"]),
            ("pId: ID x: Int", ["additive C.x"]),
        ] as [(String, [String])])
    func changesOfAForeignKeyAreThoseOfAField(fields: String, expected: [String]) throws {
        func schema(_ fields: String) -> String {
            """
            type P @model { cs: [C] @hasMany(references: ["pId"]) }
            type C @model { \(fields) p: P @belongsTo(references: ["pId"]) }
            """
        }
        #expect(try Self.changes(schema("pId: ID"), schema(fields)) == expected)
    }

    /// The API had the field before.
    @Test(
        arguments: [("pId: ID", []), ("pId: ID!", ["breaking C.pId"]), ("pId: String", ["breaking C.pId"])]
            as [(String, [String])])
    func aForeignKeyThatItsRelationLeavesIsNotNew(field: String, expected: [String]) throws {
        let old = """
            type P @model { cs: [C] @hasMany(references: ["pId"]) }
            type C @model { pId: ID p: P @belongsTo(references: ["pId"]) }
            """
        #expect(
            try Self.changes(old, "type P @model { x: Int } type C @model { \(field) }")
                == ["breaking C.p"] + expected + ["breaking P.cs", "additive P.x"])
    }

    @Test func aKeyThatARelationMakesChangesWithItsName() throws {
        func schema(_ list: String) -> String {
            "type P @model { \(list): [C] @hasMany } type C @model { p: P @belongsTo }"
        }
        #expect(
            try Self.changes(schema("cs"), schema("ds")) == [
                "storage C.p", "breaking C.pCsId", "additive C.pDsId", "breaking P.cs", "additive P.ds",
            ])
    }

    @Test func allowingOnlyAPartOfReadingIsBreaking() throws {
        func schema(_ operation: String) -> String {
            "type A @model @auth(rules: [{ allow: public, operations: [\(operation)] }]) { x: Int }"
        }
        #expect(try Self.changes(schema("read"), schema("get")) == ["breaking A"])
    }

    @Test(
        arguments: [
            ("(queries: { list: \"all\" })", ["additive A", "breaking A"]),
            ("(queries: { sync: null })", ["breaking A"]),
            ("(mutations: { delete: null })", ["breaking A", "breaking A"]),
            ("(subscriptions: { onCreate: [\"added\"] })", ["additive A", "breaking A"]),
            ("(subscriptions: { level: public })", []),
        ] as [(String, [String])])
    func renamedAndRemovedOperationsAreBreaking(arguments: String, expected: [String]) throws {
        #expect(try Self.changes("type A @model { x: Int }", "type A @model\(arguments) { x: Int }") == expected)
    }

    @Test func aRenamedQueryOfAnIndexIsBreaking() throws {
        func schema(_ query: String) -> String {
            "type A @model { x: Int @index(name: \"byX\", queryField: \"\(query)\") }"
        }
        #expect(try Self.changes(schema("before"), schema("later")) == ["breaking A", "additive A"])
    }

    @Test func schemasThatMakeNoSwiftCodeAreCompared() throws {
        func schema(_ fields: String) -> String {
            """
            type A @model { code: ID! bs: [B] @hasMany(indexName: "byA", fields: ["code"]) \(fields) }
            type B @model { aCode: ID @index(name: "byA") }
            """
        }
        #expect(try Self.changes(schema(""), schema("self: Int")) == ["additive A.self"])
    }

    @Test func schemasWithProblemsAreRefused() {
        #expect(throws: SchemaError.self) { try Self.changes("type A @model { x: It }", "type A @model { x: Int }") }
    }
}
