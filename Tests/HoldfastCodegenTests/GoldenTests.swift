import Foundation
import HoldfastCodegen
import HoldfastGraphQL
import Testing

@Suite struct GoldenTests {
    static let command = "HOLDFAST_RECORD=1 swift test --filter GoldenTests"

    @Test(arguments: Fixture.groups.keys.sorted(), ModelStyle.allCases)
    func theCompiledModelsAreTheGeneratedOnes(group: String, style: ModelStyle) throws {
        let golden = GoldenModule(group: group, style: style)
        let files = try golden.files(command: Self.command)
        for file in files { try Fixture.expect(file.contents, is: "\(golden.path)/\(file.path)") }
        #expect(try golden.namesOnDisk() == files.map(\.path).sorted(), "Delete the files that no schema makes.")
    }

    @Test(arguments: Fixture.groups.values.flatMap(\.self).sorted(), ModelStyle.allCases)
    func eachSchemaMakesTheSameFilesTwice(schema: String, style: ModelStyle) throws {
        let options = GenerationOptions(style: style)
        let files = try generateModels([try Fixture.source(schema)], options: options)
        #expect(files == (try generateModels([try Fixture.source(schema)], options: options)))
        #expect(Set(files.map(\.path)).count == files.count)
        #expect(files.contains { $0.path == "AmplifyModels.swift" })
    }

    static let small = """
        "The state of a thing."
        enum State { OPEN IN_WORK done }

        \"\"\"
        A list of things to do.

        It belongs to the user who made it.
        \"\"\"
        type TodoList @model @auth(rules: [{ allow: owner }, { allow: groups, groups: ["Admin"], operations: [read] }]) {
          id: ID!
          "What it is called."
          name: String! @index(name: "byName")
          todos: [Todo!]! @hasMany
          cover: Cover @hasOne
        }

        type Todo @model(timestamps: { createdAt: "madeAt" }) {
          list: ID! @primaryKey(sortKeyFields: ["number"])
          number: Int!
          state: State!
          default: String
          row: [Float]
          places: [Place!]
          todoList: TodoList! @belongsTo
        }

        type Cover @model(timestamps: null) { colour: String }

        type Place { x: Float! y: Float! note: String }
        """

    @Test(arguments: ModelStyle.allCases, ["HoldfastModel", "Amplify"])
    func theFilesOfASmallSchemaAreAsBefore(style: ModelStyle, module: String) throws {
        let options = GenerationOptions(style: style, importedModule: module)
        let files = try generateModels([Source(Self.small)], options: options)
        let text = files.map { "=== \($0.path)\n\($0.contents)" }.joined()
        try Fixture.expect(text, is: "Snapshots/small-\(style.rawValue)-\(module).txt")
    }

    @Test func rowCodecsCanBeLeftOut() throws {
        let options = GenerationOptions(fileExtension: "generated.swift", includesRowCodecs: false)
        let files = try generateModels([Source(Self.small)], options: options)
        #expect(!files.contains { $0.path.contains("+Row") })
        #expect(files.allSatisfy { $0.path.hasSuffix(".generated.swift") })
    }

    @Test func threeHundredTypesAreMadeInLessThanASecond() throws {
        let schema = (0..<300).map { number in
            """
            type Thing\(number) @model {
              id: ID!
              name: String! @index(name: "byName")
              count: Int
              ratio: Float
              tags: [String!]
              next: [Thing\((number + 1) % 300)] @hasMany
              previous: Thing\((number + 299) % 300) @belongsTo
            }
            """
        }.joined(separator: "\n")
        let start = threadTime()
        let files = try generateModels([Source(schema)])
        #expect(threadTime() - start < 1)
        #expect(files.count == 901)
    }
}

/// The processor time of this thread in seconds, which a busy machine does not lengthen.
private func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
