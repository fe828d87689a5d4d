import HoldfastCodegen
import HoldfastGraphQL
import HoldfastSchema

/// What must hold for any bytes.
enum Fuzzing {
    /// Reads bytes as what the network brings, and as GraphQL and, when they are, prints, reads back, validates, and
    /// makes models of them.
    ///
    /// Whatever the bytes, this returns.
    ///
    /// - Returns: Whether the bytes are GraphQL.
    @discardableResult
    static func check(_ bytes: UnsafeRawBufferPointer) -> Bool {
        WireFuzzing.check(Array(bytes))
        let source = Source(bytes: Array(bytes))
        guard let document = try? GraphQLDocument(parsing: source) else {
            precondition(!schemaProblems(in: [source]).isEmpty, "Models come from what is no GraphQL")
            return false
        }
        checkPrinting(document, source)
        checkValidation(document, source)
        checkModels(source)
        return true
    }

    private static func checkPrinting(_ document: GraphQLDocument, _ source: Source) {
        let options = ParseOptions(keepsLocations: false)
        let printed = document.printed()
        let again = try? GraphQLDocument(parsing: printed, options: options)
        let plain = try? GraphQLDocument(parsing: source, options: options)
        precondition(again == plain, "Printing changed a document: \(printed)")
    }

    private static func checkValidation(_ document: GraphQLDocument, _ source: Source) {
        let problems = Pets.schema.validate(document)
        precondition(problems == Pets.schema.validate(document), "Validation is not deterministic")
        let schemaProblems = GraphQLSchema.problems(in: document)
        precondition(schemaProblems == GraphQLSchema.problems(in: document), "Validation is not deterministic")
        for problem in problems + schemaProblems { _ = problem.location.map(source.excerpt) }
    }

    private static func checkModels(_ source: Source) {
        do throws(SchemaError) {
            for style in ModelStyle.allCases {
                let files = try generateModels([source], options: GenerationOptions(style: style))
                precondition(Set(files.map(\.path)).count == files.count, "Two files have one name")
                precondition(files.allSatisfy { $0.contents.hasSuffix("\n") }, "A file is cut off")
            }
            let changes = try schemaChanges(from: [source], to: [source])
            precondition(changes.isEmpty, "A schema differs from itself: \(changes)")
        } catch {
            precondition(!error.problems.isEmpty, "A schema without problems makes no models")
            precondition(error.problems.allSatisfy { !$0.message.isEmpty }, "A problem without a message")
        }
    }
}
