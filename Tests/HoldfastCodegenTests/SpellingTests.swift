import HoldfastCodegen
import HoldfastGraphQL
import HoldfastSchema
import Testing

/// What is spelt in another way in generated code than in the schema, or is not there; the golden modules compile it.
@Suite struct SpellingTests {
    static func files(_ schema: String, style: ModelStyle = .lazy) throws -> [String: String] {
        let files = try generateModels([Source(schema)], options: GenerationOptions(style: style))
        return Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.contents) })
    }

    /// The lines of a text without the space before them.
    static func lines(_ text: String?) -> [String] {
        (text ?? "").split(separator: "\n").map { line in String(line.drop { $0 == " " }) }
    }

    @Test func enumsHaveNamesOfSwift() throws {
        let files = try Self.files("enum POST_STATUS { OPEN NONE SELF _1 } type A @model { status: POST_STATUS! }")
        #expect(
            Self.lines(files["POST_STATUS.swift"]).suffix(6) == [
                "public enum PostStatus: String, EnumPersistable {", "case open = \"OPEN\"", "case none = \"NONE\"",
                "case `self` = \"SELF\"", "case _1", "}",
            ])
        #expect(Self.lines(files["A.swift"]).contains("public var status: PostStatus"))
        #expect(files["A+Schema.swift"]?.contains("ofType: .enum(type: PostStatus.self)") == true)
    }
}
