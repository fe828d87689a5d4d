import HoldfastCodegen
import HoldfastGraphQL

/// What a schema is made into.
///
/// No store takes part, so there is nothing to compare with.
enum Language {
    static let all = [parsing, checking, generating]

    /// Text to syntax tree with locations.
    private static let parsing = Benchmark(name: "parse a GraphQL schema") { bench in
        let source = Source(schema(pairCount: bench.sized(10_000)))
        let samples = try await repeated { try GraphQLDocument(parsing: source).definitions.count }
        let speed = Double(source.bytes.count) / 1e6 / samples.best
        return [figure("parse a GraphQL schema", "parser", speed, "MB/s", .atLeast(50))]
    }

    /// Text to problems, of which there are none.
    private static let checking = Benchmark(name: "check a schema of 300 models") { _ in
        let source = Source(schema(pairCount: 150))
        let samples = try await repeated {
            let problems = schemaProblems(in: [source])
            precondition(problems.isEmpty, "the schema is right: \(problems)")
            return problems.count
        }
        return [figure("check a schema of 300 models", "codegen", samples.best * 1e3, "ms", .value(1_000))]
    }

    /// Text to Swift files.
    private static let generating = Benchmark(name: "make 300 models") { _ in
        let source = Source(schema(pairCount: 150))
        let samples = try await repeated { try generateModels([source]).reduce(0) { $0 + $1.contents.utf8.count } }
        return [figure("make 300 models", "codegen", samples.best * 1e3, "ms", .value(1_000))]
    }

    /// Ten turns after one that is not measured.
    private static func repeated(_ work: () throws -> Int) async throws -> Samples {
        var samples = Samples()
        for turn in 0...10 {
            let sample = try await time { try work() }
            if turn > 0 { samples.add(sample) }
        }
        return samples
    }

    private static func figure(
        _ name: String, _ layer: String, _ value: Double, _ unit: String, _ goal: Goal
    ) -> Measurement {
        Measurement(name: name, adapter: "graphql", layer: layer, value: value, unit: unit, goal: goal)
    }

    /// Two models for each number, as authors write them: a description, scalars, lists, an enum, an index, and
    /// relations to the next one.
    private static func schema(pairCount: Int) -> String {
        var text = "enum Mood { CALM TENSE MERRY }\n"
        for number in 0..<pairCount {
            text += """

                "A thing, number \(number) of \(pairCount)."
                type Thing\(number) @model @auth(rules: [{ allow: owner, operations: [create, read] }]) {
                  id: ID!
                  name: String! @index(name: "byName", sortKeyFields: ["madeOn"])
                  madeOn: AWSDate!
                  count: Int
                  ratio: Float
                  mood: Mood
                  tags: [String!]
                  "What it consists of."
                  parts: [Part\(number)] @hasMany
                }

                type Part\(number) @model {
                  id: ID!
                  weight: Float!
                  thing: Thing\(number) @belongsTo
                }

                """
        }
        return text
    }
}
