import HoldfastCodegen
import HoldfastGraphQL
import HoldfastSchema
import Testing

/// What is spelled in another way in generated code than in the schema, or is not there; the golden modules compile it.
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
        let similar = try Self.files("enum E { X_Y_Z xYZ X_YZ } type A @model { e: E }")
        #expect(Self.lines(similar["E.swift"]).suffix(4) == ["case X_Y_Z", "case xYZ", "case X_YZ", "}"])
        #expect(Self.lines(files["A.swift"]).contains("public var status: PostStatus"))
        #expect(files["A+Schema.swift"]?.contains("ofType: .enum(type: PostStatus.self)") == true)
    }

    @Test(arguments: ModelStyle.allCases)
    func theIdentifierIsTheFirstArgument(style: ModelStyle) throws {
        let schema = """
            type A @model { x: Int! id: ID! }
            type B @model { k: ID! @primaryKey(sortKeyFields: ["id"]) id: ID! }
            """
        let files = try Self.files(schema, style: style)
        for (name, other) in [("A", "x: Int"), ("B", "k: String")] {
            let lines = Self.lines(files["\(name).swift"])
            let start = try #require(lines.firstIndex(of: "public init("))
            #expect(lines[(start + 1)...].prefix(2) == ["id: String = UUID().uuidString,", other])
            #expect(lines.contains("public import Foundation"))
        }
        // Stores keep their columns where they are.
        #expect(files["A+Row.swift"]?.contains("let id: String = try row.read(1)") == true)
        #expect(files["B+Schema.swift"]?.contains(".primaryKey(fields: [b.k, b.id])") == true)
    }

    @Test(arguments: ModelStyle.allCases)
    func aListOfRecordsIsNeverRequired(style: ModelStyle) throws {
        let schema = """
            type Post @model { comments: [Comment!]! @hasMany tags: [Tag!]! @manyToMany(relationName: "PostTags") }
            type Comment @model { text: String }
            type Tag @model { posts: [Post]! @manyToMany(relationName: "PostTags") }
            """
        let files = try Self.files(schema, style: style)
        let lines = Self.lines(files["Post.swift"])
        #expect(lines.contains("public var comments: List<Comment>?"))
        #expect(lines.contains("public var tags: List<PostTags>?"))
        let definition = files["Post+Schema.swift"]?.filter { !$0.isWhitespace }
        #expect(definition?.contains(".hasMany(post.comments,is:.optional,") == true)
        #expect(Self.lines(files["Comment.swift"]).contains("public var postCommentsId: String"))
        let api = try apiSchema(of: [Source(schema)]).printed()
        #expect(api.contains("postCommentsId: ID!"))
    }

    @Test func descriptionsEndTheirLinesAnywhere() throws {
        let files = try Self.files("type A @model { \"first\\r\\nsecond\\rthird\\nfourth\" x: Int }")
        let lines = Self.lines(files["A.swift"]).filter { $0.hasPrefix("///") }
        #expect(lines == ["/// first", "/// second", "/// third", "/// fourth"])
    }

    @Test func resultsThatHoldModelsAreLeftOut() throws {
        let schema = """
            type Post @model { title: String place: Place }
            type Place { x: Int }
            type PostPage { items: [Post] nextToken: String }
            type Report { pages: [PostPage] place: Place }
            type Query { search(q: String): Report @function(name: "f-${env}") }
            """
        let types = try Set(Self.files(schema).keys).filter { !$0.contains("+") }
        #expect(types == ["AmplifyModels.swift", "Place.swift", "Post.swift"])
        let api = try apiSchema(of: [Source(schema)]).printed()
        #expect(api.contains("type Place {"))
        #expect(!api.contains("PostPage") && !api.contains("Report") && !api.contains("search("))
    }

    @Test func resultsThatCannotBeStoredAreLeftOut() throws {
        let schema = """
            type Post @model { title: String place: Place }
            type Place { x: Int }
            union Hit = Post
            interface Named { name: String }
            type Author implements Named { name: String place: Place }
            type Hits { hits: [Hit!]! nextToken: String }
            type Table { cells: [[Int]] place: Place }
            type Credit { by: Named hits: Hits }
            type Query { search(q: String): Hits @function(name: "f") table: Table credit: Credit }
            """
        let types = try Set(Self.files(schema).keys).filter { !$0.contains("+") }
        #expect(types == ["AmplifyModels.swift", "Author.swift", "Place.swift", "Post.swift"])
        let api = try apiSchema(of: [Source(schema)]).printed()
        #expect(api.contains("type Author {"))
        for name in ["Hit", "Named", "Table", "Credit", "search("] { #expect(!api.contains(name), "\(name)") }
    }
}
