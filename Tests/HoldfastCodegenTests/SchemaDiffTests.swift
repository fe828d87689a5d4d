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
            ("z: Int", ["breaking A.x", "additive A.z"]), ("x: Int @index(name: \"byX\")", ["storage A"]),
            ("x: Int\n id: ID!", ["storage A"]),
            ("k: ID! @primaryKey\n x: Int", ["breaking A", "breaking A.id", "breaking A.k"]),
        ] as [(String, [String])])
    func ofOneModel(fields: String, expected: [String]) throws {
        #expect(try Self.changes("type A @model { x: Int }", "type A @model { \(fields) }") == expected)
    }

    @Test func ofTypesAndEnums() throws {
        let old = "type A @model { x: Int } enum E { P Q } type T { y: Int }"
        let new = "type A @model { x: Int } type B @model { x: Int } enum E { P R } type T { y: String }"
        #expect(try Self.changes(old, new) == ["additive B", "breaking E.Q", "additive E.R", "breaking T.y"])
    }

    @Test func ofSchemasWithProblems() {
        #expect(throws: SchemaError.self) { try Self.changes("type A @model { x: It }", "type A @model { x: Int }") }
    }
}
