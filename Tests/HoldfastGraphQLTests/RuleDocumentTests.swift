import Foundation
import HoldfastGraphQL
import Testing

/// `docs/graphql-rules.md` says what is true: each example breaks its rule, and the messages are those that come.
@Suite struct RuleDocumentTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let rule: String
        let isSchema: Bool
        let text: String
        let messages: [String]

        var testDescription: String { "\(rule) in a \(isSchema ? "schema" : "request")" }
    }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")

    static let examples: [Example] = {
        let path = folder.appendingPathComponent("docs/graphql-rules.md")
        let document = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
        return document.components(separatedBy: "\n## ").dropFirst().flatMap { chapter in
            chapter.components(separatedBy: "\n### ").dropFirst().map { section in
                let blocks = section.components(separatedBy: "```")
                return Example(
                    rule: String(section.prefix { $0 != "\n" }), isSchema: chapter.hasPrefix("Schemas"),
                    text: lines(blocks[1]).joined(separator: "\n"), messages: lines(blocks[3]))
            }
        }
    }()

    /// The lines of a block without the first, which names its language.
    private static func lines(_ block: String) -> [String] {
        block.split(separator: "\n").dropFirst().map(String.init)
    }

    @Test(arguments: examples)
    func everyExampleBreaksItsRule(example: Example) throws {
        let document = try GraphQLDocument(parsing: example.text)
        let problems = example.isSchema ? GraphQLSchema.problems(in: document) : Fixture.pets.validate(document)
        #expect(problems.map(\.description) == example.messages)
        #expect(problems.contains { $0.rule.rawValue == example.rule })
        for problem in problems {
            #expect(problem.location != nil && problem.hint?.isEmpty == false, "\(problem)")
        }
    }

    @Test func everyRuleHasAnExample() throws {
        let path = Self.folder.appendingPathComponent("Sources/HoldfastGraphQL/Validation/GraphQLRule.swift")
        let names = try String(contentsOf: path, encoding: .utf8).components(separatedBy: "public static let ")
            .dropFirst().map { $0.prefix { $0 != " " } }
        // Nothing that a document has breaks these; they have tests of their own.
        let others: Set = ["limits", "operationTypes"]
        #expect(names.count > 40)
        #expect(Set(names.map(String.init)).subtracting(others) == Set(Self.examples.map(\.rule)))
    }
}
